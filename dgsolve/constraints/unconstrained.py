"""No rules at all: what a denoiser writes when nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from dgsolve.constraints.base import LeftToRight, SequentialConstraint
from dgsolve.constraints.slot_domains import SlotPosterior


@dataclass(frozen=True)
class Unconstrained(SequentialConstraint):
    """B canvases of L slots that may hold any of `size` tokens; one of `ends` among the settled slots ends a text.

    ended Bool [B]: whether there is one. Locks are not kept either.
    """

    ended: Tensor
    size: int
    length: int
    ends: tuple[int, ...] = ()

    @classmethod
    def begin(cls, size: int, length: int, ends: Sequence[int] = ()) -> Unconstrained:
        """One canvas that nothing is settled of."""
        return cls(torch.zeros(1, dtype=torch.bool), size, length, tuple(ends))

    def posterior(self, logits: Tensor) -> SlotPosterior:
        logits = logits.float()
        return SlotPosterior(logits, logits)

    def left_to_right(self, logits: Tensor, noise: Tensor | None = None) -> AsProposed:
        return AsProposed(logits, (logits if noise is None else logits + noise).argmax(-1))

    def settle(self, tokens: Tensor, settled: Tensor) -> Unconstrained:
        held = torch.arange(tokens.shape[1]) < settled[:, None]
        ends = torch.isin(tokens, torch.tensor(self.ends, dtype=torch.long))
        return replace(self, ended=(ends & held).any(1))

    def complete(self) -> Tensor:
        return self.ended

    def rows(self, index: Tensor) -> Unconstrained:
        return replace(self, ended=self.ended[index])

    def put(self, index: Tensor, other: Unconstrained) -> Unconstrained:
        return replace(self, ended=self.ended.index_copy(0, index, other.ended))

    def lock(self, tokens: Tensor, slots: Tensor) -> Unconstrained:
        return self

    def domain(self) -> Tensor:
        return torch.ones(1, 1, 1, dtype=torch.bool).expand(len(self.ended), self.length, self.size)

    def satisfiable(self) -> Tensor:
        return torch.ones_like(self.ended)

    @classmethod
    def stack(cls, constraints: Sequence[Unconstrained]) -> Unconstrained:
        return replace(constraints[0], ended=torch.cat([constraint.ended for constraint in constraints]))


class AsProposed(LeftToRight):
    """The token of largest logit in every slot, whatever is beside it; logits Float [B, W, V], tokens Int [B, W]."""

    def __init__(self, logits: Tensor, tokens: Tensor) -> None:
        self._logits, self.tokens = logits, tokens

    def certainty(self, slots: int) -> tuple[Tensor, Tensor]:
        posterior = SlotPosterior(self._logits[:, :slots], self._logits[:, :slots])
        return posterior.probability(self.tokens[:, :slots]), posterior.entropy
