"""What a frame looks like on a terminal."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from dgsolve.problems.sudoku import Sudoku
from dgsolve.ui.canvas_view import CanvasView
from dgsolve.ui.palette import IN_COLOR, look

STYLES = re.compile(r"\x1b\[([0-9;]*)m")


def drawn(console, view):
    console.print(view)
    return console.file.getvalue()


def plain_lines(console, view):
    return STYLES.sub("", drawn(console, view)).split("\n")


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(("size", "grid_width"), [(4, 13), (6, 17), (9, 25), (12, 31), (16, 41), (25, 61)])
def test_every_cell_is_drawn_within_the_width(screen, make_frame, size, grid_width, width):
    puzzle = Sudoku((1, 0, 2) + (0,) * (size * size - 3))
    frame = make_frame(puzzle)
    lines = plain_lines(screen(width), CanvasView(frame))
    rows = [line for line in lines if line.startswith("│")]
    shown = [cell for row in rows for cell in re.findall(r"[0-9A-Z]", row)]
    assert shown == [puzzle.symbols[value] for value in frame.values]
    assert {len(row.rstrip()) for row in rows} == {grid_width}
    assert sum(line.startswith(("┌", "├", "└")) for line in lines) == size // puzzle.box_rows + 1
    assert max(map(len, lines)) <= width


def test_narrow_screens_get_cells_without_gaps(screen, make_frame):
    rows = plain_lines(screen(40), CanvasView(make_frame(Sudoku((0,) * 625))))
    assert {len(row.rstrip()) for row in rows if row.startswith("│")} == {31}


def test_symbols_of_two_characters_line_up(screen, make_frame):
    puzzle = Sudoku((0,) * 256, symbols=tuple(f"{value:02}" for value in range(1, 17)))
    rows = [row.rstrip() for row in plain_lines(screen(80), CanvasView(make_frame(puzzle))) if row.startswith("│")]
    assert rows[0].startswith("│ 01 02 03 04 │ 05 06 07 08 │")
    assert {len(row) for row in rows} == {57}


def test_figures(screen, make_frame, small):
    text = "\n".join(plain_lines(screen(80), CanvasView(make_frame(small, step=5))))
    assert "4x4 Sudoku, 4 givens" in text
    assert "step  5 · canvas 2 of 8 · restarts 2 · 20.0 steps/s" in text
    assert "mean entropy 0.500 · accepted 4 of 12 · faulty 4" in text
    assert "8 of 16 settled" in text
    assert text.count("━") == 16


def test_speed_is_left_out_until_it_is_known(screen, make_frame, small):
    assert "steps/s" not in "\n".join(plain_lines(screen(80), CanvasView(make_frame(small, seconds=0.0))))


def test_looks(make_frame, small):
    frame = make_frame(small, probability=(1.0, 0.0, 0.0, 0.0, 1.0, 0.17, 0.0, 0.0, 1.0, 0.99) + (1.0,) * 6)
    looks = [look(frame, slot, small.grid().givens) for slot in range(16)]
    assert looks[:6] == ["given", "unsure0", "fault", "settled", "given", "fault"]
    assert (looks[10], looks[13]) == ("unsure5", "unsure5")
    assert len({str(style) for style in IN_COLOR.values()}) == len(IN_COLOR)


def test_styles_reach_the_terminal(screen, make_frame, small):
    first_row = next(line for line in drawn(screen(80), CanvasView(make_frame(small))).split("\n") if "1" in line)
    assert "\x1b[1m1\x1b[0m" in first_row  # given: bold
    assert "\x1b[38;5;136m2\x1b[0m" in first_row  # unsure, probability 0.2
    assert "\x1b[1;7;38;5;160m3\x1b[0m" in first_row  # faulty: red


def test_without_colour_there_is_no_colour_code(make_frame, small, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(file=io.StringIO(), width=80, force_terminal=True)
    text = drawn(console, CanvasView(make_frame(small)))
    assert {code for codes in STYLES.findall(text) for code in codes.split(";")} == {"0", "1", "2", "7"}
    piped = Console(file=io.StringIO(), width=80)
    assert "\x1b" not in drawn(piped, CanvasView(make_frame(small)))


def test_force_color_colours_a_pipe(make_frame, small, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m1" in drawn(Console(file=io.StringIO(), width=80), CanvasView(make_frame(small)))


def test_terminals_of_ascii_get_ascii(make_frame, small):
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(file=file, width=80).print(CanvasView(make_frame(small)))
    file.seek(0)
    text = file.read()
    assert text.startswith("+-----+-----+\n| 1 2 | 3 4 |\n")
    assert "################----------------" in text


@pytest.mark.parametrize(("size", "figures_at"), [(9, 0), (16, 43), (25, 33)])
def test_low_screens_get_the_figures_beside_the_grid(screen, make_frame, size, figures_at):
    lines = plain_lines(screen(80), CanvasView(make_frame(Sudoku((0,) * size**2)), height=24))
    place = next(line for line in lines if "mean entropy 0.500" in line)
    assert place.index("mean entropy") == figures_at
    assert lines.index(place) < 24
    assert max(map(len, lines)) <= 80


def test_what_is_no_grid_is_shown_as_text(screen, make_frame, word):
    lines = plain_lines(screen(80), CanvasView(make_frame(word, values=(0, 1, 2, 3, 4))))
    assert lines[0].rstrip() == "abc<&"
    assert lines[1].rstrip() == "a word"
