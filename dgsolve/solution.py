"""What comes back: the verdict, the answer, how it was found, and the frames on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from dgsolve.plural import counted
from dgsolve.problem import Fault, Problem

if TYPE_CHECKING:
    from dgsolve.constraints.base import CanvasLaw


class Status(StrEnum):
    """The verdict, named as in CP-SAT; `sentence` is what a person reads."""

    FEASIBLE = "FEASIBLE"
    INFEASIBLE = "INFEASIBLE"
    MODEL_INVALID = "MODEL_INVALID"
    UNKNOWN = "UNKNOWN"

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]


_SENTENCES = {
    Status.FEASIBLE: "Solved: the answer keeps every rule.",
    Status.INFEASIBLE: "Proven: no answer exists.",
    Status.MODEL_INVALID: "The givens already break a rule.",
    Status.UNKNOWN: "No valid answer was found; that proves nothing.",
}


@dataclass(frozen=True)
class Blocks:
    """How far the blocks of a canvas are: `steps` that each took so far, the one in work last.

    most: steps that a block may take. count: blocks that the canvas has room for. ended: the last of `steps` will not
    change any more, because it settled (early, if it took fewer than `most`) or because its steps are over.
    """

    steps: tuple[int, ...]
    most: int
    count: int = 1
    ended: bool = False

    @property
    def early(self) -> bool:
        """Whether the block in work has ended before its steps were over."""
        return self.ended and self.steps[-1] < self.most


@dataclass(frozen=True)
class Frame:
    """One denoising step of the canvas that is shown: all lists have one entry per slot.

    step: from 1. values: the draft (most probable value of every slot, counted from 0, locked ones included).
    probability: of each of them, 0 to 1. entropy: in nats. accepted, locked, faulty: flags; faulty slots are those that
    a broken rule names. canvas: which of the parallel canvases this is, from 0; canvases: how many run; restarts: how
    often canvases were re-noised whole so far. seconds: since the problem was started. blocks: None where slots settle
    one by one from the left. seed, refused (this draft too, where it was settled), posterior: as in `Solution`.
    """

    problem: Problem
    step: int
    values: tuple[int, ...]
    probability: tuple[float, ...]
    entropy: tuple[float, ...]
    accepted: tuple[bool, ...]
    locked: tuple[bool, ...]
    faulty: tuple[bool, ...]
    canvas: int = 0
    canvases: int = 1
    restarts: int = 0
    seconds: float = 0.0
    seed: int = 0
    refused: tuple[tuple[Any, tuple[Fault, ...]], ...] = ()
    posterior: CanvasLaw | None = field(default=None, compare=False, repr=False)
    blocks: Blocks | None = None

    @property
    def mean_entropy(self) -> float:
        """Mean over the open slots of the draft, in nats."""
        return _mean(self._of_open_slots(self.entropy), 0.0)

    @property
    def confidence(self) -> float:
        """Mean probability of what the open slots of the draft hold, 0 to 1; 1 where no slot is open."""
        return _mean(self._of_open_slots(self.probability), 1.0)

    def _of_open_slots(self, numbers: Sequence[float]) -> list[float]:
        """Of a text, its slots and the one that ends it count: padding is sure, and later blocks hold nothing yet."""
        pieces = self.problem.pieces(self.values)
        end = len(self.values) if pieces is None else len(pieces) + 1
        return [
            number
            for number, value, locked in zip(numbers[:end], self.values, self.locked, strict=False)
            if value >= 0 and not locked
        ]

    def solution(self) -> Solution:
        """This draft as a Solution: FEASIBLE if `Problem.check` finds no fault in it, else UNKNOWN with the faults."""
        answer, faults = self.problem.decode(self.values), self.faults
        return Solution(
            self.problem,
            Status.UNKNOWN if faults else Status.FEASIBLE,
            answer=None if faults else answer,
            found_by=None if faults else "diffusion",
            confidence=self.probability,
            values=self.values,
            faults=faults,
            steps=self.step,
            canvases=self.canvases,
            restarts=self.restarts,
            seed=self.seed,
            seconds=self.seconds,
            refused=self.refused,
            posterior=self.posterior,
        )

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What `Problem.check` says of this draft."""
        return self.problem.check(self.problem.decode(self.values)).faults


def _mean(numbers: Sequence[float], empty: float) -> float:
    return sum(numbers) / len(numbers) if numbers else empty


@dataclass(frozen=True)
class Solution:
    """The verdict on one problem.

    answer is None unless status is FEASIBLE, and then it passed `Problem.check`. found_by: "diffusion", "exact" or
    None. solutions: "none", "one", "many" or "unknown", as far as it was proven; others: more answers, where they were
    asked for. refused: whole drafts that a rule faulted, each with its faults, where a draft settles before it is
    judged. confidence: probability of the answer's value per slot, empty where diffusion did not find it. steps:
    denoising steps of the longest canvas. canvases: parallel canvases used. restarts: how often a canvas was re-noised
    whole. first_step_valid: the first draft of the first canvas was already right. seconds: wall clock from the first
    step to the verdict. values: what the slots of its canvas held at the end, an answer or not. posterior: of the
    whole canvas at the last step, where the denoiser has one. timed_out, interrupted: the time limit or Ctrl-C ended
    it. trace: its frames, where kept.
    """

    problem: Problem
    status: Status
    answer: Any = None
    found_by: str | None = None
    solutions: str = "unknown"
    confidence: tuple[float, ...] = ()
    faults: tuple[Fault, ...] = ()
    steps: int = 0
    canvases: int = 0
    restarts: int = 0
    first_step_valid: bool = False
    seed: int = 0
    seconds: float = 0.0
    timed_out: bool = False
    interrupted: bool = False
    trace: tuple[Frame, ...] = ()
    others: tuple[Any, ...] = ()
    refused: tuple[tuple[Any, tuple[Fault, ...]], ...] = ()
    values: tuple[int, ...] = ()
    posterior: CanvasLaw | None = field(default=None, compare=False, repr=False)

    @classmethod
    def before_search(cls, problem: Problem, seed: int = 0) -> Solution | None:
        """MODEL_INVALID where the givens already break a rule, which needs no search; None on other problems."""
        faults = tuple(problem.given_faults())
        return cls(problem, Status.MODEL_INVALID, solutions="none", faults=faults, seed=seed) if faults else None

    def explain(self) -> str:
        """A few sentences for people: the verdict, how it was found, what is wrong where something is."""
        lines = [self.status.sentence]
        if self.status is Status.FEASIBLE and self.found_by == "diffusion":
            steps, canvases = counted(self.steps, "step"), counted(self.canvases, "canvas", "canvases")
            lines.append(f"Found by diffusion in {steps} on {canvases}, seed {self.seed}.")
        if self.found_by == "exact":
            lines.append("Found by exact search (CP-SAT), not by diffusion.")
        if self.timed_out:
            lines.append("The time limit came first.")
        if self.solutions == "many":
            lines.append("The problem has more than one solution.")
        if self.solutions == "one":
            lines.append("It is the only solution.")
        lines += [fault.message for fault in self.faults]
        return "\n".join(lines)
