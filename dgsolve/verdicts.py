"""Verdicts on a stream of puzzles, solved in batches, given in the order of the input, the stream never held whole."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from dgsolve.errors import PuzzleError
from dgsolve.problem import CellProblem, Problem
from dgsolve.solution import Solution, Status

LOOK_AHEAD = 1000  # entries held at most while a batch is filled: a wall of bad lines must not fill the memory


class Entry(Protocol):
    """A puzzle of a file, or the error in its place, as `PuzzleEntry` has it; its solution where the file gives it."""

    @property
    def puzzle(self) -> CellProblem | PuzzleError: ...
    @property
    def solution(self) -> tuple[Any, ...] | None: ...
    @property
    def rating(self) -> str | None: ...
    @property
    def name(self) -> str | None: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def argument(self) -> int | None: ...


@dataclass(frozen=True)
class Verdict:
    """One entry of the input and what came of it: a Solution, or the error of an entry that cannot be read."""

    entry: Entry
    result: Solution | PuzzleError

    @property
    def puzzle(self) -> CellProblem:
        """The entry's puzzle; raises its PuzzleError where it cannot be read."""
        if isinstance(self.entry.puzzle, PuzzleError):
            raise self.entry.puzzle
        return self.entry.puzzle


def before_search(entry: Entry, seed: int = 0) -> Solution | PuzzleError | None:
    """The verdict on an entry that cannot be read or repeats a given, which needs no search; None on the others."""
    if isinstance(entry.puzzle, PuzzleError):
        return entry.puzzle
    return Solution.before_search(entry.puzzle, seed)


def in_order(
    entries: Iterable[Entry],
    solve: Callable[[Iterator[Problem]], Iterator[Solution]],
    *,
    seed: int = 0,
    reads: Callable[[Problem], bool] = lambda problem: True,
) -> Iterator[Verdict]:
    """Verdicts in input order: what `before_search` leaves goes to `solve`, which keeps order.

    `seed` is the one that `solve` uses: every Solution names it. A problem that `reads` refuses is UNKNOWN unsolved.
    """
    stream = iter(entries)
    waiting: deque[Entry | Verdict] = deque()  # an entry here is being solved
    ended = False

    def problems() -> Iterator[Problem]:
        nonlocal ended
        while len(waiting) < LOOK_AHEAD:
            entry = next(stream, None)
            if entry is None:
                ended = True
                return
            judged, started = before_search(entry, seed), time.monotonic()
            if judged is None and not isinstance(entry.puzzle, PuzzleError) and not reads(entry.puzzle):
                took = time.monotonic() - started
                judged = Solution(entry.puzzle, Status.UNKNOWN, seed=seed, seconds=took)
            waiting.append(entry if judged is None else Verdict(entry, judged))
            if judged is None and not isinstance(entry.puzzle, PuzzleError):
                yield entry.puzzle
            elif isinstance(waiting[0], Verdict):
                return  # nothing is being solved: give what is judged before reading on

    while not ended:
        for solution in solve(problems()):
            yield from _judged(waiting)
            entry = waiting.popleft()
            assert not isinstance(entry, Verdict)
            yield Verdict(entry, solution)
            yield from _judged(waiting)
        yield from _judged(waiting)


def _judged(waiting: deque[Entry | Verdict]) -> Iterator[Verdict]:
    while waiting and isinstance(waiting[0], Verdict):
        yield waiting.popleft()  # type: ignore[misc]
