"""What the loop carries for each problem and each canvas."""

import time

import torch

from dgsolve.denoisers.base import IndexVocabulary
from dgsolve.problems.sudoku import Sudoku
from dgsolve.rows import Job, Rows
from dgsolve.solution import Status

PUZZLE = Sudoku.parse("1.3. ..2. .1.. 4...")
DRAFT = [0, 1, 2, 3, 2, 3, 1, 0, 1, 0, 3, 2, 3, 2, 0, 1]


def job() -> Job:
    canvas = PUZZLE.canvas(IndexVocabulary(4))
    return Job(3, PUZZLE, canvas, canvas.locked, seed=11)


def test_only_a_draft_that_passes_the_check_is_accepted():
    solution = job().accept(DRAFT, [0.5] * 16, steps=4)
    assert solution is not None and solution.status is Status.FEASIBLE
    assert solution.answer == tuple(value + 1 for value in DRAFT) and solution.found_by == "diffusion"
    assert (solution.steps, solution.seed, solution.first_step_valid) == (4, 11, False)
    assert solution.confidence == (0.5,) * 16
    assert job().accept(DRAFT[::-1], [0.5] * 16, steps=4) is None  # a right grid, but not with these givens


def test_the_first_step_is_told_apart():
    solution = job().accept(DRAFT, [1.0] * 16, steps=1)
    assert solution is not None and solution.first_step_valid


def test_the_clock_starts_with_the_canvas():
    waiting = job()
    assert not waiting.late and not waiting.give_up(48).timed_out
    waiting.start(None)
    assert not waiting.late
    waiting.start(-1.0)
    assert waiting.late
    given_up = waiting.give_up(5)
    assert (given_up.status, given_up.timed_out, given_up.steps, given_up.answer) == (Status.UNKNOWN, True, 5, None)
    waiting.start(60.0)
    assert not waiting.late and 0 <= time.monotonic() - waiting.started < 60


def rows(job: list[int], canvas: list[int], starts: list[int], seeds: list[int]) -> Rows:
    size = len(job)
    numbers = (torch.tensor(column) for column in (job, canvas, [7] * size, starts, seeds))
    return Rows.fresh(*numbers, torch.zeros(size, 4, dtype=torch.long), torch.ones(size, 4, dtype=torch.bool))


def test_fresh_rows_keep_the_step_and_start_everything_else():
    fresh = rows([5, 6], [0, 2], [0, 1], [9, 9])
    assert fresh.step.tolist() == [7, 7] and fresh.age.tolist() == fresh.stable.tolist() == [0, 0]
    assert (fresh.mode == -1).all() and fresh.keep.all()


def test_random_numbers_are_of_seed_canvas_and_start_and_not_of_the_job():
    drawn = rows([1, 2, 3, 4, 5], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [9, 9, 9, 9, 9]).stream.bits((4,))
    assert torch.equal(drawn[0], drawn[1])
    assert len({tuple(row) for row in drawn.tolist()}) == 4
    other_seed = rows([1], [0], [0], [8]).stream.bits((4,))
    assert not torch.equal(other_seed[0], drawn[0])
