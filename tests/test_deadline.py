"""Long work ends at a deadline in its middle: laying out, a denoising step, posting rules, exact search."""

import math
import time

import pytest

import dgsolve
from dgsolve.certify import SolutionCount, certify
from dgsolve.deadline import Deadline, OutOfTime, look, within
from dgsolve.solution import Status


def test_work_ends_at_its_next_look_after_the_deadline():
    look()  # no deadline around: nothing happens
    with within(Deadline.after(60.0)):
        look()
    over = Deadline.after(60.0)
    with pytest.raises(OutOfTime), within(over):
        look()
        over.end()
        look()
    look()
    assert over.left == 0.0 and math.isinf(Deadline.after(None).left)


def latin(size: int) -> dgsolve.Grid:
    grid = dgsolve.Grid(size, size, values=range(1, size + 1))
    for line in [*grid.rows(), *grid.cols()]:
        grid.all_different(line)
    return grid


def slowly(seconds: float, monkeypatch: pytest.MonkeyPatch, home: type, name: str) -> None:
    """Make a part of the work last so long each time."""
    usual = getattr(home, name)

    def slow(self, *arguments):
        time.sleep(seconds)
        return usual(self, *arguments)

    monkeypatch.setattr(home, name, slow)


def test_laying_out_keeps_to_the_limit(monkeypatch):
    slowly(0.02, monkeypatch, dgsolve.rules.all_different.AllDifferent, "propagate")  # 16 lines, 0.32 s
    begun = time.monotonic()
    solution = dgsolve.solve(latin(8), time_limit=0.05)
    assert (solution.status, solution.timed_out, solution.steps) == (Status.UNKNOWN, True, 0)
    assert 0.05 <= solution.seconds <= time.monotonic() - begun
    assert solution.seconds < 0.25


def test_the_time_of_laying_out_counts(monkeypatch):
    slowly(0.01, monkeypatch, dgsolve.rules.all_different.AllDifferent, "propagate")
    assert dgsolve.solve(latin(4)).seconds > 8 * 0.01


def test_a_step_keeps_to_the_limit(monkeypatch):
    from dgsolve.denoisers.relational_network import RelationalNetwork

    slowly(0.05, monkeypatch, RelationalNetwork, "iterate")  # ten rounds a step
    solution = dgsolve.solve(latin(4), time_limit=0.2)
    assert (solution.status, solution.timed_out, solution.steps) == (Status.UNKNOWN, True, 0)
    assert solution.seconds < 0.45


def test_posting_rules_keeps_to_the_limit(monkeypatch):
    certify(latin(2))  # loads the solver
    slowly(0.1, monkeypatch, dgsolve.rules.all_different.AllDifferent, "post")  # 16 lines, 1.6 s
    certificate = certify(latin(8), time_limit=0.2)
    assert certificate.status is SolutionCount.UNKNOWN and certificate.seconds < 0.8


def test_a_conflict_that_takes_too_long_is_not_named(monkeypatch):
    grid = dgsolve.Grid(2, 2, values=(1, 2), givens={"r1c1": 1, "r2c2": 2})
    for line in [*grid.rows(), *grid.cols()]:
        grid.all_different(line)
    assert certify(grid).conflicts == (0, 3)
    usual, calls = type(grid).post, []

    def slow_again(self, model, choices=None):
        calls.append(choices)
        if choices is None:  # the bare rules, posted to find the conflict
            time.sleep(0.5)
        return usual(self, model, choices)

    monkeypatch.setattr(type(grid), "post", slow_again)
    certificate = certify(grid, time_limit=0.5)
    assert (certificate.status, certificate.conflicts, certificate.minimal) == (SolutionCount.NONE, (), False)
    assert len(calls) == 2
