"""The loop at its edges: broken givens, Ctrl-C, iterators that raise, and misuse."""

import numpy as np
import pytest
import torch

from dgsolve import Status, Sudoku, UsageError, solve, solve_many, steps
from dgsolve.denoisers.random import RandomDenoiser

FULL = Sudoku.parse("1234341221434321")
NOISE = RandomDenoiser()


def test_givens_that_break_a_rule_are_invalid_before_any_search_and_keep_their_place():
    good, bad = Sudoku.parse("1...3...4...2..."), Sudoku((1, 1) + (0,) * 14)
    solutions = list(solve_many([bad, good, bad, bad], NOISE, max_denoising_steps=2))
    assert [solution.problem for solution in solutions] == [bad, good, bad, bad]
    assert [solution.status is Status.MODEL_INVALID for solution in solutions] == [True, False, True, True]
    assert solutions[0].steps == 0 and set(solutions[0].faults[0].scope) == {"r1c1", "r1c2"}


class Interrupted(RandomDenoiser):
    """Ctrl-C comes during the third denoising step."""

    def __init__(self) -> None:
        self.passes = 0

    def denoise(self, tokens, state):
        self.passes += 1
        if self.passes == 3:
            raise KeyboardInterrupt
        return super().denoise(tokens, state)


def test_ctrl_c_still_gives_what_was_found_out_of_order():
    hard, full = Sudoku((0,) * 16), FULL
    stream = solve_many([hard, full, hard], Interrupted(), scout_steps=9, max_denoising_steps=9)
    found = [next(stream), next(stream)]
    assert [solution.problem for solution in found] == [hard, full]
    assert [solution.status for solution in found] == [Status.UNKNOWN, Status.FEASIBLE]
    with pytest.raises(KeyboardInterrupt):
        next(stream)


def test_progress_gives_the_same_solutions_and_draws_on_stderr(capsys):
    puzzles = [FULL] * 3
    assert len(list(solve_many(puzzles, NOISE, progress=True))) == 3
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "options",
    [
        {"seed": 2**63},
        {"seed": -1},
        {"batch_canvases": 0},
        {"batch_canvases": True},
        {"time_limit": True},
        {"sampling": {}},
        {"no_such_option": 1},
        {"keep_trace": 3},
        {"progress": ""},
    ],
)
def test_options_are_refused_at_the_call(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        solve_many([FULL], NOISE, **options)


def test_numbers_of_numpy_are_numbers():
    options = {"seed": np.int64(3), "batch_canvases": np.int32(2), "time_limit": np.float32(60)}
    found = solve(FULL, NOISE, **options, attempts=np.uint8(2))
    assert found.status is Status.FEASIBLE and type(found.seed) is int


def test_what_the_iterator_raises_waits_for_the_solutions_before_it():
    def broken():
        yield FULL
        yield FULL
        raise OSError("the disk is gone")

    stream = solve_many(broken(), NOISE)
    assert [next(stream).status, next(stream).status] == [Status.FEASIBLE] * 2
    with pytest.raises(OSError, match="the disk is gone"):
        next(stream)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: solve(None, NOISE), "None is not a problem"),
        (lambda: solve_many(FULL, NOISE), "wants many problems"),
        (lambda: solve(FULL, 3), "3 is not a denoiser"),
        (lambda: steps("1234", NOISE), "'1234' is not a problem"),
        (lambda: solve(FULL, NOISE, time_limit=float("nan")), "time_limit=nan"),
        (lambda: steps(Sudoku((1, 1) + (0,) * 14), NOISE), "1 stands twice in row 1"),
    ],
)
def test_misuse_is_put_into_words(call, said):
    with pytest.raises(UsageError, match=said):
        call()


def test_a_slot_without_a_value_is_given_up_without_a_step():
    """r1c1 sees 2, 3 and 4 in its row and 1 in its column: every answer is wrong, which only a certificate may say."""
    hopeless = Sudoku.parse(".234 .... 1... ....")
    (solution,) = solve_many([hopeless], NOISE)
    assert (solution.status, solution.steps, solution.answer) == (Status.UNKNOWN, 0, None)


@pytest.mark.parametrize(
    ("given", "t_max", "t_min"),
    [({"t_max": 0.3}, 0.3, 0.3), ({"t_max": 0.6}, 0.6, 0.4), ({"t_max": 0.6, "t_min": 0.1}, 0.6, 0.1)],
)
def test_one_temperature_that_is_given_is_the_hottest(given, t_max, t_min, monkeypatch):
    asked = []
    draft = type(NOISE).drafting.draft

    def watched(*arguments):
        asked.append(arguments[-1])
        return draft(*arguments)

    monkeypatch.setattr(type(NOISE).drafting, "draft", staticmethod(watched))
    solve(Sudoku((0,) * 16), NOISE, max_denoising_steps=1, **given)
    assert {(sampling.t_max, sampling.t_min) for sampling in asked} == {(t_max, t_min)}


class Late(RandomDenoiser):
    """Leans a little towards the solution, from the third pass on."""

    def __init__(self) -> None:
        super().__init__()
        self.passes = 0

    def denoise(self, tokens, state):
        self.passes += 1
        right = torch.tensor([FULL.givens]) - 1 if self.passes > 2 else torch.zeros_like(tokens)
        return torch.nn.functional.one_hot(right, 4).float().expand(len(tokens), -1, -1), state


def test_the_frame_that_is_the_answer_has_nothing_left_to_settle():
    """However unsure the draft was: no rule is broken, so nothing of it will change."""
    frames, opened = [], Sudoku((*FULL.givens[:8], *[0] * 8))
    solution = solve(opened, Late(), propagate=False, on_frame=frames.append)
    assert solution.status is Status.FEASIBLE and len(frames) == 3
    assert [all(frame.accepted) for frame in frames] == [False, False, True]
    assert min(frames[-1].probability) < 0.6
