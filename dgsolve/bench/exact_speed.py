"""How fast exact search (CP-SAT, one thread) answers the same puzzles on the same machine. It answers nothing here."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from dgsolve.bench.puzzle_sets import PuzzleSet
from dgsolve.certify import solutions
from dgsolve.problem import Problem

PUZZLES = 200  # of a larger set, a sample
SECONDS = 30.0  # for a whole set
PUZZLE_SECONDS = 10.0


@dataclass(frozen=True)
class ExactSpeed:
    """Puzzles that CP-SAT was given, how many it found an answer to, and the seconds for all, models built included."""

    puzzles: int
    answered: int
    seconds: float

    @property
    def rate(self) -> float | None:
        """Puzzles a second."""
        return self.puzzles / self.seconds if self.seconds > 0 else None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def exact_speed(puzzle_set: PuzzleSet, seed: int) -> ExactSpeed:
    """Time CP-SAT over the set or a sample of it; the first puzzle is solved once before, to warm up."""
    puzzles = _sampled(puzzle_set, seed)
    for problem in puzzles[:1]:
        _answered(problem)
    return _timed(puzzles)


def _timed(puzzles: Iterable[Problem]) -> ExactSpeed:
    started = time.monotonic()
    count = answered = 0
    seconds = 0.0
    for problem in puzzles:
        count, answered = count + 1, answered + _answered(problem)
        seconds = time.monotonic() - started
        if seconds > SECONDS:
            break
    return ExactSpeed(count, answered, round(seconds, 6))


def _answered(problem: Problem) -> bool:
    """Whether the search finds an answer; whether there are others is not asked."""
    return next(solutions(problem, 1, time_limit=PUZZLE_SECONDS), None) is not None


def _sampled(puzzle_set: PuzzleSet, seed: int) -> list[Problem]:
    """At most PUZZLES of those that the denoiser gets too, in an order of their own."""
    draw = random.Random(f"{seed} {puzzle_set.name}")
    places = draw.sample(range(len(puzzle_set)), min(PUZZLES, len(puzzle_set)))
    wanted = set(places)
    problems: list[Any] = [entry.puzzle for place, entry in enumerate(puzzle_set) if place in wanted]
    draw.shuffle(problems)
    return problems
