"""One benchmark over its sets: solve what is not done, keep every result, time exact search beside it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from dgsolve.bench.ablations import FULL, rows_of
from dgsolve.bench.exact_speed import exact_speed
from dgsolve.bench.memory import peak_mb
from dgsolve.bench.plan import Plan
from dgsolve.bench.puzzles import Puzzles, parts_of
from dgsolve.bench.record import Record, unreadable
from dgsolve.bench.store import Store
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import PuzzleError
from dgsolve.loop import solve_many
from dgsolve.problem import Problem
from dgsolve.sampling.settings import Sampling
from dgsolve.solution import Solution
from dgsolve.verdicts import Entry, Verdict, before_search, in_order

WARM_PUZZLES, WARM_STEPS = 8, 2


class BenchRun:
    """Diffusion alone over every puzzle of every row; what the store holds is not solved again."""

    def __init__(self, plan: Plan, sets: Sequence[Puzzles], store: Store, denoiser: Denoiser) -> None:
        self.plan, self.sets, self.store, self.denoiser = plan, sets, store, denoiser
        self.rows = rows_of(plan, denoiser.sampling)

    def left(self, puzzle_set: Puzzles) -> int:
        """Results that a set still lacks, over all rows."""
        return sum(len(part) - self._done(part, row) for part in parts_of(puzzle_set) for row in self.rows)

    def solve(self, puzzle_set: Puzzles, on_result: Callable[[Record], None]) -> None:
        """Solve what is left of a set, part by part, row by row; each result is kept, then handed to `on_result`."""
        if puzzle_set.parts and self.left(puzzle_set):
            self._warm_up(_spread(puzzle_set.parts), self.rows[FULL])
        for part in parts_of(puzzle_set):
            for entry in part.unreadable[self.store.unread[part.name] :]:
                self.store.add_unreadable(part.name, unreadable(entry))
            for row, sampling in self.rows.items():
                done = self._done(part, row)
                if done < len(part) and not puzzle_set.parts:
                    self._warm_up(islice(part, done, done + WARM_PUZZLES), sampling)
                if done < len(part):
                    self._solve_row(part, row, sampling, on_result)
            if self.plan.cpsat and len(part) and part.name not in self.store.cpsat:
                self.store.add_cpsat(part.name, exact_speed(part, self.plan.seed))

    def _done(self, puzzle_set: Puzzles, row: str) -> int:
        return self.store.tallies[puzzle_set.name, row].puzzles

    def _solve_row(
        self, puzzle_set: Puzzles, row: str, sampling: Sampling, on_result: Callable[[Record], None]
    ) -> None:
        """The results come in the order of the set, so those that are done are the first ones."""
        left = islice(puzzle_set, self._done(puzzle_set, row), None)
        verdicts = in_order(
            left, lambda problems: self._solved(problems, sampling), seed=self.plan.seed, reads=self.denoiser.reads
        )
        for verdict, wall in _timed(verdicts):
            if isinstance(verdict.result, PuzzleError):
                raise verdict.result
            if _cut_short(verdict.result):  # a resumed run counts on from here, so what waited behind it is left too
                raise KeyboardInterrupt
            record = Record.of((puzzle_set.name, row), verdict.entry, verdict.result, wall)
            self.store.add(record)
            on_result(record)
        self.store.end(puzzle_set.name, row, peak_mb())

    def _solved(self, problems: Iterable[Problem], sampling: Sampling) -> Iterator[Solution]:
        return solve_many(
            problems,
            self.denoiser,
            sampling=sampling,
            seed=self.plan.seed,
            time_limit=self.plan.time_limit,
            batch_canvases=self.plan.batch,
        )

    def _warm_up(self, entries: Iterable[Entry], sampling: Sampling) -> None:
        """A few steps on the first puzzles, thrown away: tables, threads and caches are ready when the clock starts."""
        few = replace(sampling, max_denoising_steps=WARM_STEPS)
        problems: list[Any] = [entry.puzzle for entry in entries if before_search(entry) is None]
        for _ in self._solved(problems, few):
            pass


def _spread(parts: Sequence[Puzzles]) -> Iterator[Entry]:
    """One puzzle of each of a few kinds: a kind may have no more, and its time is to be that of a puzzle not seen."""
    some = [part for part in parts if len(part)]
    for part in some[:: -(-len(some) // WARM_PUZZLES) or 1]:
        yield next(iter(part))


def _cut_short(solution: Solution) -> bool:
    """Whether Ctrl-C came before its puzzle was done: `solve_many` still hands it out."""
    return solution.interrupted


def _timed(verdicts: Iterator[Verdict]) -> Iterator[tuple[Verdict, float]]:
    """Each verdict with the seconds that getting it took; what the caller does in between is not counted."""
    while True:
        started = time.monotonic()
        verdict = next(verdicts, None)
        if verdict is None:
            return
        yield verdict, time.monotonic() - started
