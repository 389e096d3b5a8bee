"""Verdicts come in the order of the input, and the stream is never held whole."""

from collections.abc import Iterator

from dgsolve import Sudoku
from dgsolve.cli import in_order as module
from dgsolve.cli.in_order import in_order
from dgsolve.errors import PuzzleError
from dgsolve.problem import Problem
from dgsolve.puzzle_files import PuzzleEntry
from dgsolve.solution import Solution, Status

GOOD = Sudoku.parse(".2.....24.....3.")


def entry(line: int, good: bool) -> PuzzleEntry:
    return PuzzleEntry(GOOD if good else PuzzleError("bad"), line=line)


def at_once(item: PuzzleEntry) -> PuzzleError | None:
    return item.puzzle if isinstance(item.puzzle, PuzzleError) else None


def in_batches(size: int):
    """A solver that reads `size` problems before it answers any."""

    def solve(problems: Iterator[Problem]) -> Iterator[Solution]:
        held = []
        for problem in problems:
            held.append(problem)
            if len(held) == size:
                yield from (Solution(problem, Status.UNKNOWN) for problem in held)
                held = []
        yield from (Solution(problem, Status.UNKNOWN) for problem in held)

    return solve


def test_good_and_bad_keep_their_places() -> None:
    pattern = [True, False, False, True, True, False, True, False]
    for size in (1, 2, 3, 10):
        entries = [entry(line, good) for line, good in enumerate(pattern)]
        verdicts = list(in_order(entries, at_once, in_batches(size)))
        assert [verdict.entry.line for verdict in verdicts] == list(range(len(pattern)))
        assert [isinstance(verdict.result, Solution) for verdict in verdicts] == pattern


def test_nothing_to_solve_and_nothing_at_all() -> None:
    assert [v.entry.line for v in in_order([entry(0, False)], at_once, in_batches(4))] == [0]
    assert list(in_order([], at_once, in_batches(4))) == []


def test_verdicts_appear_before_the_stream_is_read_to_its_end() -> None:
    read = []

    def stream() -> Iterator[PuzzleEntry]:
        for line in range(100):
            read.append(line)
            yield entry(line, True)

    verdicts = in_order(stream(), at_once, in_batches(4))
    next(verdicts)
    assert len(read) <= 5


def test_bad_entries_do_not_wait_for_a_good_one() -> None:
    read = []

    def stream() -> Iterator[PuzzleEntry]:
        for line in range(100):
            read.append(line)
            yield entry(line, False)

    assert next(in_order(stream(), at_once, in_batches(4))).entry.line == 0
    assert read == [0]


def test_a_wall_of_bad_lines_is_not_held(monkeypatch) -> None:
    monkeypatch.setattr(module, "LOOK_AHEAD", 10)
    read = []

    def stream() -> Iterator[PuzzleEntry]:
        for line in range(1000):
            read.append(line)
            yield entry(line, line == 0)

    verdicts = in_order(stream(), at_once, in_batches(8))
    assert isinstance(next(verdicts).result, Solution)
    assert len(read) <= 10
    assert [verdict.entry.line for verdict in verdicts] == list(range(1, 1000))
