"""When and how the canvas and the progress line are drawn."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from dgsolve.problems.sudoku import Sudoku
from dgsolve.ui import live
from dgsolve.ui.live import LiveCanvas, NoCanvas, live_canvas
from dgsolve.ui.progress import NoProgress, ProgressLine, progress_line, progress_text
from dgsolve.ui.terminal import can_redraw

from .conftest import Draft


@pytest.mark.parametrize(
    ("environment", "quiet", "expected"),
    [
        ({}, False, True),
        ({}, True, False),
        ({"CI": "true"}, False, False),
        ({"CI": "false"}, False, True),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, True),
    ],
)
def test_where_lines_can_be_redrawn(terminal, monkeypatch, environment, quiet, expected):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    console = Console(file=terminal)
    assert can_redraw(console, quiet=quiet) is expected
    assert isinstance(live_canvas(console, quiet=quiet), LiveCanvas if expected else NoCanvas)
    assert isinstance(progress_line(console, 3, quiet=quiet), ProgressLine if expected else NoProgress)


def test_a_pipe_is_never_redrawn_even_with_force_color(monkeypatch, make_frame, small):
    monkeypatch.setenv("FORCE_COLOR", "1")
    console = Console(file=io.StringIO())
    with live_canvas(console) as canvas, progress_line(console) as progress:
        canvas.on_frame(make_frame(small))
        progress.add(solved=True)
        with progress.aside():
            pass
    assert console.file.getvalue() == ""


def test_frames_in_quick_succession_are_skipped_but_never_the_last(terminal, make_frame, small, monkeypatch):
    monkeypatch.setattr(live.time, "monotonic", lambda: 100.0)
    with LiveCanvas(Console(file=terminal, width=80), stay=True) as canvas:
        for step in range(1, 31):
            canvas.on_frame(make_frame(small, step=step))
    text = terminal.getvalue()
    assert "step  1 " in text
    assert "step 15 " not in text
    assert text.count("step 30 ") >= 1


def test_frames_with_time_between_are_all_drawn(terminal, make_frame, small, monkeypatch):
    now = iter(range(1000))
    monkeypatch.setattr(live.time, "monotonic", lambda: float(next(now)))
    with LiveCanvas(Console(file=terminal, width=80)) as canvas:
        for step in range(1, 9):
            canvas.on_frame(make_frame(small, step=step))
    assert all(f"step  {step} " in terminal.getvalue() for step in range(1, 9))


def test_until_the_first_frame_it_says_what_is_waited_for(terminal, make_frame, small):
    with live_canvas(Console(file=terminal, width=80), waiting="Reading the prompt ...") as canvas:
        assert "Reading the prompt ..." in terminal.getvalue()
        canvas.on_frame(make_frame(small))
    assert terminal.getvalue().count("Reading the prompt ...") == 1


def drawn(terminal):
    return {int(row) for row in re.findall(r"line (\d+)", terminal.getvalue())}


def test_a_text_that_stays_stays_whole(terminal, make_frame):
    frame = make_frame(Draft([f"line {row}\n" for row in range(30)], ()), values=tuple(range(30)))
    with LiveCanvas(Console(file=terminal, width=80, height=12), stay=True) as canvas:
        canvas.on_frame(frame)
        assert "25 lines above" in terminal.getvalue() and drawn(terminal) == {25, 26, 27, 28, 29}
    assert drawn(terminal) == set(range(30))


def test_a_grid_that_stays_stays_whole(terminal, make_frame):
    with LiveCanvas(Console(file=terminal, width=80, height=12), stay=True) as canvas:
        canvas.on_frame(make_frame(Sudoku((0,) * 256)))
        assert "more lines" in terminal.getvalue() and "└" not in terminal.getvalue()
    assert "└" in terminal.getvalue()


def test_the_cursor_comes_back_and_stdout_is_left_alone(terminal, make_frame, small, capsys):
    with pytest.raises(KeyboardInterrupt), LiveCanvas(Console(file=terminal, width=80)) as canvas:
        canvas.on_frame(make_frame(small))
        print("a result")
        raise KeyboardInterrupt
    assert terminal.getvalue().rindex("\x1b[?25h") > terminal.getvalue().rindex("\x1b[?25l")
    assert capsys.readouterr().out == "a result\n"
    assert "a result" not in terminal.getvalue()


def test_progress_in_words():
    known = progress_text(338, 2, 1000, 10.0, width=120).plain
    assert known == "━" * 8 + "─" * 16 + " 340 of 1,000 · 34.0/s · solved 338 · failed 2 · 0:19 left"
    assert progress_text(12, 0, None, 4.0).plain == "12 done · 3.0/s · solved 12 · failed 0"
    assert progress_text(0, 0, 50, 0.0).plain == "─" * 24 + " 0 of 50 · 0.0/s · solved 0 · failed 0"
    assert progress_text(1, 0, 100_000, 1.0).plain.endswith("27:46:39 left")
    assert progress_text(7, 0, 5, 1.0).plain.startswith("━" * 24 + " 7 of 5")


@pytest.mark.parametrize("done", [0, 9, 9_999, 1_234_567])
def test_progress_fits_80_columns(done):
    line = progress_text(done, done // 2, 10 * done + 1, 12_345.0)
    assert line.cell_len <= 80 or "━" not in line.plain
    assert f"solved {done:,} · failed {done // 2:,}" in line.plain


def test_the_progress_line_counts_and_goes_away(terminal, monkeypatch):
    progress = progress_line(Console(file=terminal, width=100), 4)
    now = iter(range(1000))
    monkeypatch.setattr("dgsolve.ui.progress.time.monotonic", lambda: float(next(now)))
    with progress:
        progress.add(solved=True)
        progress.add(solved=False)
        with progress.aside():
            cleared = terminal.getvalue()
            terminal.write("a result\n")
    assert "2 of 4" in cleared
    assert "solved 1 · " in cleared and "failed 1" in cleared
    assert cleared.endswith("\x1b[2K")
    assert terminal.getvalue().rindex("\x1b[?25h") > terminal.getvalue().rindex("\x1b[?25l")
