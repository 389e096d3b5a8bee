"""The loop: answers that brute force knows, the same ones in any company, and streams of any length."""

import gc
import itertools
import random
import weakref
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

import dgsolve
from dgsolve import Sampling, Status, Sudoku, UsageError, loop, solve, solve_many, steps
from dgsolve.batch import Batch
from dgsolve.denoisers.base import Denoiser
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import ModelUnavailableError
from dgsolve.weights import adapter_path

LINES = (  # generated here, each with one solution
    ".3....4.....1..2",
    ".......21....43.",
    "...3.3.2....1...",
    ".1.........24.....6234....4..62..1..",
    ".2.5.......14....35.3...6..1.4......",
    "3..27...4......97..8.......2....9.....3.2..5......5.31.....8...89...3.....59....3",
    "2.7.914.8..........5.............257398.7......5....9...168.94.8.9..7............",
)
PUZZLES = [Sudoku.parse(line) for line in LINES]
FULL = Sudoku.parse("1234341221434321")
HOPELESS = Sudoku.parse("......34...23...")  # no solution, though every cell has a candidate left
NOISE = RandomDenoiser()


@pytest.fixture(scope="module")
def relational() -> Denoiser:
    try:
        return dgsolve.load("relational")
    except ModelUnavailableError as error:
        pytest.skip(str(error))


@cache
def all_grids() -> tuple[tuple[int, ...], ...]:
    """All 4x4 Sudoku grids, by trying every row under every other."""
    rows = list(itertools.permutations(range(1, 5)))
    bands = [u + v for u in rows for v in rows if all(len({*u[c : c + 2], *v[c : c + 2]}) == 4 for c in (0, 2))]
    stacked = (top + bottom for top in bands for bottom in bands)
    return tuple(grid for grid in stacked if all(len(set(grid[column::4])) == 4 for column in range(4)))


def right_answers(puzzle: Sudoku) -> set[tuple[int, ...]]:
    return {grid for grid in all_grids() if all(g in (0, value) for g, value in zip(puzzle.givens, grid, strict=True))}


def random_puzzles(count: int, seed: int, spoiled: bool = True) -> list[Sudoku]:
    """Parts of 4x4 grids, a third of them with a given that was changed."""
    rng, puzzles = random.Random(seed), []
    for index in range(count):
        grid, givens = rng.choice(all_grids()), [0] * 16
        for slot in rng.sample(range(16), rng.choice((3, 4, 5, 7))):
            givens[slot] = grid[slot]
        if spoiled and index % 3 == 0:
            slot = rng.choice([slot for slot, given in enumerate(givens) if given])
            givens[slot] = givens[slot] % 4 + 1
        puzzles.append(Sudoku(tuple(givens)))
    return puzzles


def outcome(solution):
    """All that must not depend on the company; seconds do."""
    return replace(solution, seconds=0.0, confidence=(), trace=())


def assert_judged_right(solutions):
    for solution in solutions:
        invalid = bool(solution.problem.given_faults())
        assert solution.status in ((Status.MODEL_INVALID,) if invalid else (Status.FEASIBLE, Status.UNKNOWN))
        if solution.status is Status.FEASIBLE:
            assert solution.answer in right_answers(solution.problem)
            assert solution.found_by == "diffusion" and len(solution.confidence) == 16
        else:
            assert solution.answer is None and solution.found_by is None
            assert solution.solutions == ("none" if invalid else "unknown")


def test_answers_are_those_of_brute_force(relational):
    assert len(all_grids()) == 288
    puzzles = random_puzzles(45, seed=1)
    solutions = list(solve_many(puzzles, relational, seed=3))
    assert [solution.problem for solution in solutions] == puzzles
    assert_judged_right(solutions)
    solvable = [bool(right_answers(puzzle)) for puzzle in puzzles]
    solved = [solution.status is Status.FEASIBLE for solution in solutions]
    assert solved == solvable and 5 < sum(solvable) < 45


def test_rules_alone_answer_small_puzzles_too():
    puzzles = random_puzzles(30, seed=2)
    solutions = list(solve_many(puzzles, NOISE))
    assert_judged_right(solutions)
    assert sum(solution.status is Status.FEASIBLE for solution in solutions) >= 10


