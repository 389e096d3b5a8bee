"""Logits as the constraints read them: finite whatever the model gives, and gathered where only some are needed."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from dgsolve.constraints.base import LOGIT_FLOOR

BLANK = -1e30  # the logit of a place without a token: finite, and below whatever is added to it
LEAST = -87.0  # exp(LEAST) is nothing beside 1; below it exp would leave float32's normal range, which is very slow


def bounded(logits: Tensor) -> Tensor:
    """Float32, finite whatever the model gives."""
    return logits.float().nan_to_num(nan=LOGIT_FLOOR).clamp_(LOGIT_FLOOR, -LOGIT_FLOOR)


def at_temperature(logits: Tensor, temperature: Tensor | None) -> Tensor:
    """Logits Float [B, L, V] over one temperature a canvas, Float [B]; as they are where there is none."""
    return logits if temperature is None else logits / temperature.to(logits.device)[:, None, None]


def gather_rows(logits: Tensor, slots: Sequence[int], index: Tensor) -> Tensor:
    """Of some rows of `logits`, Float [W, V], the places `index`, Int [r, c] or [c] in all of them: Float [r, c]."""
    index = index.expand(len(slots), -1).to(logits.device)
    if logits.is_cuda:
        return logits[torch.tensor(slots, device=logits.device)[:, None], index]
    found = torch.empty(index.shape, dtype=logits.dtype)
    for slot, places, out in zip(slots, index.unbind(0), found.unbind(0), strict=True):
        torch.index_select(logits[slot], 0, places, out=out)  # an index over both dimensions is ten times as slow
    return found
