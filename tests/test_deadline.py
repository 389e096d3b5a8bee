"""Long work ends at a deadline in its middle: laying out, a denoising step, posting rules, exact search."""

import math
import signal
import threading
import time
from collections.abc import Iterator

import pytest

import dgsolve
from dgsolve import certify as certify_module
from dgsolve.certify import SolutionCount, certify, solutions
from dgsolve.deadline import Deadline, OutOfTime, look, within
from dgsolve.grid_files import GridEntry
from dgsolve.solution import Status
from dgsolve.verdicts import in_order


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


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C is heard, as it is not in a job in the background."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


def ctrl_c_after(seconds: float) -> None:
    here = threading.main_thread().ident
    threading.Timer(seconds, lambda: signal.pthread_kill(here, signal.SIGINT)).start()


def test_ctrl_c_does_not_wait_for_exact_search(monkeypatch, interruptible):
    certify(latin(2))  # loads the solver
    slowly(2.0, monkeypatch, dgsolve.rules.all_different.AllDifferent, "post")  # no look for two seconds
    search = solutions(latin(2))
    ctrl_c_after(0.3)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        next(search)
    assert time.monotonic() - begun < 1.5


def test_ctrl_c_is_heard_while_a_conflict_is_looked_for(monkeypatch, interruptible):
    grid = dgsolve.Grid(2, 2, values=(1, 2), givens={"r1c1": 1, "r2c2": 2})
    for line in [*grid.rows(), *grid.cols()]:
        grid.all_different(line)
    certify(latin(2))
    usual = certify_module._solved

    def slow(solver, model, deadline, collector=None):
        if collector is None:  # only a search for solutions collects them
            ctrl_c_after(0.3)
            time.sleep(2.0)
        return usual(solver, model, deadline, collector)

    monkeypatch.setattr(certify_module, "_solved", slow)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        certify(grid)
    assert time.monotonic() - begun < 1.5


def test_a_graph_too_large_to_be_read_is_not_made(monkeypatch):
    monkeypatch.setattr(dgsolve.Grid, "factor_graph", lambda self: pytest.fail("it was made"))
    assert not dgsolve.load("relational").reads(latin(40))


def test_the_time_that_reading_takes_is_kept():
    entry = GridEntry(latin(2))
    verdict = next(in_order([entry], lambda problems: iter(list(problems)), reads=lambda problem: time.sleep(0.05)))
    assert isinstance(verdict.result, dgsolve.Solution) and 0.05 <= verdict.result.seconds < 1
