"""What a frame looks like on a terminal."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.console import Console

from dgsolve.grid_kinds import grid_kinds
from dgsolve.problems.sudoku import Sudoku
from dgsolve.solution import Blocks
from dgsolve.ui.canvas_view import CanvasView
from dgsolve.ui.palette import FAULT_COLOR, FORCED_COLOR, IN_COLOR, UNSURE, look

from .conftest import Draft

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
    assert "mean entropy 0.500 · confidence 45.0% · accepted 4 of 12 · faulty 4" in text
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


def luminance(color):
    """Relative luminance, WCAG 2.2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("color", [*(color for _, color in UNSURE.values()), FAULT_COLOR, FORCED_COLOR])
@pytest.mark.parametrize("paper", ["#ffffff", "#000000", "#0d1117"])
def test_every_colour_can_be_read_on_light_and_dark(color, paper):
    low, high = sorted((luminance(color), luminance(paper)))
    assert (high + 0.05) / (low + 0.05) >= 3.0


def test_terminals_and_pictures_have_the_same_colours():
    colors = {name: color for name, (_, color) in UNSURE.items()} | {"fault": FAULT_COLOR, "forced": FORCED_COLOR}
    for name, color in colors.items():
        assert IN_COLOR[name].color.get_truecolor() == Color.parse(color).triplet


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


SIX = (0, 1, 2, 3, 4, 5, -1)


def test_a_text_is_drawn_in_the_looks_of_its_slots(screen, make_frame, draft):
    first = drawn(screen(80), CanvasView(make_frame(draft, values=SIX))).split("\n")[0]
    forced, fault, unsure = "\x1b[3;38;5;243m", "\x1b[1;7;38;5;160m", "\x1b[38;5;30m"
    assert first == f'{forced}{{"a":\x1b[0m{fault} "\x1b[0mx{unsure}é\x1b[0m{fault}"}}\x1b[0m'


def test_figures_of_a_text_count_the_slots_that_are_drawn(screen, make_frame, draft):
    frame = make_frame(draft, values=SIX, entropy=(0.3,) * 6 + (9.0,), faulty=(False,) * 7, restarts=0)
    assert plain_lines(screen(80), CanvasView(frame))[1:] == [
        "six pieces",
        "pass  3 · 0.7 tokens settled per pass",
        "mean entropy 0.300 · confidence 35.0% · accepted 2 of 6 · faulty 0",
        "━" * 11 + "─" * 21 + " 2 of 6 settled",
        "forced by the form · settled · faulty · not settled: unsure ■■■■■■ sure",
        "",
    ]


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (Blocks((7,), 48), "step  7 of 48"),
        (Blocks((7,), 48, ended=True), "settled after 7 of 48 steps"),
        (Blocks((48,), 48, ended=True), "step 48 of 48"),
        (Blocks((9, 3), 48, 4), "block 2 of 4 · step  3 of 48 · block 1 took 9"),
        (Blocks((9, 48, 5), 48, 4, ended=True), "block 3 of 4 · settled after 5 of 48 steps · block 2 took 48"),
    ],
)
def test_figures_tell_the_block_in_work_its_step_and_an_early_stop(screen, make_frame, draft, small, blocks, said):
    lines = plain_lines(screen(120), CanvasView(make_frame(draft, values=SIX, restarts=0, blocks=blocks)))
    assert f"{said} · 0.7 tokens settled per step" in lines
    if blocks.count == 1:
        grid = plain_lines(screen(80), CanvasView(make_frame(small, blocks=blocks)))
        assert f"{said} · canvas 2 of 8 · restarts 2 · 12.0 steps/s" in grid


