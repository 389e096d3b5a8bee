"""What the long benchmarks stand on: results that survive a broken run, and work in processes that may be lost."""

import importlib.util
import os
import sys
import time
from functools import partial
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def results_file():
    yield loaded("results_file")
    del sys.modules["results_file"]


@pytest.fixture
def figures():
    yield loaded("figures")
    del sys.modules["figures"]


@pytest.fixture
def worker_process(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))  # the processes find the module by its name
    yield loaded("worker_process")
    del sys.modules["worker_process"]


def test_a_rerun_knows_what_was_done_and_cuts_a_broken_line(results_file, tmp_path):
    path = tmp_path / "found.ndjson"
    first = results_file.Results(path, {"seeds": 2, "folder": Path("x")})
    first.add("a", {"text": "line\u2028separator \ud800"})
    first.add("b", {"text": ""})
    path.write_bytes(path.read_bytes()[:-4])
    again = results_file.Results(path, {"seeds": 2, "folder": Path("x")})
    assert again.found == {"a": {"text": "line\u2028separator \ud800"}}
    again.add("b", {"text": "new"})
    last = results_file.Results(path, {"seeds": 2, "folder": Path("x")})
    assert last.of(["b", "c", "a"]) == [{"text": "new"}, {"text": "line\u2028separator \ud800"}]


def test_results_of_other_settings_are_refused(results_file, tmp_path):
    results_file.Results(tmp_path / "found", {"seeds": 2}).add("a", {})
    with pytest.raises(SystemExit, match="another seeds"):
        results_file.Results(tmp_path / "found", {"seeds": 3})


@pytest.mark.parametrize(("part", "whole", "text"), [(99_999, 100_000, "99.99%"), (3, 3, "100.00%"), (0, 0, "0 of 0")])
def test_a_share_is_never_rounded_up(figures, part, whole, text):
    assert text in figures.share(part, whole)


def test_quantiles_in_words(figures):
    falling = [number / 20 for number in range(20_000, 0, -1)]
    assert figures.quantiles(falling) == "median 500, p90 900, p99 990, max 1,000"
    assert figures.quantiles([2.25, 1.0]) == "median 1.6, p90 2.2, p99 2.2, max 2.2"
    assert figures.quantiles([]) == "none"


def test_a_process_that_hangs_or_dies_costs_its_task_alone(worker_process):
    with worker_process.Worker(partial(partial, time.sleep)) as worker:
        with pytest.raises(worker_process.LostError, match="over time"):
            worker.call(60, seconds=0.2)
        assert worker.call(0, seconds=60) is None
    dies = worker_process.Worker(partial(partial, os._exit))
    with dies, pytest.raises(worker_process.LostError, match="exit code 3"):
        dies.call(3, seconds=60)


def test_tasks_are_spread_and_every_one_is_answered(worker_process):
    answers = dict(worker_process.spread(partial(partial, str), range(7), jobs=2, seconds=60))
    assert answers == {number: str(number) for number in range(7)}
