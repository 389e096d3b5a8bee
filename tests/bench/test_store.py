"""What a run leaves in its folder, and who may go on with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from dgsolve.bench.exact_speed import ExactSpeed
from dgsolve.bench.plan import PLACEMENT, Plan
from dgsolve.bench.record import Record
from dgsolve.bench.store import Store, read_settings
from dgsolve.errors import UsageError

RECORD = Record("s", "full", "f", 1, None, "....", "1234", "FEASIBLE", True, None, True, 3, 1, 0, False, 0.5, 0.25)


def settings(**plan: Any) -> dict[str, Any]:
    return {
        "plan": Plan(("a.txt",), **plan).to_json(),
        "weights": {"relational": "abc"},
        "versions": {"torch": "1"},
        "machine": {"cores": 2},
    }


def test_everything_comes_back(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "run", settings())
    store.add(RECORD)
    store.add_cpsat("s", ExactSpeed(4, 3, 0.5, (0.1, 0.1, 0.1, 0.2)))
    store.end("s", "full", 120.5)
    again = Store.resume(tmp_path / "run", settings())
    assert again.tallies == store.tallies and again.cpsat == {"s": ExactSpeed(4, 3, 0.5, (0.1, 0.1, 0.1, 0.2))}
    tally = again.tallies["s", "full"]
    assert (tally.puzzles, tally.steps, tally.peak_mb, tally.rate()) == (1, 3, 120.5, 4.0)


def test_every_result_is_on_disk_at_once(tmp_path: Path) -> None:
    store = Store.create(tmp_path, settings())
    store.add(RECORD)
    line = json.loads((tmp_path / "results.jsonl").read_text())
    assert line.pop("kind") == "puzzle" and Record.from_json(line) == RECORD


def test_a_line_broken_off_is_dropped(tmp_path: Path) -> None:
    store = Store.create(tmp_path, settings())
    store.add(RECORD)
    file = tmp_path / "results.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"kind": "puz' + b"x" * 9000)
    assert Store.resume(tmp_path, settings()).tallies["s", "full"].puzzles == 1
    assert file.read_bytes() == whole
    file.write_bytes(b'{"kind"')
    assert not Store.resume(tmp_path, settings()).tallies and file.read_bytes() == b""


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (settings(steps=9), "--steps was 64 and is 9 now"),
        (settings(propagate=False), "--no-propagate was true and is false now"),
        ({**settings(), "weights": {}}, 'weights relational was "abc" and is not there now'),
        ({**settings(), "versions": {"torch": "2"}}, 'versions torch was "1" and is "2" now'),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, now: dict[str, Any], said: str) -> None:
    Store.create(tmp_path, settings())
    with pytest.raises(UsageError) as raised:
        Store.resume(tmp_path, now)
    assert said in str(raised.value) and "-o" in raised.value.hint


def test_another_machine_may_go_on(tmp_path: Path) -> None:
    Store.create(tmp_path, settings())
    assert Store.resume(tmp_path, {**settings(), "machine": {"cores": 9}}).settings["machine"] == {"cores": 2}


def test_a_folder_with_a_run_is_not_written_over(tmp_path: Path) -> None:
    Store.create(tmp_path, settings())
    with pytest.raises(UsageError, match="already holds a run") as raised:
        Store.create(tmp_path, settings())
    assert f"--resume {tmp_path}" in raised.value.hint


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no run"):
        read_settings(tmp_path)
    (tmp_path / "settings.json").write_text('{"plan": {}}')
    with pytest.raises(UsageError, match="not what bench wrote"):
        read_settings(tmp_path)


def test_a_foreign_line_is_named(tmp_path: Path) -> None:
    Store.create(tmp_path, settings()).add(RECORD)
    with (tmp_path / "results.jsonl").open("a") as stream:
        stream.write("hello\n")
    with pytest.raises(UsageError, match="line 2: this is no result"):
        Store.resume(tmp_path, settings())


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"files": ()}, "no puzzle file"),
        ({"files": ("-",)}, "standard input"),
        ({"files": ("a", "a")}, "named twice"),
        ({"files": ("a",), "steps": 0}, "--steps 0"),
        ({"files": ("a",), "time_limit": 0.0}, "--time-limit 0.0"),
    ],
)
def test_a_plan_that_means_nothing_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Plan(**fields)


@pytest.mark.parametrize("line", ["5", "[]", "[" * 100_000, '{"kind": "puzzle"}'])
def test_a_line_that_is_no_result_is_named(line: str, tmp_path: Path) -> None:
    Store.create(tmp_path, settings())
    (tmp_path / "results.jsonl").write_text(line + "\n")
    with pytest.raises(UsageError, match="line 1: this is no result") as caught:
        Store.resume(tmp_path, settings())
    assert "lines after it" in caught.value.hint


def test_a_run_from_before_models_were_placed_goes_on(tmp_path: Path) -> None:
    older = settings()
    for name in PLACEMENT:
        del older["plan"][name]
    Store.create(tmp_path, older).add(RECORD)
    assert Store.resume(tmp_path, settings()).tallies["s", "full"].puzzles == 1
    with pytest.raises(UsageError, match="--lines was false and is true now"):
        Store.resume(tmp_path, settings(lines=True))
