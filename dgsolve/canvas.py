"""A batch of canvases: tokens in slots, some of them locked, under one constraint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from dgsolve.constraints.base import Constraint


@dataclass(frozen=True)
class Canvas:
    """tokens Int [B, L] (right where locked, noise elsewhere), locked Bool [B, L], and the constraint over all rows."""

    tokens: Tensor
    locked: Tensor
    constraint: Constraint

    @classmethod
    def stack(cls, canvases: Sequence[Canvas]) -> Canvas:
        """One batch from canvases of one shape."""
        return cls(
            torch.cat([canvas.tokens for canvas in canvases]),
            torch.cat([canvas.locked for canvas in canvases]),
            canvases[0].constraint.stack([canvas.constraint for canvas in canvases]),
        )

    def rows(self, index: Tensor) -> Canvas:
        """The canvases at `index`, Int [b]."""
        return Canvas(self.tokens[index], self.locked[index], self.constraint.rows(index))

    def put(self, index: Tensor, other: Canvas) -> Canvas:
        """With the canvases at `index`, Int [b], taken from `other`, b canvases."""
        return Canvas(
            self.tokens.index_copy(0, index, other.tokens),
            self.locked.index_copy(0, index, other.locked),
            self.constraint.put(index, other.constraint),
        )

    def lock(self, tokens: Tensor, slots: Tensor) -> Canvas:
        """Also lock `slots`, Bool [B, L], on `tokens`, Int [B, L]; the constraint learns of it."""
        slots = slots & ~self.locked
        merged = torch.where(slots, tokens, self.tokens)
        return Canvas(merged, self.locked | slots, self.constraint.lock(merged, slots))
