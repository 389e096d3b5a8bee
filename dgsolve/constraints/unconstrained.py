"""No rules at all: what a denoiser writes when nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from dgsolve.constraints.base import LeftToRight, Posterior, SequentialConstraint
from dgsolve.kernels.slot_reduction import slot_reduction
from dgsolve.kernels.slot_values import bounded
from dgsolve.randomness import Stream


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

    def posterior(self, logits: Tensor, temperature: Tensor | None = None) -> FreePosterior:
        return FreePosterior(logits, temperature)

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


class FreePosterior(Posterior):
    """Independent slots that may hold any token: all of it comes from one pass over the logits.

    logits Float [B, W, V], on any device, at one temperature a canvas, Float [B]; None: at 1.
    """

    def __init__(self, logits: Tensor, temperature: Tensor | None = None) -> None:
        self._logits = logits
        self._heat = torch.ones(len(logits)) if temperature is None else temperature.float()
        self._heat = self._heat.to(logits.device)
        self._sums = slot_reduction(logits, self._heat)
        self.entropy = self._sums.entropy
        self.log_z = self.entropy.new_zeros(len(logits))  # every canvas fits

    @cached_property
    def marginals(self) -> Tensor:  # type: ignore[override]
        return bounded(self._logits, self._heat[:, None, None]).sub_(self._sums.log_z[..., None]).exp_()

    def sample(self, stream: Stream) -> Tensor:
        return self._sums.draws(stream.fine_uniform(self.entropy.shape[1:]).to(self._logits.device))

    def mode(self) -> Tensor:
        return self._sums.mode

    def probability(self, tokens: Tensor) -> Tensor:
        return self._log_probability(tokens).exp()

    def log_probability(self, tokens: Tensor) -> Tensor:
        return self._log_probability(tokens).sum(1)

    def _log_probability(self, tokens: Tensor) -> Tensor:
        x = self._logits.gather(2, tokens.to(self._logits.device)[..., None])[..., 0]
        return (bounded(x, self._heat[:, None]) - self._sums.log_z).clamp(max=0.0)


class AsProposed(LeftToRight):
    """The token of largest logit in every slot, whatever is beside it; logits Float [B, W, V], tokens Int [B, W]."""

    def __init__(self, logits: Tensor, tokens: Tensor) -> None:
        self._logits, self.tokens = logits, tokens

    def certainty(self, slots: int) -> tuple[Tensor, Tensor]:
        posterior = FreePosterior(self._logits[:, :slots])
        return posterior.probability(self.tokens[:, :slots]), posterior.entropy
