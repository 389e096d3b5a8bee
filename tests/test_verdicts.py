"""Verdicts come in the order of the input, and the stream is never held whole."""

from collections.abc import Iterator

from dgsolve import Sudoku, verdicts
from dgsolve.errors import PuzzleError
from dgsolve.problem import Problem
from dgsolve.puzzle_files import PuzzleEntry
from dgsolve.solution import Solution, Status
from dgsolve.verdicts import in_order

GOOD = Sudoku.parse(".2.....24.....3.")


def entry(line: int, good: bool) -> PuzzleEntry:
    return PuzzleEntry(GOOD if good else PuzzleError("bad"), line=line)


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
        found = list(in_order(entries, in_batches(size)))
        assert [verdict.entry.line for verdict in found] == list(range(len(pattern)))
        assert [isinstance(verdict.result, Solution) for verdict in found] == pattern


def test_nothing_to_solve_and_nothing_at_all() -> None:
    assert [v.entry.line for v in in_order([entry(0, False)], in_batches(4))] == [0]
    assert list(in_order([], in_batches(4))) == []


def test_verdicts_appear_before_the_stream_is_read_to_its_end() -> None:
    read = []

    def stream() -> Iterator[PuzzleEntry]:
        for line in range(100):
            read.append(line)
            yield entry(line, True)

    found = in_order(stream(), in_batches(4))
    next(found)
    assert len(read) <= 5


def test_bad_entries_do_not_wait_for_a_good_one() -> None:
    read = []

    def stream() -> Iterator[PuzzleEntry]:
        for line in range(100):
            read.append(line)
            yield entry(line, False)

    assert next(in_order(stream(), in_batches(4))).entry.line == 0
    assert read == [0]


def test_a_wall_of_bad_lines_is_not_held(monkeypatch) -> None:
    monkeypatch.setattr(verdicts, "LOOK_AHEAD", 10)
    read = []

    def stream() -> Iterator[PuzzleEntry]:
        for line in range(1000):
            read.append(line)
            yield entry(line, line == 0)

    found = in_order(stream(), in_batches(8))
    assert isinstance(next(found).result, Solution)
    assert len(read) <= 10
    assert [verdict.entry.line for verdict in found] == list(range(1, 1000))


def test_a_repeated_given_is_judged_before_any_search() -> None:
    repeated = PuzzleEntry(Sudoku.parse("11.............."), line=0)
    found = list(in_order([repeated, entry(1, True)], in_batches(4), seed=7))
    assert [verdict.result.status for verdict in found] == [Status.MODEL_INVALID, Status.UNKNOWN]
    assert (found[0].result.solutions, found[0].result.seed, found[0].result.faults[0].slots) == ("none", 7, (0, 1))
