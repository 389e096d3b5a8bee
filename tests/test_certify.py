"""Exact search against brute force, and against puzzles with known answers."""

from __future__ import annotations

import itertools
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dgsolve.certify import SolutionCount, certify, certify_graph, conflicting_slots, solutions
from dgsolve.errors import UsageError
from dgsolve.factor_graph import FactorGraph
from dgsolve.problems.grid import Grid
from dgsolve.problems.sudoku import Sudoku

CASES = Path(__file__).parents[2] / "shared" / "data" / "cases" / "sudoku.jsonl"
MIXED = Path(__file__).parents[2] / "shared" / "data" / "sudoku" / "hard_mix.csv"
MANY = ".1....7.....3..2...7...........71...6......4.3........4..5....3.2..8...........6."  # 10,106 solutions
IMPOSSIBLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def puzzle(line: str) -> Sudoku:
    return Sudoku(tuple(int(cell) if cell.isdigit() else 0 for cell in line))


def all_grids() -> list[tuple[int, ...]]:
    """All 4x4 Sudoku grids: every pair of rows whose two boxes are full, stacked on every other where columns are."""
    rows = list(itertools.permutations(range(1, 5)))
    bands = [u + v for u in rows for v in rows if all(len({*u[c : c + 2], *v[c : c + 2]}) == 4 for c in (0, 2))]
    stacked = (top + bottom for top in bands for bottom in bands)
    return [grid for grid in stacked if all(len(set(grid[column::4])) == 4 for column in range(4))]


@pytest.fixture(scope="module")
def grids() -> list[tuple[int, ...]]:
    found = all_grids()
    assert len(found) == 288
    return found


def matching(grids, givens):
    return {grid for grid in grids if all(given in (0, value) for given, value in zip(givens, grid, strict=True))}


def random_givens(rng, grids):
    """Part of a grid, with some cells changed at random so that often nothing fits."""
    kept = rng.choice((3, 4, 6, 8))
    givens = [0] * 16
    grid = rng.choice(grids)
    for slot in rng.sample(range(16), kept):
        givens[slot] = grid[slot]
    for slot in rng.sample(range(16), rng.choice((0, 0, 1, 2))):
        givens[slot] = rng.randint(1, 4)
    return tuple(givens)


def test_counts_and_conflicts_agree_with_brute_force(grids):
    rng = random.Random(7)
    seen = {status: 0 for status in SolutionCount}
    for _ in range(150):
        givens = random_givens(rng, grids)
        problem, right = Sudoku(givens), matching(grids, givens)
        certificate = certify(problem)
        expected = (SolutionCount.NONE, SolutionCount.ONE, SolutionCount.MANY)[min(len(right), 2)]
        seen[certificate.status] += 1
        assert certificate.status is expected
        assert {problem.decode(values) for values in certificate.solutions} <= right
        assert len(set(certificate.solutions)) == min(len(right), 2)
        if not right:
            assert_minimal_conflict(grids, givens, certificate)
    assert min(seen[status] for status in (SolutionCount.NONE, SolutionCount.ONE, SolutionCount.MANY)) >= 20


def assert_minimal_conflict(grids, givens, certificate):
    assert certificate.minimal
    assert certificate.conflicts
    only = [given if slot in certificate.conflicts else 0 for slot, given in enumerate(givens)]
    assert not matching(grids, only)
    for slot in certificate.conflicts:
        assert givens[slot]
        assert matching(grids, [0 if other == slot else given for other, given in enumerate(only)])


def test_every_solution_is_listed_once(grids):
    givens = (1, 2) + (0,) * 14
    found = [Sudoku(givens).decode(values) for values in solutions(Sudoku(givens))]
    assert len(found) == len(set(found))
    assert set(found) == matching(grids, givens)
    assert len(list(solutions(Sudoku(givens), 5))) == 5
    assert list(solutions(Sudoku((1, 1) + (0,) * 14))) == []


