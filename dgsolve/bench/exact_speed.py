"""How fast exact search (CP-SAT, one thread) answers the same puzzles on the same machine. It answers nothing here."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import chain, islice
from statistics import median
from typing import Any

from dgsolve.bench.puzzles import Puzzles
from dgsolve.certify import solutions
from dgsolve.errors import PuzzleError
from dgsolve.problem import Problem

PUZZLES = 200  # of a larger set, a sample
SECONDS = 30.0  # for a whole set
PUZZLE_SECONDS = 10.0
WARM_SECONDS = 1.0


@dataclass(frozen=True)
class ExactSpeed:
    """Puzzles that CP-SAT was given, how many it found an answer to, and the seconds for all, models built included.

    times: the seconds of each puzzle.
    """

    puzzles: int
    answered: int
    seconds: float
    times: tuple[float, ...] = ()

    @property
    def rate(self) -> float | None:
        """Puzzles a second."""
        return self.puzzles / self.seconds if self.seconds > 0 else None

    @property
    def median(self) -> float | None:
        """Seconds of the puzzle in the middle."""
        return median(self.times) if self.times else None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "times": list(self.times)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> ExactSpeed:
        """Back from `to_json`."""
        return cls(**{**values, "times": tuple(values.get("times", ()))})

    @classmethod
    def of_all(cls, parts: Iterable[ExactSpeed]) -> ExactSpeed:
        """That of several sets as one."""
        made = list(parts)
        times = tuple(chain.from_iterable(one.times for one in made))
        return cls(sum(p.puzzles for p in made), sum(p.answered for p in made), sum(p.seconds for p in made), times)


def exact_speed(puzzle_set: Puzzles, seed: int) -> ExactSpeed:
    """Time CP-SAT over the set or a sample of it; a first puzzle is begun before, to warm up."""
    for entry in islice(puzzle_set, 1):
        assert not isinstance(entry.puzzle, PuzzleError)
        _answered(entry.puzzle, WARM_SECONDS)
    return _timed(_sampled(puzzle_set, seed))


def _timed(puzzles: Iterable[Problem]) -> ExactSpeed:
    answered, times = 0, list[float]()
    for problem in puzzles:
        started = time.monotonic()
        answered += _answered(problem, PUZZLE_SECONDS)
        times.append(round(time.monotonic() - started, 6))
        if sum(times) > SECONDS:
            break
    return ExactSpeed(len(times), answered, round(sum(times), 6), tuple(times))


def _answered(problem: Problem, time_limit: float) -> bool:
    """Whether the search finds an answer; whether there are others is not asked."""
    return next(solutions(problem, 1, time_limit=time_limit), None) is not None


def _sampled(puzzle_set: Puzzles, seed: int) -> list[Problem]:
    """At most PUZZLES of those that the denoiser gets too, in an order of their own."""
    draw = random.Random(f"{seed} {puzzle_set.name}")
    places = draw.sample(range(len(puzzle_set)), min(PUZZLES, len(puzzle_set)))
    wanted = set(places)
    problems: list[Any] = [entry.puzzle for place, entry in enumerate(puzzle_set) if place in wanted]
    draw.shuffle(problems)
    return problems