def test_without_colour_the_legend_tells_forced_faulty_and_the_rest_apart(make_frame, draft, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(file=io.StringIO(), width=80, force_terminal=True)
    legend = drawn(console, CanvasView(make_frame(draft, values=SIX))).split("\n")[-2]
    forced, fault, unsure = "\x1b[3mforced by the form\x1b[0m", "\x1b[7mfaulty\x1b[0m", "\x1b[2mnot settled\x1b[0m"
    assert legend == f"{forced} · settled · {fault} · {unsure}"


def test_of_a_text_that_is_higher_than_the_screen_the_end_is_drawn(screen, make_frame):
    frame = make_frame(Draft([f"line {row}\n" for row in range(30)], ()), values=tuple(range(30)))
    lines = plain_lines(screen(80), CanvasView(frame, height=12))[:-1]
    assert len(lines) == 12
    assert lines[:2] == ["... 25 lines above", "line 25"] and lines[6:8] == ["", "six pieces"]
    assert plain_lines(screen(80), CanvasView(frame))[0] == "line 0"


@pytest.mark.parametrize("width", [20, 80, 120])
def test_wide_characters_fit_the_width(screen, make_frame, width):
    words = ["日本語の文章", "👩‍👩‍👧", "🇵🇹 ", "e\u0301", "x" * 150]
    lines = plain_lines(screen(width), CanvasView(make_frame(Draft(words, ()), values=tuple(range(5)))))
    end = next(row for row, line in enumerate(lines) if line.startswith("six"))
    assert max(map(cell_len, lines)) <= width
    assert "".join(lines[:end]).replace(" ", "") == "".join(words).replace(" ", "")


def test_control_characters_of_a_text_do_nothing(screen, make_frame):
    frame = make_frame(Draft(["a\x1b[2J", "\r\x07\x7f", "\x9b1m"], ()), values=(0, 1, 2), faulty=(False,) * 3)
    assert plain_lines(screen(80), CanvasView(frame))[0] == "a␛[2J␍␇␡\ufffd1m"


def test_terminals_of_ascii_get_question_marks_for_the_rest(make_frame):
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(file=file, width=80).print(CanvasView(make_frame(Draft(["Zo", "ë"], ()), values=(0, 1))))
    file.seek(0)
    assert file.read().startswith("Zo?\n")


def test_a_low_screen_costs_no_clue_of_a_grid(screen, make_frame):
    wide = grid_kinds()["nonogram"].read({"row_clues": [[12]] * 12, "col_clues": [[12]] * 12})
    sure = {"probability": (1.0,) * 144, "entropy": (0.0,) * 144}
    flags = {"accepted": (True,) * 144, "locked": (False,) * 144, "faulty": (False,) * 144}
    frame = make_frame(wide, values=(1,) * 144, **sure, **flags)
    lines = plain_lines(screen(60), CanvasView(frame, height=16))
    assert lines[0].split() == ["12"] * 12 and lines[2] == "12 │" + "█" * 36 + "│"
    assert not any("top of" in line for line in lines)


def settled(make_frame, grid):
    slots = len(grid.cells)
    sure = {"probability": (1.0,) * slots, "entropy": (0.0,) * slots}
    flags = {"accepted": (True,) * slots, "locked": (False,) * slots, "faulty": (False,) * slots}
    return make_frame(grid, values=(0,) * slots, **sure, **flags)


def test_a_low_screen_has_fewer_figures_before_it_loses_a_wall(screen, make_frame):
    tall = grid_kinds()["nonogram"].read({"row_clues": [[9, 6]] * 20, "col_clues": [[12]] * 25})
    lines = plain_lines(screen(90), CanvasView(settled(make_frame, tall), height=25))[:-1]
    assert len(lines) == 25 and lines[1].strip().startswith("┌") and lines[22].strip().startswith("└")
    assert lines[23].startswith("step  3") and lines[24].endswith(" 500 of 500 settled")


@pytest.mark.parametrize("width", [80, 120])
def test_a_killer_too_tall_for_the_screen_leaves_out_its_cages_and_says_so(screen, make_frame, width):
    pairs = [{"cells": f"r{r}c{c} r{r + 1}c{c}", "sum": 9} for r in range(1, 17, 2) for c in range(1, 17)]
    killer = grid_kinds()["sudoku"].read({"size": 16, "cages": pairs})
    lines = plain_lines(screen(width), CanvasView(settled(make_frame, killer), height=24))[:-1]
    assert len(lines) <= 24 and sum(line.startswith("│") for line in lines) == 16
    assert any(re.match(r"not drawn: 128 cages\s", f"{line} ") for line in lines)  # the boxes are
    assert sum(line.startswith("├") for line in lines) == 3
    assert "256 of 256 settled" in "".join(lines)
    assert len(plain_lines(screen(width), CanvasView(settled(make_frame, killer)))) > 30


def test_what_no_screen_holds_is_cropped_and_says_how_many_lines_follow(screen, make_frame):
    queens = grid_kinds()["n_queens"].read({"size": 20})
    frame = settled(make_frame, queens)
    assert sum("♛" in line for line in plain_lines(screen(80), CanvasView(frame, height=24))) == 20
    takuzu = grid_kinds()["takuzu"].read({"height": 30, "width": 30})
    for width in (80, 120):
        lines = plain_lines(screen(width), CanvasView(settled(make_frame, takuzu), height=20))[:-1]
        assert len(lines) == 20 and "900 of 900 settled" in "".join(lines)
        shown = sum(line.startswith("│") for line in lines)
        assert any(line.startswith(f"... {30 + 1 - shown} more lines") for line in lines)


def test_graphs_are_packed_into_the_lines_of_the_screen(screen, make_frame):
    edges = [f"n{a} n{b}" for a in range(60) for b in range(a) if (a * b) % 7 == 1]
    graph = grid_kinds()["coloring"].read({"colours": 9, "edges": edges})
    lines = plain_lines(screen(80), CanvasView(settled(make_frame, graph), height=24))[:-1]
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert all(f"{name} " in "".join(lines) for name in graph.names) and "─ n" in lines[0]


def test_a_grid_has_its_looks_without_colour_and_in_ascii(make_frame, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    cages = [{"cells": "r1c1 r1c2", "sum": 3}]
    killer = grid_kinds()["sudoku"].read({"size": 4, "cages": cages})
    sure = {"probability": (1.0,) * 16, "entropy": (0.0,) * 16}
    flags = {"accepted": (True,) * 16, "locked": (False,) * 16, "faulty": (True,) + (False,) * 15}
    frame = make_frame(killer, values=(0, 1, 2, 3) * 4, **sure, **flags)
    text = drawn(Console(file=io.StringIO(), width=80, force_terminal=True), CanvasView(frame))
    assert {code for codes in STYLES.findall(text) for code in codes.split(";")} == {"0", "1", "2", "3", "7"}
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(file=file, width=80).print(CanvasView(frame))
    file.seek(0)
    assert file.read().startswith("+3======+=======+\n# 1   2 # 3   4 #\n+-------+       #\n")
