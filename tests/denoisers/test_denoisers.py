"""What holds for every denoiser, on Sudokus of several shapes."""

import copy
from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve import load
from dgsolve.canvas import Canvas
from dgsolve.denoisers.base import Denoiser
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.denoisers.relational import RelationalDenoiser
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.problem import Problem
from dgsolve.problems.sudoku import Sudoku
from dgsolve.randomness import Stream
from dgsolve.registry import DENOISERS, names

SHAPES = [(2, 2), (2, 3), (3, 3), (4, 4)]


@cache
def loaded(name: str) -> Denoiser:
    found = load(name)
    return getattr(found, "denoiser", found)


PUZZLE_READERS = sorted({*names(DENOISERS)} - {"causal", "diffusion-gemma"})  # what writes texts has tests of its own


@pytest.fixture(params=PUZZLE_READERS)
def denoiser(request) -> Denoiser:
    try:
        return loaded(request.param)
    except ModelUnavailableError as error:
        pytest.skip(str(error))


def canvases(denoiser: Denoiser, shape: tuple[int, int], count: int) -> tuple[Sudoku, Canvas]:
    """`count` canvases with one more given each, so that no two are alike."""
    size = shape[0] * shape[1]
    firsts = [tuple(range(1, k + 1)) + (0,) * (size**2 - k) for k in range(1, count + 1)]
    puzzles = [Sudoku(givens, *shape) for givens in firsts]
    return puzzles[0], Canvas.stack([puzzle.canvas(denoiser.vocabulary(puzzle)) for puzzle in puzzles])


def tokens_for(denoiser: Denoiser, problem: Problem, canvas: Canvas, step: int, seed: int = 0) -> torch.Tensor:
    streams = Stream(torch.arange(len(canvas.tokens)) + seed).fork(step)
    return denoiser.noise(canvas, denoiser.vocabulary(problem), streams)


@pytest.mark.parametrize("shape", SHAPES)
def test_logits_are_finite_and_of_the_canvas_shape_and_repeat(denoiser, shape):
    problem, canvas = canvases(denoiser, shape, 2)
    tokens, size = tokens_for(denoiser, problem, canvas, 0), denoiser.vocabulary(problem).size
    state = denoiser.start(problem, canvas)
    logits, after = denoiser.denoise(tokens, state)
    assert logits.shape == (2, problem.size**2, size) and logits.is_floating_point() and logits.isfinite().all()
    again, _ = denoiser.denoise(tokens, state)
    assert torch.equal(logits, again)  # the state that was passed in is as it was
    second, _ = denoiser.denoise(tokens, after)
    assert second.shape == logits.shape and second.isfinite().all()


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_of_a_run_stays_on_the_denoiser(denoiser, shape):
    problem, canvas = canvases(denoiser, shape, 2)
    attributes = dict(vars(denoiser))
    modules = {name: value for name, value in attributes.items() if isinstance(value, torch.nn.Module)}
    weights = {name: copy.deepcopy(module.state_dict()) for name, module in modules.items()}
    state = denoiser.start(problem, canvas)
    for step in range(2):
        _, state = denoiser.denoise(tokens_for(denoiser, problem, canvas, step), state)
    assert vars(denoiser) == attributes
    for name, module in modules.items():
        assert not module.training
        assert all(torch.equal(tensor, weights[name][key]) for key, tensor in module.state_dict().items())
        assert all(parameter.grad is None for parameter in module.parameters())


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_cut_and_joined_states_are_those_of_separate_runs(denoiser, shape):
    problem, canvas = canvases(denoiser, shape, 4)
    tokens = [tokens_for(denoiser, problem, canvas, step) for step in range(2)]

    def run(rows: list[int], steps: int):
        index, logits = torch.tensor(rows), None
        state = denoiser.start(problem, canvas.rows(index))
        for step in range(steps):
            logits, state = denoiser.denoise(tokens[step][index], state)
        return logits, state

    right = torch.cat([run([row], 2)[0] for row in range(4)])
    states = {
        "rows": (run([0, 1, 2, 3], 1)[1].rows(torch.tensor([3, 1])), [3, 1]),
        "append": (run([2], 1)[1].append(run([0, 3], 1)[1]), [2, 0, 3]),
        "put": (run([0, 1, 2], 1)[1].put(torch.tensor([2, 0]), run([3, 1], 1)[1]), [1, 1, 3]),
    }
    for name, (state, rows) in states.items():
        logits, _ = denoiser.denoise(tokens[1][rows], state)
        assert torch.allclose(logits, right[rows], atol=1e-4, rtol=1e-4), name


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 3), st.integers(-(2**63), 2**62))
def test_noise_is_of_the_vocabulary_and_leaves_locked_slots(width, seed):
    for name in PUZZLE_READERS:
        if name == "relational":
            continue  # the same inherited method, and weights that may be absent
        denoiser = loaded(name)
        problem, canvas = canvases(denoiser, SHAPES[width], 3)
        noise = tokens_for(denoiser, problem, canvas, 0, seed)
        assert noise.shape == canvas.tokens.shape and noise.min() >= 0 and noise.max() < problem.size
        assert torch.equal(noise[canvas.locked], canvas.tokens[canvas.locked])
        assert torch.equal(noise, tokens_for(denoiser, problem, canvas, 0, seed))
        assert not torch.equal(noise, tokens_for(denoiser, problem, canvas, 1, seed))


def test_noise_is_fresh_everywhere_that_is_open():
    problem, canvas = canvases(RandomDenoiser(), (3, 3), 3)
    drawn = torch.stack([tokens_for(RandomDenoiser(), problem, canvas, step) for step in range(200)])
    open_slots = drawn[:, ~canvas.locked]
    assert all(len(column.unique()) == 9 for column in open_slots.T)


class Unlisted(Problem):
    """A problem that is no factor graph."""

    name = "unlisted"

    def canvas(self, vocabulary, *, propagate=True):
        raise NotImplementedError

    def decode(self, values):
        return values

    def check(self, answer):
        raise NotImplementedError

    def describe(self):
        return "a free text"


def test_the_relational_denoiser_refuses_what_it_cannot_read(tmp_path):
    from dgsolve.denoisers.relational_network import RelationalNetwork

    with pytest.raises(UsageError, match="cannot read a free text"):
        RelationalDenoiser(RelationalNetwork(4, 4)).vocabulary(Unlisted())
    with pytest.raises(ModelUnavailableError, match="no relational weights") as caught:
        RelationalDenoiser.load(tmp_path)
    assert "dgsolve train relational" in caught.value.hint


def test_a_canvas_that_holds_no_value_gives_numbers(denoiser):
    broken = Sudoku.parse("12.. 4... ..3. 34..").canvas(denoiser.vocabulary(Sudoku((0,) * 16)))
    broken = broken.lock(torch.full_like(broken.tokens, 0), torch.ones_like(broken.locked))
    assert not broken.constraint.satisfiable().any()
    problem = Sudoku((0,) * 16)
    logits, state = denoiser.denoise(broken.tokens, denoiser.start(problem, broken))
    again, _ = denoiser.denoise(broken.tokens, state)
    assert logits.isfinite().all() and again.isfinite().all()
