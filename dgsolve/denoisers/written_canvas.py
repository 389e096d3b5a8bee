"""How the slots of a problem are written into a canvas of a text diffusion model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class WrittenCanvas:
    """Where a problem's slots stand in a canvas of S slots, and by which tokens their values are written.

    tokens Int [S]: what stands in the slots that are none of the problem's. places Int [L]: the model's slot of each
    slot of the problem. ids Int [K]: the model's token for each value; None where values are tokens of the model.
    """

    tokens: Tensor
    places: Tensor
    ids: Tensor | None = None

    @classmethod
    def of_tokens(cls, length: int) -> WrittenCanvas:
        """The problem's slots are the model's, and so are its values."""
        return cls(torch.zeros(length, dtype=torch.long), torch.arange(length))

    @classmethod
    def of_symbols(
        cls, ids: Sequence[int], layout: Sequence[int | None], length: int, tail: Sequence[int]
    ) -> WrittenCanvas:
        """Slots that hold one of the tokens `ids`, where `layout` has None, between fixed tokens.

        After the layout `tail` fills the canvas of `length` slots; its last token as often as it takes.
        """
        tokens = [token or 0 for token in layout] + list(tail)
        tokens = (tokens + [tail[-1]] * length)[:length]
        places = [place for place, token in enumerate(layout) if token is None]
        return cls(torch.tensor(tokens), torch.tensor(places), torch.tensor(ids))

    def write(self, values: Tensor) -> Tensor:
        """The model's canvases, Int [B, S], for values Int [B, L]; -1 - t is the model's token t, whatever it means."""
        tokens = values if self.ids is None else torch.where(values < 0, -1 - values, self.ids[values.clamp(min=0)])
        return self.tokens.expand(len(values), -1).index_copy(1, self.places, tokens)