def test_an_answer_does_not_depend_on_the_company(relational):
    puzzles = PUZZLES[:5] + random_puzzles(4, seed=4)
    alone = [outcome(solve(puzzle, relational, seed=5)) for puzzle in puzzles]
    assert any(solution.steps > 1 for solution in alone)
    together = [outcome(solution) for solution in solve_many(puzzles, relational, seed=5)]
    few = [outcome(solution) for solution in solve_many(puzzles, relational, seed=5, batch_canvases=2)]
    backwards = [outcome(solution) for solution in solve_many(puzzles[::-1], relational, seed=5)][::-1]
    assert together == few == backwards == alone
    assert [outcome(solve(puzzle, relational, seed=5)) for puzzle in puzzles[:2]] == alone[:2]


def test_canvases_that_start_again_do_not_depend_on_the_company_either():
    puzzles = [*random_puzzles(5, seed=6, spoiled=False), Sudoku((0,) * 16), PUZZLES[0]]
    alone = [outcome(solve(puzzle, NOISE, seed=1)) for puzzle in puzzles]
    assert sum(solution.restarts > 8 for solution in alone) >= 3
    for order, size in ((range(7), 32), (range(6, -1, -1), 3), (range(7), 1)):
        solved = solve_many([puzzles[k] for k in order], NOISE, seed=1, batch_canvases=size)
        assert [outcome(solution) for solution in solved] == [alone[k] for k in order]
    assert [outcome(solve(puzzle, NOISE, seed=2)) for puzzle in puzzles] != alone


def test_mixed_shapes_keep_their_order(relational):
    order = [0, 5, 3, 1, 6, 4, 2]
    solutions = list(solve_many([PUZZLES[k] for k in order], relational))
    assert [solution.problem for solution in solutions] == [PUZZLES[k] for k in order]
    assert all(solution.status is Status.FEASIBLE for solution in solutions)
    for solution in solutions:
        assert solution.problem.check(solution.answer).valid


def test_problems_are_read_no_further_than_needed():
    read = []

    def endless():
        for number in itertools.count():
            read.append(number)
            yield FULL

    solutions = solve_many(endless(), NOISE, batch_canvases=3)
    assert read == []
    lengths = []
    for _ in range(7):
        assert next(solutions).status is Status.FEASIBLE
        lengths.append(len(read))
    assert lengths == [4, 4, 4, 7, 7, 7, 10]  # three canvases, and one puzzle to see whether its shape fits


def test_batches_empty_and_memory_stays_flat(monkeypatch):
    batches, alive, most = [], weakref.WeakSet(), 0

    class Recorded(Batch):
        def __init__(self, *args):
            super().__init__(*args)
            batches.append(self)

    def stream():
        for index in range(32):
            puzzle = Sudoku((*FULL.givens[: 16 - index % 5], *(0,) * (index % 5)))
            alive.add(puzzle)
            yield puzzle

    monkeypatch.setattr(loop, "Batch", Recorded)
    for number, _ in enumerate(solve_many(stream(), NOISE, batch_canvases=4, keep_trace=True)):
        if number % 8 == 7:
            gc.collect()
            most = max(most, len(alive), *(len(batch.jobs) for batch in batches))
    assert 4 <= most <= 12
    assert batches and all(len(batch) == 0 and batch.jobs == {} for batch in batches)


def test_no_problems_no_solutions():
    assert list(solve_many([], NOISE)) == []


def test_a_time_limit_is_told():
    solution = solve(HOPELESS, NOISE, time_limit=0.05, max_denoising_steps=10**6)
    assert (solution.status, solution.timed_out, solution.answer) == (Status.UNKNOWN, True, None)
    assert 0.05 <= solution.seconds < 20 and solution.steps >= 1
    unlimited = solve(HOPELESS, NOISE, max_denoising_steps=9)
    assert (unlimited.status, unlimited.timed_out, unlimited.steps) == (Status.UNKNOWN, False, 9)


def test_the_clock_of_a_problem_starts_with_it():
    late = [HOPELESS, HOPELESS, FULL]
    solutions = list(solve_many(late, NOISE, time_limit=0.05, max_denoising_steps=10**6, batch_canvases=1))
    assert [solution.timed_out for solution in solutions] == [True, True, False]


