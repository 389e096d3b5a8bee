"""Per-slot domains: each slot holds one of its allowed values, independently of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.constraints.base import LOGIT_FLOOR, Constraint, Posterior
from dgsolve.constraints.bounded_logits import at_temperature
from dgsolve.randomness import Stream


@dataclass(frozen=True)
class SlotDomains(Constraint):
    """allowed Bool [B, L, V]; peers Bool [L, L] or None: slots that must differ.

    With `peers`, locking propagates (forward checking): a locked value leaves the domains of the slot's peers. With
    `narrow`, it goes as far as that goes: Bool [B, L, V] in, the same without what the rules exclude out; a slot
    without a value says that there is no way on.
    """

    allowed: Tensor
    peers: Tensor | None = None
    narrow: Callable[[Tensor], Tensor] | None = None

    def posterior(self, logits: Tensor, temperature: Tensor | None = None) -> SlotPosterior:
        logits = at_temperature(logits.float(), temperature)
        return SlotPosterior(logits, torch.where(self.allowed, logits.clamp(min=LOGIT_FLOOR / 2), LOGIT_FLOOR))

    def rows(self, index: Tensor) -> SlotDomains:
        return replace(self, allowed=self.allowed[index])

    def lock(self, tokens: Tensor, slots: Tensor) -> SlotDomains:
        held = F.one_hot(tokens, self.allowed.shape[-1]).bool()  # [B, L, V]
        allowed = self.allowed & (held | ~slots[..., None])
        if self.peers is not None:
            # excluded[b, l, v] = any over m of peers[l, m] and fixed[b, m, v]
            fixed = (held & slots[..., None]).float()
            allowed &= self.peers.float() @ fixed == 0
        return self._narrowed(allowed)

    def exclude(self, tokens: Tensor, slots: Tensor) -> SlotDomains:
        held = F.one_hot(tokens, self.allowed.shape[-1]).bool()  # [B, L, V]
        return self._narrowed(self.allowed & ~(held & slots[..., None]))

    def _narrowed(self, allowed: Tensor) -> SlotDomains:
        return replace(self, allowed=allowed if self.narrow is None else self.narrow(allowed))

    def put(self, index: Tensor, other: SlotDomains) -> SlotDomains:
        return replace(self, allowed=self.allowed.index_copy(0, index, other.allowed))

    def domain(self) -> Tensor:
        return self.allowed

    def satisfiable(self) -> Tensor:
        return self.allowed.any(-1).all(-1)

    @classmethod
    def stack(cls, constraints: Sequence[SlotDomains]) -> SlotDomains:
        return replace(constraints[0], allowed=torch.cat([constraint.allowed for constraint in constraints]))


class SlotPosterior(Posterior):
    """Independent slots: every quantity is a softmax over the allowed values.

    unconstrained: the denoiser's logits, Float [B, L, V]; logits: the same with the floor where a value is forbidden.
    """

    def __init__(self, unconstrained: Tensor, logits: Tensor) -> None:
        self._unconstrained = unconstrained
        self._logits = logits

    @cached_property
    def log_marginals(self) -> Tensor:
        return self._logits.log_softmax(-1)

    @cached_property
    def marginals(self) -> Tensor:  # type: ignore[override]
        return self.log_marginals.exp()

    @cached_property
    def entropy(self) -> Tensor:  # type: ignore[override]
        return -(self.marginals * self.log_marginals).sum(-1).clamp(max=0.0)

    @cached_property
    def log_z(self) -> Tensor:  # type: ignore[override]
        return (self._logits.logsumexp(-1) - self._unconstrained.logsumexp(-1)).sum(-1)

    def sample(self, stream: Stream) -> Tensor:
        noise = stream.uniform(self._logits.shape[1:]).to(self._logits.device)  # [B, L, V]
        return (self.log_marginals - (-noise.log()).log()).argmax(-1)

    def mode(self) -> Tensor:
        return self._logits.argmax(-1)

    def probability(self, tokens: Tensor) -> Tensor:
        return self.marginals.gather(-1, tokens.to(self._logits.device)[..., None]).squeeze(-1)

    def log_probability(self, tokens: Tensor) -> Tensor:
        return self.log_marginals.gather(-1, tokens.to(self._logits.device)[..., None]).squeeze(-1).sum(-1)
