"""A run is saved with --save-trace, played again, and exported."""

import io
import sys
from pathlib import Path

import pytest

from dgsolve.cli.app import run
from dgsolve.ui.trace import load_trace

PUZZLE = "1...3...4...2..."


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("trace") / "run.jsonl.gz"
    arguments = ["--denoiser", "random", "--steps", "300", "--no-fallback", "--save-trace", str(file), "-q"]
    assert run(["sudoku", PUZZLE, *arguments]) == 0
    return file


def test_the_trace_holds_every_step(trace: Path) -> None:
    frames = load_trace(trace)
    assert [frame.step for frame in frames] == list(range(1, len(frames) + 1))
    assert not any(frames[-1].faulty)


def test_saving_a_trace_says_how_to_play_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my run.jsonl"
    run(["sudoku", PUZZLE, "--denoiser", "random", "--steps", "2", "--save-trace", str(file)])
    assert f"Wrote the steps to {file}; play them with: dgsolve replay '{file}'" in capsys.readouterr().err


def test_replay_without_a_terminal_prints_the_last_frame(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(trace)]) == 0
    shown = capsys.readouterr().out
    assert "│ 1 " in shown and f"settled after {len(load_trace(trace))} of " in shown


@pytest.mark.parametrize(("name", "start"), [("run.svg", "<svg"), ("run.html", "<!")])
def test_replay_exports_and_says_so(
    trace: Path, tmp_path: Path, name: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(trace), "-o", str(tmp_path / name)]) == 0
    assert f"Wrote {tmp_path / name}: {len(load_trace(trace))} steps, at 4 a second." in capsys.readouterr().err
    assert (tmp_path / name).read_text("utf-8").lstrip().startswith(start)


def test_replay_refuses_what_it_cannot_read_or_write(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", "no/such/trace"]) == 2
    assert "no/such/trace" in capsys.readouterr().err
    assert run(["replay", str(trace), "-o", str(tmp_path / "run.gif")]) == 2
    assert ".svg or .html" in capsys.readouterr().err
    assert run(["replay", str(trace), "--speed", "0"]) == 2


ASKED = ["Solve this Sudoku:\n3....4.......2.4", "--schema", '{"type": "integer"}', "--no-instruct"]
OF_DIFFUSION_GEMMA = {
    "a grid": ["sudoku", "3....4.......2.4", "--denoiser", "diffusion-gemma", "--no-fallback"],
    "a text": ["json", *ASKED, "--model", "diffusion-gemma"],
}


@pytest.mark.parametrize("what", OF_DIFFUSION_GEMMA)
def test_a_diffusion_gemma_is_replayed_with_the_confidence_of_each_step_and_its_early_stop(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
    file, page = tmp_path / "run.jsonl", tmp_path / "run.html"
    assert run([*OF_DIFFUSION_GEMMA[what], "--save-trace", str(file)]) == 0
    assert run(["replay", str(file)]) == 0
    shown, frames = capsys.readouterr().out, load_trace(file)
    blocks = [frame.blocks for frame in frames]
    assert all(block is not None and block.most == 48 for block in blocks)
    assert [block.ended for block in blocks if block] == [False] * (len(frames) - 1) + [True] and blocks[-1].early
    assert f"settled after {len(frames)} of 48 steps" in shown and f"confidence {frames[-1].confidence:.1%}" in shown
    assert len({frame.probability for frame in frames}) > 1, "each step has its own"
    assert run(["replay", str(file), "-o", str(page)]) == 0
    assert f"settled after {len(frames)} of 48 steps" in page.read_text("utf-8")
