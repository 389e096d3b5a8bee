"""The README is true: its Python runs, its commands run, and CI runs its test command."""

import json
import os
import re
import shlex
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from dgsolve.cli.puzzle_input import count_puzzles

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [line.removeprefix("$ ").split("#")[0].strip() for line in lines if line.startswith("$ ")]


@pytest.mark.parametrize("code", blocks("python"))
def test_python_blocks_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    out = capsys.readouterr().out
    if "certify(" in code:
        assert out == "many Proven: there is more than one solution.\n"
    elif "generate(" in code:
        assert re.fullmatch(r"(blue|grey) <class 'int'> \['', '/age'.*\]\n", out)
    else:
        assert "Solved: the answer keeps every rule." in out and "1243341243212134\n" in out and "\nFEASIBLE\n" in out


def test_the_json_example_is_what_the_command_writes(capsys: pytest.CaptureFixture[str]) -> None:
    from dgsolve.cli.app import run

    assert run(["sudoku", ".2.....24.....3.", "--json", "-q"]) == 0
    (example,), written = (json.loads(block) for block in blocks("json")), json.loads(capsys.readouterr().out)
    example.pop("seconds"), written.pop("seconds")
    assert example == written and list(example) == list(written)


@pytest.mark.parametrize("command", commands())
def test_commands_run(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from dgsolve.cli.app import run

    monkeypatch.chdir(ROOT)
    before, _, last = command.rpartition("|")
    name, *arguments = shlex.split(last)
    assert name == "dgsolve"
    cat, file = before.split() if before else ("cat", os.devnull)
    assert cat == "cat"
    with open(file, encoding="utf-8") as piped:
        monkeypatch.setattr("sys.stdin", piped)
        assert run(arguments) == 0
    assert capsys.readouterr().out


def test_the_solve_command_sets_up_a_new_environment_and_solves_every_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    solve, _ = blocks("sh")
    setup, install, run_it = (part.strip() for part in solve.split("&&"))
    assert setup == "python3 -m venv .venv"
    assert install == ".venv/bin/pip install -q -c constraints.txt ."
    assert run_it == ".venv/bin/dgsolve sudoku puzzles/"
    done = subprocess.run(
        [sys.executable, "-m", "dgsolve", "sudoku", "puzzles/"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == count_puzzles(["puzzles/"], None, None)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    _, test = blocks("sh")
    script = ROOT / ".ci" / "run"
    assert script.read_text("utf-8").splitlines()[-1] == test.strip()
    assert os.access(script, os.X_OK)


def test_every_required_package_is_pinned() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    names = {re.split(r"[<>=!~; \[]", requirement)[0].lower().replace("-", "_") for requirement in wanted}
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if "==" in line)
    assert names <= {name.lower().replace("-", "_") for name in pins}
    assert pins["torch"] == "2.13.0"


def test_links_of_the_readme_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