def test_steps_are_counted_and_end_with_the_answer():
    puzzle = next(p for p in random_puzzles(20, seed=6, spoiled=False) if solve(p, NOISE).steps > 8)
    solution = solve(puzzle, NOISE)
    frames = list(steps(puzzle, NOISE))
    assert [frame.step for frame in frames] == list(range(1, solution.steps + 1))
    assert all(frame.solution().status is Status.UNKNOWN for frame in frames[:-1])
    last = frames[-1].solution()
    assert (last.status, last.answer, last.canvases) == (Status.FEASIBLE, solution.answer, solution.canvases)
    for frame in frames:
        assert frame.faulty == tuple(puzzle.faulty_slots(np.array([frame.values]))[0].tolist())
        assert frame.locked == tuple(given > 0 for given in puzzle.givens)
    assert len(list(steps(HOPELESS, NOISE, max_denoising_steps=7))) == 7
    with pytest.raises(UsageError, match="time_limit"):
        next(steps(puzzle, NOISE, time_limit=1))


def test_a_trace_is_of_its_problem_alone():
    hard = [p for p in random_puzzles(20, seed=6, spoiled=False) if solve(p, NOISE).steps > 8][:2]
    problems = [hard[0], FULL, hard[1], hard[0]]  # one of them twice
    seen = []
    together = list(solve_many(problems, NOISE, keep_trace=True, on_frame=seen.append))
    for solution in together:
        assert [frame.step for frame in solution.trace] == list(range(1, solution.steps + 1))
        assert all(frame.problem is solution.problem for frame in solution.trace)
        alone = solve(solution.problem, NOISE, keep_trace=True)
        assert [replace(f, seconds=0) for f in solution.trace] == [replace(f, seconds=0) for f in alone.trace]
    assert len(seen) == sum(len(solution.trace) for solution in together)
    assert solve(FULL, NOISE).trace == ()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: list(solve_many([FULL], NOISE, stepz=3)), "unknown option 'stepz'"),
        (lambda: solve(FULL, NOISE, attempts=0), r"attempts=0"),
        (lambda: solve(FULL, NOISE, on_frame=3), r"on_frame=3: write a function"),
        (lambda: solve(FULL, NOISE, batch_canvases=0), r"batch_canvases=0: it must be at least 1"),
        (lambda: next(steps(FULL, NOISE, stepz=3)), "stepz"),
        (lambda: solve(FULL, NOISE, sampling={"draw": True}), r"sampling=.*: write sampling=Sampling\(\.\.\.\)"),
        (lambda: solve(FULL, "magic"), "no model called 'magic'"),
        (lambda: dgsolve.load("no/such/folder"), "there is no folder no/such/folder"),
    ],
)
def test_options_that_mean_nothing_are_named(call, said):
    with pytest.raises(UsageError, match=said):
        call()


def test_options_by_name_come_after_the_sampling():
    solution = solve(HOPELESS, NOISE, sampling=Sampling(max_denoising_steps=9, attempts=2), max_denoising_steps=8)
    assert (solution.steps, solution.canvases) == (8, 2)


ABLATIONS = [
    {"renoise": "rejected"},
    {"renoise": "none"},
    {"carry": False},
    {"feedback": False},
    {"suppose": False},
    {"locks": False},
    {"propagate": False},
    {"attempts": 1},
    {"confidence": 0.9},
    {"renoise": "rejected", "feedback": False, "locks": False, "propagate": False},
]


@pytest.mark.parametrize("options", ABLATIONS, ids=str)
@pytest.mark.parametrize("name", ["random", "relational"])
def test_ablations_run_and_never_give_a_wrong_answer(name, options, request):
    denoiser = NOISE if name == "random" else request.getfixturevalue("relational")
    puzzles = [FULL, *random_puzzles(5, seed=8)]
    solutions = list(solve_many(puzzles, denoiser, max_denoising_steps=20, **options))
    assert [solution.problem for solution in solutions] == puzzles
    assert_judged_right(solutions)
    if options.get("locks", True):
        assert solutions[0].status is Status.FEASIBLE
    if options.get("feedback") is False or options.get("attempts") == 1:
        assert {solution.canvases for solution in solutions if solution.steps} == {1}


def test_load_takes_names_and_folders_of_weights(relational):
    folder = adapter_path("relational")
    for name in ("auto", str(folder)):
        found = dgsolve.load(name)
        assert found.name == "relational"
        for mine, theirs in zip(found.network.parameters(), relational.network.parameters(), strict=True):
            assert torch.equal(mine, theirs)
    assert solve(PUZZLES[0], str(folder)).status is Status.FEASIBLE


def test_a_registered_name_comes_before_a_folder(tmp_path, monkeypatch):
    (tmp_path / "random").mkdir()
    (tmp_path / "random" / "model.safetensors").touch()
    monkeypatch.chdir(tmp_path)
    assert dgsolve.load("random").name == "random"
