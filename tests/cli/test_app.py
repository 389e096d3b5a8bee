"""Help, unknown commands, exit codes by rule, and `dgsolve env`."""

import json

import pytest

from dgsolve.cli.app import COMMANDS, run
from dgsolve.cli.exits import WORST_FIRST, Exit, worst
from dgsolve.errors import ModelUnavailableError


def test_every_command_is_in_help_and_helps(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    overview = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name} " in overview and "..." not in overview.split("Commands:")[1]
        assert run([name, "--help"]) == 0
        assert "Usage: dgsolve " + name in capsys.readouterr().out


def test_help_of_sudoku_has_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    run(["sudoku", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "dgsolve sudoku many.sdm --json -o answers.jsonl" in shown
    assert "the first of 130, 4, 2, 5, 1, 3 that happened" in shown
    options = """--box --symbols --denoiser --steps --attempts --seed --time-limit --unique --all --no-fallback --json
        --output --quiet --verbose --debug --save-trace"""
    assert [option for option in options.split() if option not in shown] == []
    assert "--seed N Same seed, same answer. [default: 0]" in shown and "<int" not in shown


def test_an_unknown_command_names_the_known_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sudko"]) == 2
    assert "sudoku" in capsys.readouterr().err


def test_the_worst_code_stands_for_many() -> None:
    assert worst([]) is Exit.SOLVED
    assert worst([Exit.SOLVED, Exit.IMPOSSIBLE, Exit.NO_ANSWER]) is Exit.NO_ANSWER
    assert worst([Exit.OUT_OF_TIME, Exit.REFUSED]) is Exit.REFUSED
    assert worst(Exit) is Exit.INTERRUPTED
    assert sorted(WORST_FIRST) == sorted(Exit)


def test_env_tells_versions_devices_and_weights(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["env", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert code == (4 if any(item["needed"] for item in report["missing"]) else 0)
    assert set(report["packages"]) >= {"torch", "numpy", "ortools", "rich", "typer"}
    assert report["devices"][0].startswith("cpu: ")
    assert {"random", "relational"} <= set(report["denoisers"]) and "sudoku" in report["problems"]


def test_env_says_that_sudoku_can_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dgsolve.cli.env._version", lambda package: None if package == "peft" else "1")
    assert run(["env"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "ready: dgsolve sudoku can run"
    optional = [line for line in lines if line.startswith("optional")]
    assert optional[0] == "optional      package peft: LoRA adapters need it: pip install peft"


def test_env_says_what_to_do_about_missing_weights(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModelUnavailableError("gone", hint="get them")

    monkeypatch.setattr("dgsolve.cli.env.adapter_path", missing)
    assert run(["env"]) == 4
    out = capsys.readouterr().out
    assert "missing       weights relational: get them" in out and "ready" not in out
