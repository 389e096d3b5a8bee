"""What may attend to what, where the rows of a batch have read texts of different lengths."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


def decoder(places: Tensor, slots: int) -> Tensor | None:
    """Bool [B, 1, slots, T + slots]: a canvas sees all of itself and all that was read before it.

    places Int [B, T]: the token of a row that each column holds, below 0 for none. None where nothing is hidden.
    """
    known = places >= 0
    if bool(known.all()):
        return None
    seen = torch.cat([known, known.new_ones(len(known), slots)], 1)
    return seen[:, None, None].expand(-1, 1, slots, -1)


def encoder(places: Tensor, lengths: Tensor, slots: int, window: int | None) -> Tensor:
    """Bool [B, 1, slots, T + slots]: a token sees itself and those before it, of a window the `window` newest.

    places as for `decoder`; lengths Int [B]: tokens before the first of the `slots` new ones.
    """
    new = lengths[:, None] + torch.arange(slots)  # [B, slots]
    behind = new[:, :, None] - torch.cat([places, new], 1)[:, None]  # [B, slots, T + slots] how far back each is
    seen = (behind >= 0) & torch.cat([places >= 0, new >= 0], 1)[:, None]
    return (seen if window is None else seen & (behind <= window))[:, None]


def placed(
    masks: Mapping[str, Tensor | None], device: torch.device, adds: torch.dtype | None
) -> dict[str, Tensor | None]:
    """Masks, Bool, on their device; with `adds` such as are added to attention weights, lowest where all is hidden."""

    def one(mask: Tensor) -> Tensor:
        mask = mask.to(device)
        return mask if adds is None else torch.zeros_like(mask, dtype=adds).masked_fill(~mask, torch.finfo(adds).min)

    return {name: None if mask is None else one(mask) for name, mask in masks.items()}
