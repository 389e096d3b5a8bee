"""From a pass's logits to a draft: what is on the canvas next, and which slots are settled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor

from dgsolve.constraints.base import CanvasLaw, Constraint, Posterior, SequentialConstraint
from dgsolve.randomness import Stream
from dgsolve.sampling import entropy_bound, stopping
from dgsolve.sampling.schedule import temperature
from dgsolve.sampling.settings import Sampling

if TYPE_CHECKING:
    from dgsolve.rows import Rows

KEPT_LOGITS = 1 << 28  # of all windows on one canvas, a gigabyte
DRAW = 1 << 20  # labels the stream of a step's draw; steps themselves label the streams of noise


@dataclass(frozen=True)
class Draft:
    """What one pass says of a window of W slots, each field [B, W].

    tokens Int: the draft itself; placed Int: what the canvas holds next where it is kept; probability of the draft's
    tokens and entropy of each slot (nats) Float; accepted Bool. settled Int [B]: how many leading slots of the window
    will not change any more. logits Float [B, W, V]: what the denoiser proposed; heat Float [B]: at which temperature.
    """

    tokens: Tensor
    placed: Tensor
    probability: Tensor
    entropy: Tensor
    accepted: Tensor
    settled: Tensor
    posterior: Posterior | None = None
    logits: Tensor | None = None
    heat: Tensor | None = None
    _laws: dict[int, CanvasLaw | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def law(self, row: int, length: int) -> CanvasLaw | None:
        """The posterior of the window on one canvas of `length` slots; the same one each time.

        None where those of all its windows would be too large to keep.
        """
        if self.posterior is None or self.logits is None:
            return None
        if self.tokens.shape[1] < length and length * self.logits.shape[2] > KEPT_LOGITS:
            return None
        if row not in self._laws:  # it copies a canvas's logits
            self._laws[row] = self.posterior.row(row)
        return self._laws[row]


class Drafting(ABC):
    """How a kind of denoiser's proposals become drafts. It holds nothing; hyperparameters are in `Sampling`."""

    left_to_right: ClassVar[bool] = False  # whether a slot is written by its distribution given those before it

    @abstractmethod
    def draft(
        self, constraint: Constraint, logits: Tensor, fed: Tensor, locked: Tensor, rows: Rows, sampling: Sampling
    ) -> Draft:
        """logits Float [B, W, V] about the window, fed Int [B, W] what the denoiser saw there, locked Bool [B, W]."""


class EntropyBoundDrafting(Drafting):
    """Diffusion: the most probable canvas (or a joint draw) of the exact posterior; surest slots are accepted first.

    The window settles as a whole: when it is stable and confident, or with its last step. A text that starts again
    after a fault is drawn, since the most probable one was faulted.
    """

    def draft(
        self, constraint: Constraint, logits: Tensor, fed: Tensor, locked: Tensor, rows: Rows, sampling: Sampling
    ) -> Draft:
        width = logits.shape[1]
        heat = temperature(rows.clock, sampling.max_denoising_steps, sampling.t_max, sampling.t_min)
        posterior = constraint.posterior(logits, heat)
        faulted = (rows.starts > 0) & isinstance(constraint, SequentialConstraint)
        stream = rows.stream.fork_rows(rows.age + DRAW)
        tokens, placed = _tokens(posterior, faulted | sampling.draw, stream, sampling.place_draws)
        probability, entropy = posterior.probability(tokens).to(locked.device), posterior.entropy.to(locked.device)
        stable = rows.stable_with(tokens)
        mean = mean_where(entropy, ~locked)
        done = stopping.stable_and_confident(mean, stable, sampling.stop_entropy, sampling.stable_steps)
        if sampling.confidence is not None:
            done |= stopping.confident(probability, locked, sampling.confidence)
        done |= locked.all(1) | (rows.clock + 1 >= sampling.max_denoising_steps)  # it has to do, or cannot change
        accepted = entropy_bound.accept(entropy, locked, sampling.entropy_bound)
        return Draft(tokens, placed, probability, entropy, accepted, done * width, posterior, logits, heat)


def _tokens(posterior: Posterior, drawn: Tensor, stream: Stream, place_draws: bool) -> tuple[Tensor, Tensor]:
    """The draft, a joint draw where `drawn`, Bool [B], says so and else the mode; and what the canvas holds next."""
    if not place_draws and not bool(drawn.any()):
        mode = posterior.mode().to(drawn.device)
        return mode, mode
    draw = posterior.sample(stream).to(drawn.device)  # before the mode, which then costs a GPU nothing
    draft = draw if bool(drawn.all()) else torch.where(drawn[:, None], draw, posterior.mode().to(drawn.device))
    return draft, draw if place_draws else draft


def mean_where(values: Tensor, where: Tensor) -> Tensor:
    """[B]: the mean of each row's `values`, Float [B, L], over the slots in `where`, Bool [B, L]; 0 over none."""
    return (values * where).sum(1) / where.sum(1).clamp(min=1)
