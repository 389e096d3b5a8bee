"""Training of the relational denoiser, at a size that takes a second."""

import copy
import json
import math
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from dgsolve.denoisers.relational import RelationalDenoiser
from dgsolve.errors import ModelUnavailableError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.train import sudoku_puzzles
from dgsolve.train.lanes import Lane, PuzzlePool
from dgsolve.train.pools import PoolPlan, prepare
from dgsolve.train.relational import rate_factor, train, train_step
from dgsolve.train.settings import TrainingSettings
from dgsolve.train.state import TrainingState

TINY = TrainingSettings(
    hidden=8, message=8, iterations=4, segments=3, batch=16, learning_rate=1e-2, matrix_rate=1e-2, warmup_steps=1
)


@pytest.fixture(scope="module")
def pool() -> sudoku_puzzles.Pool:
    puzzles, solutions = sudoku_puzzles.minimal_puzzles(40, 2, 2, seed=0)
    return sudoku_puzzles.Pool(puzzles, solutions, np.arange(40, dtype=np.float32), 2, 2)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def run(state: TrainingState, lane: Lane, steps: int, seed: int = 1) -> list[float]:
    draws, losses = generator(seed), []
    for step in range(steps):
        losses.append(train_step(state, lane, draws)[0])
        state.count_step(float(step))
    return losses


def parameters(state: TrainingState) -> list[torch.Tensor]:
    return [*state.network.parameters(), *state.average.parameters()]


def test_a_few_steps_reduce_the_loss_and_repeat(pool):
    states = [TrainingState.create(TINY) for _ in range(2)]
    losses = [run(state, Lane.create(pool, TINY, generator()), 60) for state in states]
    assert losses[0] == losses[1]
    first, last = np.mean(losses[0][:5]), np.mean(losses[0][-5:])
    assert first > 0.7 and last < 0.75 * first
    assert all(torch.equal(a, b) for a, b in zip(*map(parameters, states), strict=True))
    assert states[0].step == 60


def test_a_checkpoint_goes_on_with_the_same_numbers(pool, tmp_path):
    state, lane = TrainingState.create(TINY), Lane.create(pool, TINY, generator())
    run(state, lane, 4)
    state.log.append({"elapsed": 3.0, "step": 4, "loss": 1.0, "solved": 0.0})
    state.save(tmp_path / "checkpoint.pt")
    again, same_lane = TrainingState.load(tmp_path / "checkpoint.pt"), copy.deepcopy(lane)
    assert (again.step, again.elapsed, again.log, again.settings) == (4, 3.0, state.log, TINY)
    assert run(state, lane, 4, seed=2) == run(again, same_lane, 4, seed=2)
    assert all(torch.equal(a, b) for a, b in zip(parameters(state), parameters(again), strict=True))
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_exported_weights_are_the_averaged_ones(pool, tmp_path):
    state = TrainingState.create(TINY)
    run(state, Lane.create(pool, TINY, generator()), 5)
    state.export(tmp_path / "mine")
    assert json.loads((tmp_path / "mine" / "config.json").read_text()) == {"hidden": 8, "message": 8, "iterations": 4}
    denoiser = RelationalDenoiser.load(tmp_path / "mine")
    puzzle = Sudoku(tuple(pool.puzzles[0].tolist()))
    canvas = puzzle.canvas(denoiser.vocabulary(puzzle))
    logits, _ = denoiser.denoise(canvas.tokens, denoiser.start(puzzle, canvas))
    averaged, current = (RelationalDenoiser(net, 4) for net in (state.average, state.network))
    right, _ = averaged.denoise(canvas.tokens, averaged.start(puzzle, canvas))
    unlike, _ = current.denoise(canvas.tokens, current.start(puzzle, canvas))
    assert torch.equal(logits, right) and not torch.equal(logits, unlike)


@pytest.mark.parametrize("content", [b"", b"no checkpoint", b"PK\x03\x04 cut short"])
def test_a_file_that_is_no_checkpoint_is_told(content, tmp_path):
    file = tmp_path / "checkpoint.pt"
    file.write_bytes(content)
    with pytest.raises(ModelUnavailableError, match=r"checkpoint\.pt is no checkpoint of dgsolve"):
        TrainingState.load(file)


def test_lanes_draw_puzzles_with_their_own_solutions_and_domains(pool):
    lane = Lane.create(pool, TINY, generator())
    assert lane.givens.shape == (16, 16) and lane.hidden.shape == (16, 16, 4, 8)
    given = lane.givens > 0
    assert torch.equal(lane.givens[given], lane.solutions[given] + 1)
    assert lane.allowed.gather(-1, lane.solutions[..., None]).all()  # the answer is never ruled out
    assert (lane.allowed[given].sum(-1) == 1).all()
    for givens, solution in zip(lane.givens.tolist(), lane.solutions.tolist(), strict=True):
        assert Sudoku(tuple(givens)).check([value + 1 for value in solution]).valid
    known = {tuple(row) for row in pool.solutions.tolist()}
    assert {tuple(row) for row in (lane.solutions + 1).tolist()} <= known


