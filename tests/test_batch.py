"""Canvases that join, start again and leave."""

from dataclasses import replace

import pytest
import torch

from dgsolve import solve
from dgsolve.batch import Batch
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.problems.sudoku import Sudoku
from dgsolve.rows import Job
from dgsolve.sampling.drafting import Draft
from dgsolve.sampling.settings import Sampling

MINIMAL = Sudoku.parse("3..27...4......97..8.......2....9.....3.2..5......5.31.....8...89...3.....59....3")
OPEN = Sudoku((0,) * 16)  # the random denoiser's draft is all ones: a fault in every slot


def job(number: int, propagate: bool = True) -> Job:
    canvas = OPEN.canvas(RandomDenoiser().vocabulary(OPEN), propagate=propagate)
    return Job(number, OPEN, canvas, canvas.locked, seed=0)


def batch_of(count: int, **options) -> Batch:
    batch = Batch(OPEN, RandomDenoiser(), Sampling(**options))
    batch.add([job(number) for number in range(count)])
    return batch


def test_a_scout_goes_alone_then_the_others_join_each_with_its_supposition():
    batch = batch_of(2, scout_steps=2, attempts=8, suppose_slots=1, patience=50)  # and two more: the grid is open
    batch.step()
    assert len(batch) == 2 and not batch.canvas.locked.any()
    batch.step()
    assert len(batch) == 16
    for number in (0, 1):
        mine = batch.rows.job == number
        assert sorted(batch.rows.canvas[mine].tolist()) == list(range(8))
        assert batch.rows.step[mine].tolist() == [2] * 8 and batch.rows.starts[mine].tolist() == [1] * 8
        assert len({tuple(row) for row in batch.canvas.tokens[mine].tolist()}) == 8
        assert (batch.canvas.locked[mine].sum(1) >= 1).all()
        assert batch.jobs[number].canvases == 8
    first, second = (batch.canvas.tokens[batch.rows.job == number] for number in (0, 1))
    assert torch.equal(first, second)  # equal puzzles with equal seeds


def test_canvases_of_one_start_cover_all_values_of_the_same_slots():
    batch = Batch(OPEN, RandomDenoiser(), Sampling(scout_steps=1, attempts=8, suppose_slots=1, patience=2))
    batch.add([job(0, propagate=False)])
    supposed = []
    for _ in range(2):
        batch.step()
        assert (batch.canvas.locked == batch.canvas.locked[0]).all() and batch.canvas.locked[0].sum() == 3
        supposed.append(batch.canvas.locked[0])
        assert len({tuple(row) for row in batch.canvas.tokens[:, batch.canvas.locked[0]].tolist()}) == 8
        batch.step()
    assert not torch.equal(*supposed)  # another start supposes about other slots


def test_without_suppositions_the_canvases_differ_by_noise_alone():
    batch = batch_of(1, scout_steps=1, attempts=3, suppose=False)
    batch.step()
    assert len(batch) == 3 and not batch.canvas.locked.any()
    noise = batch.denoiser.noise(batch.canvas, batch.vocabulary, batch.rows.stream.fork_rows(batch.rows.age))
    assert len({tuple(row) for row in noise.tolist()}) == 3


def test_a_canvas_starts_again_after_its_patience():
    batch = batch_of(1, scout_steps=1, attempts=1, patience=3, suppose_slots=1)
    starts = []
    for _ in range(8):
        batch.step()
        starts.append(batch.rows.starts.tolist())
    assert starts == [[1], [1], [1], [2], [2], [2], [3], [3]]


def test_all_leave_when_the_steps_are_spent():
    batch = Batch(OPEN, RandomDenoiser(), Sampling(max_denoising_steps=5, scout_steps=2, attempts=4, suppose=False))
    batch.add([job(0), job(1)])
    batch.step()
    batch.add([job(2)])
    done = [[each.number for each in batch.step()] for _ in range(5)]
    assert done == [[], [], [], [0, 1], [2]]
    assert len(batch) == 0 and batch.jobs == {}


def test_of_each_problem_the_canvas_with_the_fewest_faulty_slots_is_shown():
    shown = []
    batch = Batch(OPEN, RandomDenoiser(), Sampling(scout_steps=1, attempts=3), lambda *frame: shown.append(frame))
    batch.add([job(4), job(7)])
    batch.step()
    assert [(number, frame.canvas, frame.step) for number, frame in shown] == [(4, 0, 1), (7, 0, 1)]
    shown.clear()
    faulty = torch.zeros(6, 16, dtype=torch.bool)
    entropy = torch.full((6, 16), 9.0)  # more than any number of faulty slots here
    ours = (batch.rows.job == 4).nonzero().flatten()
    faulty[ours[0], 0] = faulty[ours[2], 0] = True
    entropy[ours[0]] = 0.0
    even = torch.full((6, 16), 0.25)
    tokens = torch.zeros(6, 16, dtype=torch.long)
    draft = Draft(tokens, tokens, even, entropy, faulty, torch.zeros(6, dtype=torch.long))
    batch.rows = replace(batch.rows, mode=draft.tokens)
    batch._show(draft, faulty, torch.zeros(6, dtype=torch.bool))
    assert [(number, frame.canvas) for number, frame in shown] == [(4, int(batch.rows.canvas[ours[1]])), (7, 0)]
    assert not any(shown[0][1].faulty)


class Listening(RandomDenoiser):
    """Keeps the tokens of every step."""

    def __init__(self):
        self.heard = []

    def denoise(self, tokens, state):
        self.heard.append(tokens)
        return super().denoise(tokens, state)


@pytest.mark.parametrize("locks", [True, False])
def test_givens_are_on_the_first_canvas_and_stay_there_if_locked(locks):
    denoiser, puzzle = Listening(), MINIMAL
    solve(puzzle, denoiser, locks=locks, max_denoising_steps=12, scout_steps=12, patience=12)
    given = torch.tensor(puzzle.givens) > 0
    right = torch.tensor(puzzle.givens)[given] - 1
    kept = [bool((tokens[0, given] == right).all()) for tokens in denoiser.heard]
    assert kept == [True] + [locks] * 11
    assert len({tuple(tokens[0, ~given].tolist()) for tokens in denoiser.heard}) == 12  # fresh noise at every step


def test_renoise_none_keeps_the_first_noise():
    denoiser = Listening()
    solve(MINIMAL, denoiser, renoise="none", max_denoising_steps=6, scout_steps=6)
    assert all(torch.equal(tokens, denoiser.heard[0]) for tokens in denoiser.heard) and len(denoiser.heard) == 6


def test_where_most_is_undecided_more_slots_are_supposed():
    """To the random denoiser all 16 slots of an open grid are undecided: 8 beyond half, so two more than asked for."""
    batch = Batch(OPEN, RandomDenoiser(), Sampling(scout_steps=1, attempts=4, suppose_slots=1))
    batch.add([job(0, propagate=False)])
    batch.step()
    assert batch.canvas.locked.sum(1).tolist() == [3] * 4
