"""The seam between a denoiser's proposals and the rules that are kept exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from torch import Tensor

from dgsolve.randomness import Stream

if TYPE_CHECKING:
    import numpy as np

Self = TypeVar("Self", bound="Constraint")

LOGIT_FLOOR = -1e4  # large and finite: 0 * -inf is NaN


class Window(NamedTuple):
    """The proposals for W slots of a canvas from `first` on, Float [W, V] at their temperature.

    pinned Int [at least W]: the token that a slot from `first` on must hold, -1 for any.
    """

    first: int
    logits: Tensor
    pinned: np.ndarray


class CanvasLaw(Protocol):
    """The posterior of one canvas."""

    def held(self, slot: int) -> bool:
        """Whether the slot holds its token whatever the denoiser thinks."""

    def together(self, first: int, tokens: Sequence[int]) -> float:
        """The joint probability that the slots from `first` on hold `tokens`."""

    def window(self, part: range) -> Window:
        """The proposals that a law is about which says how the slots `part` could have been filled."""


class Posterior(ABC):
    """The denoiser's distribution over canvases, conditioned on the constraint."""

    log_z: Tensor  # [B] log-probability of the constraint under the denoiser
    entropy: Tensor  # [B, L] of each slot's marginal, in nats
    marginals: Tensor  # [B, L, V] probability of each value; big where V is, so ask `probability` for single ones

    @abstractmethod
    def sample(self, stream: Stream) -> Tensor:
        """A joint draw, Int [B, L]."""

    @abstractmethod
    def mode(self) -> Tensor:
        """The most probable canvas, Int [B, L]."""

    @abstractmethod
    def probability(self, tokens: Tensor) -> Tensor:
        """Float [B, L]: the marginal probability that each slot holds its token of `tokens`, Int [B, L]."""

    def row(self, row: int) -> CanvasLaw | None:
        """What can be asked of one canvas after its batch is gone; None where there is nothing."""
        return None

    @abstractmethod
    def log_probability(self, tokens: Tensor) -> Tensor:
        """[B] of the canvas `tokens`, Int [B, L]; the floor where the constraint forbids it."""


class Constraint(ABC):
    """Rules over a batch of canvases that are kept exactly at every step."""

    @abstractmethod
    def posterior(self, logits: Tensor, temperature: Tensor | None = None) -> Posterior:
        """Condition the proposals, Float [B, L, V], at a temperature above 0 for each canvas, Float [B]; None: at 1."""

    @abstractmethod
    def rows(self: Self, index: Tensor) -> Self:
        """The constraint on the canvases at `index`, Int [b]."""

    @abstractmethod
    def put(self: Self, index: Tensor, other: Self) -> Self:
        """With the canvases at `index`, Int [b], under `other`, a constraint over b canvases."""

    @abstractmethod
    def lock(self: Self, tokens: Tensor, slots: Tensor) -> Self:
        """With `slots`, Bool [B, L], fixed on `tokens`, Int [B, L]."""

    def exclude(self: Self, tokens: Tensor, slots: Tensor) -> Self:
        """Told that `slots`, Bool [B, L], do not hold `tokens`, Int [B, L]; as it was where it makes no use of that."""
        return self

    @abstractmethod
    def domain(self) -> Tensor:
        """Bool [B, L, V]: the values that each slot can still hold."""

    @abstractmethod
    def satisfiable(self) -> Tensor:
        """Bool [B]: whether every slot can still hold something."""

    def settle(self: Self, tokens: Tensor, settled: Tensor) -> Self:
        """Told that the first `settled` slots of each canvas, Int [B], hold `tokens`, Int [B, L], for good."""
        return self

    def complete(self) -> Tensor | None:
        """Bool [B]: whether the settled slots are a whole answer already; None where only a full canvas is."""
        return None

    @classmethod
    @abstractmethod
    def stack(cls: type[Self], constraints: Sequence[Self]) -> Self:
        """One constraint over the rows of all."""


class SequentialConstraint(Constraint):
    """Rules that can also be kept slot by slot from the left; windows of W slots follow the settled ones."""

    @abstractmethod
    def left_to_right(self, logits: Tensor, noise: Tensor | None = None) -> LeftToRight:
        """Slot by slot the token of largest logit + noise that fits after those chosen so far.

        logits, noise Float [B, W, V]. This is constrained greedy decoding, and in general not the most probable canvas.
        """


class LeftToRight(ABC):
    """A choice in every slot, made from the left: each among what fits after those before it."""

    tokens: Tensor  # Int [B, W]

    @abstractmethod
    def certainty(self, slots: int) -> tuple[Tensor, Tensor]:
        """Float [B, slots] each, of the first `slots`: the token's probability, by the logits alone, among what fits,
        and the entropy (nats) of the slot."""