def test_features_show_the_canvas_the_belief_and_the_locks(pool):
    settings = replace(TINY, pure_noise_share=1.0)
    lane = Lane.create(pool, settings, generator())
    tokens, belief, locked = lane.features(generator(1)).unbind(-1)
    assert (tokens.sum(-1) == 1).all() and torch.allclose(belief.sum(-1), torch.ones(16, 16))
    given = lane.givens > 0
    assert torch.equal(locked.sum(-1) > 0, given)
    assert torch.equal(tokens[given], locked[given])
    right = (tokens.argmax(-1) == lane.solutions)[~given].float().mean().item()
    assert right == pytest.approx(0.25, abs=0.15)  # pure noise


def test_solved_and_old_puzzles_give_way(pool):
    settings = replace(TINY, segments=2)
    lane = Lane.create(pool, settings, generator())
    lane.age[:] = torch.tensor([0, 1] * 8)
    lane.hidden[:] = 7.0
    before = lane.givens.clone()
    nodes = torch.zeros(0, dtype=torch.long)
    wrong = torch.nn.functional.one_hot((lane.solutions + 1) % 4, 4).float()
    graph = type("Graph", (), {"nodes": nodes})
    assert lane.advance(graph, torch.zeros(0, 8), wrong, generator(3)) == 0.0
    assert lane.age.tolist() == [1, 0] * 8
    assert torch.equal(lane.givens[::2], before[::2]) and not torch.equal(lane.givens[1::2], before[1::2])
    assert (lane.hidden[::2] == 7).all() and (lane.hidden[1::2] == 0).all()
    solved = torch.nn.functional.one_hot(lane.solutions, 4).float()
    assert lane.advance(graph, torch.zeros(0, 8), solved, generator(3)) == 1.0


def test_hard_puzzles_are_drawn_more_often(pool):
    puzzles = PuzzlePool(pool, replace(TINY, hardness=4.0, easy_share=0.0, reveal_share=0.0))
    drawn, _ = puzzles.draw(2000, generator())
    rank = {tuple(row): index for index, row in enumerate(pool.puzzles.tolist())}
    mean = np.mean([rank[tuple(row)] for row in drawn.tolist()])
    assert mean > 28  # guesses rise with the index here: evenly drawn it would be 19.5
    revealed, solutions = PuzzlePool(pool, replace(TINY, reveal_share=1.0)).draw(200, generator())
    plain = {tuple(row) for row in pool.puzzles.tolist()}
    assert not any(tuple(row) in plain for row in revealed.tolist())
    assert torch.equal(revealed[revealed > 0], solutions[revealed > 0] + 1)


def test_the_rate_warms_up_and_falls_to_two_percent():
    settings = replace(TINY, warmup_steps=10, seconds=100.0)
    assert rate_factor(settings, 0, 0.0) == pytest.approx(0.1)
    assert rate_factor(settings, 9, 0.0) == pytest.approx(1.0)
    assert rate_factor(settings, 99, 50.0) == pytest.approx(0.51)
    assert rate_factor(settings, 99, 1e9) == pytest.approx(0.02)
    state = TrainingState.create(settings)
    state.set_rates(0.5)
    assert [optimizer.param_groups[0]["lr"] for optimizer in state.optimizers] == pytest.approx([5e-3, 5e-3])


def test_training_ends_with_its_time_reports_and_saves(pool, tmp_path):
    state = TrainingState.create(replace(TINY, seconds=0.5))
    reports = []
    checkpoint = tmp_path / "checkpoint.pt"
    lanes = [(1.0, Lane.create(pool, state.settings, generator()))]
    train(state, lanes, checkpoint=checkpoint, save_every=0.0, on_report=reports.append)
    assert state.elapsed >= 0.5 and len(reports) == state.step and reports == state.log
    assert reports[-1]["step"] == state.step and math.isfinite(reports[-1]["loss"])
    assert asdict(TrainingState.load(checkpoint).settings) == asdict(state.settings)
    steps = state.step
    train(state, lanes, checkpoint=checkpoint, on_report=reports.append)
    assert state.step == steps  # its time is over


def test_ctrl_c_saves_what_was_done(pool, tmp_path, monkeypatch):
    from dgsolve.train import relational

    state = TrainingState.create(TINY)
    lanes = [(1.0, Lane.create(pool, TINY, generator()))]

    def interrupted(state, lane, draws):
        if state.step == 3:
            raise KeyboardInterrupt
        return train_step(state, lane, draws)

    monkeypatch.setattr(relational, "train_step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(state, lanes, checkpoint=tmp_path / "checkpoint.pt")
    assert TrainingState.load(tmp_path / "checkpoint.pt").step == 3


def test_pools_are_made_once_and_again_when_cut_short(tmp_path, monkeypatch):
    plan = PoolPlan(1.0, 2, 2, minimal=6)
    made = prepare(tmp_path / "puzzles", plan, seed=1, threads=1)
    assert len(made.puzzles) == 6 and (tmp_path / "puzzles" / "2x2.npz").is_file()
    with monkeypatch.context() as patch:
        patch.setattr("dgsolve.train.pools.make_pool", None)  # reading needs no generation
        assert np.array_equal(prepare(tmp_path / "puzzles", plan, seed=1, threads=1).puzzles, made.puzzles)
    more = prepare(tmp_path / "puzzles", replace(plan, minimal=8), seed=1, threads=1)
    assert len(more.puzzles) == 8