def test_pencil_marks_restrict(grids):
    open_cell = frozenset({1, 2, 3, 4})
    marks = (frozenset({3, 4}), frozenset({3, 4}), frozenset({3, 4})) + (open_cell,) * 13
    certificate = certify(Sudoku((0,) * 16, pencilmarks=marks))
    assert certificate.status is SolutionCount.NONE
    assert (certificate.conflicts, certificate.minimal) == ((0, 1, 2), True)
    right = {grid for grid in grids if grid[0] in (3, 4) and grid[1] in (3, 4)}
    two = Sudoku((0,) * 16, pencilmarks=marks[:2] + (open_cell,) * 14)
    assert {two.decode(values) for values in solutions(two)} == right


def test_the_given_values_of_a_sudoku():
    open_cell = frozenset({1, 2, 3, 4})
    marked = Sudoku((0, 3) + (0,) * 14, pencilmarks=(frozenset({1, 4}),) + (open_cell,) * 15)
    assert marked.given_values()[:3] == (frozenset({0, 3}), frozenset({2}), frozenset({0, 1, 2, 3}))
    assert certify(Sudoku.parse("1234........4321")).status is SolutionCount.ONE


def test_a_cell_without_candidates_has_no_solution():
    open_cell = frozenset({1, 2, 3, 4})
    certificate = certify(Sudoku((1,) + (0,) * 15, pencilmarks=(open_cell,) * 15 + (frozenset(),)))
    assert (certificate.status, certificate.conflicts) == (SolutionCount.NONE, (15,))


def test_repeated_givens_are_the_conflict():
    assert certify(puzzle("11" + "." * 79)).conflicts == (0, 1)


def test_rules_that_contradict_each_other_need_no_given():
    graph = FactorGraph(2, 2, ((0, 1), (2, 3), (0, 2), (0, 1, 2, 3)))
    certificate = certify_graph(graph, [{0, 1}, {0}])
    assert certificate.status is SolutionCount.NONE
    assert (certificate.conflicts, certificate.minimal) == ((), True)


def test_givens_that_only_the_judge_refuses_are_the_conflict():
    grid = Grid(1, 2, values=(0, 1), givens="00")
    grid.python(grid.names, function="builtins:any")
    certificate = certify(grid)
    assert (certificate.status, certificate.conflicts) == (SolutionCount.NONE, (0, 1))
    assert certificate.sentence.endswith("The conflict named may be larger than it needs to be.")


@pytest.mark.skipif(not CASES.exists(), reason="shared/data/cases/sudoku.jsonl is not beside the repository")
def test_all_reported_cases():
    expected = {
        "invalid_clues": SolutionCount.NONE,
        "no_solution": SolutionCount.NONE,
        "unique": SolutionCount.ONE,
        "multiple": SolutionCount.MANY,
    }
    for line in CASES.read_text().splitlines():
        case = json.loads(line)
        problem = puzzle(case["puzzle"])
        certificate = certify(problem)
        assert certificate.seconds < 10
        assert certificate.status is expected[case["expected"]], case["id"]
        assert bool(problem.given_faults()) == (case["expected"] == "invalid_clues"), case["id"]
        assert all(problem.check(problem.decode(values)).valid for values in certificate.solutions)
        if case["solution"]:
            assert problem.decode(certificate.solutions[0]) == puzzle(case["solution"]).givens
        assert certificate.minimal == (certificate.status is SolutionCount.NONE)


@pytest.mark.skipif(not MIXED.exists(), reason="shared/data/sudoku/hard_mix.csv is not beside the repository")
def test_hard_puzzles_have_one_solution():
    lines = MIXED.read_text().splitlines()[1:]
    for line in random.Random(3).sample(lines, 12):
        question, answer = line.split(",")[1:3]
        certificate = certify(puzzle(question))
        assert certificate.status is SolutionCount.ONE
        assert puzzle(question).decode(certificate.solutions[0]) == puzzle(answer).givens


