"""What only a process of its own shows: Ctrl-C, closed pipes, colours, the entry points."""

import contextlib
import json
import os
import signal
import subprocess
import sys

import pytest

DGSOLVE = [sys.executable, "-m", "dgsolve"]
REPEATED = "11" + "." * 79 + "\n"  # judged without torch


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    return {**kept, **more}


def started(*arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [*DGSOLVE, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, preexec_fn=_heed_ctrl_c)


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # in a job in the background it is ignored


def test_ctrl_c_exits_130_with_everything_done_printed() -> None:
    process = started("sudoku", "-")
    assert process.stdin and process.stdout
    process.stdin.write(REPEATED * 3)
    process.stdin.flush()
    first = process.stdout.readline()  # printed and flushed while the input is still open
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (first + out).split() == ["MODEL_INVALID"] * (first + out).count("\n") and first
    assert "Interrupted" in err and "Traceback" not in err


def test_a_closed_pipe_is_quiet() -> None:
    process = started("sudoku", "-q", "-")
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
        stdin.write(REPEATED * 2000)
    with process.stderr:
        err = process.stderr.read()
    assert process.wait(timeout=20) == 0
    assert "BrokenPipe" not in err and "Traceback" not in err and "Exception ignored" not in err


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False), ({}, False)],
)
def test_colour_follows_the_environment(variables: dict[str, str], coloured: bool) -> None:
    done = subprocess.run(
        [*DGSOLVE, "sudoku", REPEATED.strip()], capture_output=True, text=True, env=environment(**variables)
    )
    assert done.returncode == 2 and done.stdout == "MODEL_INVALID\n"
    assert ("\x1b[31m" in done.stderr) is coloured


def test_a_fault_of_dgsolve_is_one_line_without_debug_and_a_traceback_with_it() -> None:
    code = (
        "import sys, dgsolve.cli.app as app\n"
        "def broken(arguments): raise RuntimeError('boom')\n"
        "app.run = broken\n"
        "from dgsolve.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    quiet = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert quiet.returncode == 1 and quiet.stderr.startswith("dgsolve failed: RuntimeError: boom\n")
    assert "Traceback" not in quiet.stderr and "--debug" in quiet.stderr
    loud = subprocess.run([sys.executable, "-c", code, "--debug"], capture_output=True, text=True)
    assert loud.returncode == 1 and "Traceback" in loud.stderr


def test_the_installed_script_gives_version_help_and_completion() -> None:
    script = os.path.join(os.path.dirname(sys.executable), "dgsolve")
    version = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("dgsolve 0.")
    words = environment(_DGSOLVE_COMPLETE="complete_bash", COMP_WORDS="dgsolve su", COMP_CWORD="1")
    offered = subprocess.run([script], capture_output=True, text=True, env=words)
    assert offered.stdout.split() == ["sudoku"]


def test_json_of_a_process_is_one_object_a_line() -> None:
    done = subprocess.run([*DGSOLVE, "sudoku", "-", "--json"], input=REPEATED * 2, capture_output=True, text=True)
    assert [json.loads(line)["source"]["line"] for line in done.stdout.splitlines()] == [1, 2]
