"""Streams that are closed, full or narrow, and Ctrl-C before anything is imported: no traceback, no lost result."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dgsolve.cli.app import run

REPEATED = "11" + "." * 14  # judged without torch
needs_full_disk = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")


def shell(redirection: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m dgsolve ARGUMENTS REDIRECTION`, as a shell runs it."""
    line = f'exec "{sys.executable}" -m dgsolve "$@" {redirection}'
    return subprocess.run(
        ["sh", "-c", line, "sh", *arguments], capture_output=True, text=True, env={**os.environ, **environment}
    )


@needs_full_disk
@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_full_stdout_is_said_with_exit_code_2(option: tuple[str, ...]) -> None:
    done = shell("> /dev/full", "sudoku", REPEATED, *option)
    assert done.returncode == 2 and "No space left on device" in done.stderr
    assert "fault in dgsolve" not in done.stderr and "Exception ignored" not in done.stderr


@needs_full_disk
def test_a_full_stderr_costs_no_result() -> None:
    done = shell("2> /dev/full", "sudoku", REPEATED)
    assert (done.returncode, done.stdout) == (2, "MODEL_INVALID\n")


@needs_full_disk
@pytest.mark.parametrize("option", ["--output", "--save-trace"])
def test_a_full_disk_names_the_file(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["sudoku", "1...3...4...2...", "--denoiser", "random", "--steps", "2", option, "/dev/full"])
    err = capsys.readouterr().err
    assert code == 2 and "/dev/full: No space left on device" in err


def test_closed_streams_are_no_fault() -> None:
    assert "file is empty" in (done := shell("<&-", "sudoku", "-")).stderr and done.returncode == 2
    assert "stands twice" in (done := shell(">&-", "sudoku", REPEATED)).stderr and done.returncode == 2
    assert (done := shell("2>&-", "sudoku", REPEATED)).stdout == "MODEL_INVALID\n" and done.returncode == 2


def test_json_can_be_written_in_any_encoding(tmp_path: Path) -> None:
    (tmp_path / "sn\u00f6.txt").write_text("\u2603" * 2 + "." * 14, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dgsolve", "sudoku", "sn\u00f6.txt", "--symbols", "\u2603\u2665\u2666\u2663", "--json"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        cwd=tmp_path,
    )
    found = json.loads(done.stdout)
    assert found["source"]["file"] == "sn\u00f6.txt" and found["faults"][0]["message"].startswith("\u2603 stands")


def test_ctrl_c_while_dgsolve_is_imported_is_130() -> None:
    code = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'dgsolve.cli.app': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from dgsolve.cli import main\n"
        "main(['sudoku', 'x'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--seed", 2**63),
        ("--steps", 10**30),
        ("--attempts", 10**6),
        ("--threads", 10**5),
        ("--all", 10**6),
    ],
)
def test_numbers_that_a_machine_cannot_hold_are_refused(
    option: str, value: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sudoku", REPEATED, option, str(value)]) == 2
    assert f"Invalid value for '{option}'" in capsys.readouterr().err


def test_a_file_that_is_read_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_text(REPEATED)
    for option in ("--output", "--save-trace"):
        assert run(["sudoku", str(puzzle), option, str(puzzle)]) == 2
        assert f"{option} {puzzle} is one of the puzzle files" in capsys.readouterr().err
    both = str(tmp_path / "both")
    assert run(["sudoku", str(puzzle), "--output", both, "--save-trace", both]) == 2
    assert puzzle.read_text() == REPEATED and not Path(both).exists()


def test_training_in_a_place_that_is_no_folder_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert run(["train", "relational", str(tmp_path / "file"), "--minutes", "0"]) == 2
    assert "Not a directory" in capsys.readouterr().err