def test_impossible_puzzle_names_a_conflict_that_every_given_of_it_needs():
    problem = puzzle(IMPOSSIBLE)
    certificate = certify(problem)
    assert certificate.minimal
    for slot in certificate.conflicts:
        kept = set(certificate.conflicts) - {slot}
        less = Sudoku(tuple(given if cell in kept else 0 for cell, given in enumerate(problem.givens)))
        assert certify(less, want=1).solutions


def test_large_grids():
    for size in (16, 25):
        empty = Sudoku((0,) * size**2)
        certificate = certify(empty)
        assert certificate.status is SolutionCount.MANY
        assert all(empty.check(empty.decode(values)).valid for values in certificate.solutions)
        twice = (7,) * 2 + (0,) * (size**2 - 2)
        assert certify(Sudoku(twice)).conflicts == (0, 1)


def test_time_limit_ends_without_a_claim():
    certificate = certify(puzzle(IMPOSSIBLE), time_limit=0)
    assert certificate.status is SolutionCount.UNKNOWN
    assert certificate.conflicts == ()
    problem = puzzle(IMPOSSIBLE)
    conflict, minimal = conflicting_slots(problem.factor_graph(), problem.given_values(), time_limit=0)
    assert (len(conflict), minimal) == (17, False)
    started = time.monotonic()
    assert len(list(solutions(puzzle("." * 81), time_limit=0.3))) > 1
    assert time.monotonic() - started < 3


def test_want_one_stops_at_the_first():
    certificate = certify(puzzle(MANY), want=1)
    assert (certificate.status, len(certificate.solutions)) == (SolutionCount.UNKNOWN, 1)
    assert len(certify(puzzle(MANY), want=7).solutions) == 7


def test_same_puzzle_same_certificate():
    first, second = certify(puzzle(MANY)), certify(puzzle(MANY))
    assert (first.status, first.solutions) == (second.status, second.solutions)


def test_misuse():
    with pytest.raises(UsageError, match="want must be 1 or more, got 0"):
        certify(puzzle(MANY), want=0)

    class Untold(Sudoku):
        def given_values(self):
            return None

    with pytest.raises(UsageError, match="does not know the rules of 9x9 Sudoku, 16 givens"):
        certify(Untold(puzzle(MANY).givens))


def test_sentences():
    assert certify(puzzle(MANY)).sentence == "Proven: there is more than one solution."
    assert certify(puzzle(IMPOSSIBLE)).sentence == "Proven: there is no solution."


@contextmanager
def python(code: str) -> Iterator[subprocess.Popen[str]]:
    start = (
        "import signal\nfrom dgsolve.problems.sudoku import Sudoku\nfrom dgsolve.certify import certify, solutions\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # in a job in the background it is ignored
    )
    with subprocess.Popen([sys.executable, "-c", start + code], stdout=subprocess.PIPE, text=True) as run:
        yield run
        try:
            run.wait(timeout=20)
        finally:
            run.kill()


def test_an_unread_search_does_not_keep_python_alive():
    with python("found = solutions(Sudoku((0,) * 81)); print(len(next(found)))") as run:
        assert run.stdout.read() == "81\n"
    assert run.returncode == 0


def test_ctrl_c_reaches_the_caller():
    code = (
        "try:\n    for values in solutions(Sudoku((0,) * 81)): print('found', flush=True)\n"
        "except KeyboardInterrupt:\n    print('stopped', flush=True)"
    )
    with python(code) as run:
        assert run.stdout.readline() == "found\n"
        run.send_signal(signal.SIGINT)
        assert run.stdout.read().endswith("stopped\n")
    assert run.returncode == 0


def test_no_torch():
    with python("import sys\ncertify(Sudoku((0,) * 16)); print('torch' in sys.modules)") as run:
        assert run.stdout.read() == "False\n"
