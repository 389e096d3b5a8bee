"""What grids look like in characters: every kind whole, to the letter, in 80 columns and in fewer."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from unicodedata import name

import pytest

import dgsolve
from dgsolve.drawing.ascii import in_ascii
from dgsolve.drawing.lattice import JUNCTIONS, Weight, junction
from dgsolve.drawing.looks import CLUE, FAULT, GIVEN, SETTLED, TINTED
from dgsolve.drawing.text import drawn
from dgsolve.drawing.text_page import TextPage
from dgsolve.grid_kinds import grid_kinds
from dgsolve.problem import GridLayout

EXAMPLES = sorted((Path(__file__).parents[2] / "puzzles" / "grids").glob("*.toml"))


def lines(grid: dgsolve.Grid, answer: object = None, width: int = 80) -> list[str]:
    return str(grid.picture(answer, width=width)).split("\n")


def of_kind(kind: str, **options: object) -> dgsolve.Grid:
    return grid_kinds()[kind].read(options)


def test_a_killer_has_heavy_boxes_light_cages_and_passages() -> None:
    cages = [{"cells": "r1c1 r2c1", "sum": 5}, {"cells": "r1c2 r1c3", "sum": 3}, {"cells": "r3c3 r3c4 r4c4", "sum": 6}]
    killer = of_kind("sudoku", size=4, cages=[*cages, {"cells": "r4c1", "sum": 4}], givens="4... .... .... ....")
    assert lines(killer) == [
        "┏5━━┯3━━┳━━━┯━━━┓",
        "┃ 4 │ · ┇ · │ · ┃",
        "┃   ├───╂───┘   ┃",
        "┃ · │ · ┃ ·   · ┃",
        "┣━━━┷━━━╋6━━━━━━┫",
        "┃ ·   · ┃ ·   · ┃",
        "┠4──┐   ┠───┐   ┃",
        "┃ · │ · ┃ · │ · ┃",
        "┗━━━┷━━━┻━━━┷━━━┛",
    ]
    narrow = lines(killer, width=16)
    assert narrow[:5] == ["┏━┯━┳━┯━┓", "┃4│·┇·│·┃", "┃ ├─╂─┘ ┃", "┃·│·┃· ·┃", "┣━┷━╋━━━┫"]
    assert narrow[-2:] == ["r1c1 5, r1c2 3,", "r3c3 6, r4c1 4"]
    assert [in_ascii(line) for line in lines(killer)[:2]] == ["+5==+3==+===+===+", "# 4 | . : . | . #"]


def test_regions_of_a_jigsaw_are_walls() -> None:
    assert lines(of_kind("sudoku", size=4, regions=["AABB", "ACBB", "ACDD", "CCDD"])) == [
        "┌───────┬───────┐",
        "│ ·   · │ ·   · │",
        "│   ┌───┤       │",
        "│ · │ · │ ·   · │",
        "│   │   ├───────┤",
        "│ · │ · │ ·   · │",
        "├───┘   │       │",
        "│ ·   · │ ·   · │",
        "└───────┴───────┘",
    ]


def test_signs_turn_with_their_cells() -> None:
    greater = ["r1c2 r1c1", "r1c2 r1c3", "r2c1 r1c1", "r2c2 r3c2"]
    futoshiki = of_kind("futoshiki", size=3, greater=greater, adjacent=["r3c2 r3c3"], givens="1.. ... ...")
    assert lines(futoshiki) == [
        "┌───────────┐",
        "│ 1 < · > · │",
        "│ ∧         │",
        "│ ·   ·   · │",
        "│     ∨     │",
        "│ ·   · ○ · │",
        "└───────────┘",
    ]
    assert lines(futoshiki, width=12)[1:3] == ["│1<·>·│", "│∧    │"]
    assert in_ascii(lines(futoshiki)[5]) == "| .   . o . |"
    takuzu = of_kind("takuzu", height=2, width=2, equal=["r1c1 r2c1"], unequal=["r1c2 r1c1"])
    assert lines(takuzu)[1:3] == ["│ · ≠ · │", "│ =     │"]


def test_thermometers_grow_along_signs_and_arrows() -> None:
    assert lines(of_kind("sudoku", size=4, thermos=["r1c1 r1c2 r2c3 r3c2", "r4c1 r3c1"])) == [
        "┌───────┬───────┐",
        "│ · < · │ ·   · │",
        "│       ↘       │",
        "│ ·   · │ ·   · │",
        "├───────↙───────┤",
        "│ ·   · │ ·   · │",
        "│ ∨     │       │",
        "│ ·   · │ ·   · │",
        "└───────┴───────┘",
    ]


def test_skyscrapers_have_clues_on_all_sides() -> None:
    towers = of_kind("skyscrapers", size=3, top=[1, 2, 0], bottom=[0, 3, 1], left=[1, 0, 2], right=[0, 2, 0])
    assert lines(towers) == [
        "    1 2",
        "  ┌───────┐",
        "1 │ · · · │",
        "  │ · · · │ 2",
        "2 │ · · · │",
        "  └───────┘",
        "      3 1",
    ]


def test_a_nonogram_is_filled_and_its_runs_stand_outside() -> None:
    nonogram = of_kind("nonogram", row_clues=[[1, 1], [3], []], col_clues=[[2], [1], [2]])
    assert lines(nonogram) == [
        "     2 1 2",
        "    ┌──────┐",
        "1 1 │      │",
        "  3 │      │",
        "  0 │      │",
        "    └──────┘",
    ]
    solved = lines(nonogram, [1, 0, 1, 1, 1, 1, 0, 0, 0])
    assert solved[2:5] == ["1 1 │██· ██│", "  3 │██████│", "  0 │· · · │"]
    assert in_ascii(solved[2]) == "1 1 |##. ##|"


def test_runs_of_two_digits_stay_apart_or_are_listed() -> None:
    long = of_kind("nonogram", row_clues=[[2]] * 10, col_clues=[[10], [10]])
    assert lines(long)[0] == "    10 10" and lines(long)[2] == "2 │      │"
    assert lines(long, width=7)[-2:] == ["top of c1: 10,", "top of c2: 10"]


def test_faulty_cells_are_seen_though_they_are_filled() -> None:
    layout = of_kind("nonogram", row_clues=[[2]], col_clues=[[1], [1]]).grid()
    assert drawn(layout, [("1", FAULT), ("1", SETTLED)], 80)[2][3:5] == [("▒▒", FAULT), ("██", SETTLED)]


def test_shaded_cells_of_hitori_keep_their_numbers() -> None:
    hitori = of_kind("hitori", board=["1 1 12", "2 3 1"])
    assert lines(hitori) == ["┌────────────┐", "│ 1   1   12 │", "│ 2   3   1  │", "└────────────┘"]
    assert lines(hitori, [1, 0, 0, 0, 0, 1])[1:3] == ["│▐1▌  1   12 │", "│ 2   3  ▐1▌ │"]
    assert in_ascii(lines(hitori, [0, 0, 1, 0, 0, 0])[1]) == "| 1   1  [12]|"
    narrow = of_kind("hitori", board=["1 1 2"] * 3)
    assert lines(narrow, [1] * 9, width=5)[1] == "│▐1▌▐1▌▐2▌│"
    faulty = drawn(hitori.grid(), [("1", FAULT)] * 6, 80)
    assert faulty[1][1] == ("▐1▌ ▐1▌ ▐12▌", FAULT)


KAKURO = """
# # # #
# . . .
# . . .
# . . #
"""


def kakuro() -> dgsolve.Grid:
    grid = dgsolve.Grid(4, 4, values="1-9", givens=KAKURO)
    for cells, total in {"r2": 16, "r3": 24, "r4": 3, "c2": 23, "c3": 7, "c4": 17}.items():
        grid.sum(cells, total, distinct=True)
    return grid


def test_sums_of_runs_stand_in_the_holes_before_them() -> None:
    assert lines(kakuro()) == [
        "     23\\ 7\\  17\\",
        "    ┌───────────┐",
        " \\16│ ·   ·   · │",
        "    │           │",
        " \\24│ ·   ·   · │",
        "    │       ┌───┘",
        " \\3 │ ·   · │",
        "    └───────┘",
    ]
    assert lines(kakuro(), width=12)[-3:] == ["r2c1 \\16, r3c1 \\24,", "r4c1 \\3, r1c2 23\\,", "r1c3 7\\, r1c4 17\\"]


def test_a_hole_may_hold_two_sums_and_other_runs_begin_at_the_edge() -> None:
    grid = dgsolve.Grid(3, 3, values="1-9", givens=".#. ... ...")
    for cells, total in {"r2": 11, "c2": 4, "r1c1 r1c3": 9, "c1": 8}.items():
        grid.sum(cells, total)
    grid.sum("r3", 7)
    assert lines(grid) == [
        "     8",
        "   ┌───┐   ┌───┐",
        "   │ · │4\\ │ · │",
        "   │   └───┘   │",
        "11 │ ·   ·   · │",
        "   │           │",
        " 7 │ ·   ·   · │",
        "   └───────────┘",
        "r1c1 r1c3 9+",
    ]
    both = dgsolve.Grid(3, 3, values="1-9", givens="#.. ... ...")
    both.sum("r1", 16, distinct=True)
    both.sum("c1", 14, distinct=True)
    assert lines(both)[1] == " 14\\16│  ·     ·  │"


def test_wide_grids_keep_their_gaps_where_crooked_walls_would_take_too_much_room() -> None:
    holey = dgsolve.Grid(2, 25, values="1-9", holes=["r1c1"])
    assert (len(lines(holey)[-1]), len(lines(holey, width=101)[-1])) == (55, 101)


def test_dots_are_alike_where_some_of_them_touch() -> None:
    kropki = dgsolve.Grid(3, 3, values="1-9")
    for pair in (("r1c1", "r1c2"), ("r1c2", "r1c3"), ("r2c3", "r3c3")):
        kropki.ratio(*pair)
    assert lines(kropki)[1] == "│ · 2÷· 2÷· │" and lines(kropki)[4] == "│         2÷│"


def test_a_grid_with_holes_has_its_outline() -> None:
    holey = dgsolve.Grid(3, 3, values="1-3", givens="1.# ... #.3")
    assert lines(holey, width=9) == ["┌───┐", "│1 ·│", "│   └─┐", "│· · ·│", "└─┐   │", "  │· 3│", "  └───┘"]


def test_overlapping_pairs_are_signs_and_other_overlaps_are_listed() -> None:
    grid = dgsolve.Grid(3, 3, values="1-9")
    grid.ratio("r1c1", "r1c2")
    grid.difference("r1c2", "r2c2", difference=3)
    grid.product("r2c1 r2c2 r3c1", 24)
    grid.product("r3", 8)
    assert lines(grid) == [
        "┌───────────┐",
        "│ · 2÷·   · │",
        "├24×──3−┐   │",
        "│ ·   · │ · │",
        "│   ┌───┘   │",
        "│ · │ ·   · │",
        "└───┴───────┘",
        "r3c1 r3c2 r3c3 8×",
    ]
    assert lines(grid, width=10)[-4:] == ["r3c1 r3c2 r3c3 8×,", "r2c1 24×,", "r1c1 r1c2 2÷,", "r1c2 r2c2 3−"]


def test_cages_that_no_wall_fits_are_listed() -> None:
    grid = dgsolve.Grid(4, 4, values="1-4")
    grid.sum("r1c1 r1c2 r2c1", 9)
    grid.sum("r2c1 r2c2 r3c1", 6, distinct=True)
    grid.sum("r1c4 r4c4", 7)
    grid.all_different("r4c1 r2c4")
    assert lines(grid)[-2] == "└───────────────┘"
    assert lines(grid)[-1] == "r1c4 r4c4 7+, r2c4 r4c1 ≠, r2c1 r2c2 r3c1 6"
    assert lines(grid, width=20)[-3:] == ["r1c4 r4c4 7+,", "r2c4 r4c1 ≠,", "r2c1 r2c2 r3c1 6"]


def test_diagonals_are_underlined() -> None:
    sudoku = of_kind("sudoku", size=4, diagonals=True, givens="1234 .... .... ....")
    looks = [look for words, look in drawn(sudoku.grid(), [("1", GIVEN)] * 16, 80)[1] if words == "1"]
    assert looks == [GIVEN + TINTED, GIVEN, GIVEN, GIVEN + TINTED]
    text = sudoku.picture()
    assert [str(text.plain[span.start]) for span in text.spans if span.style == "bold underline"] == ["1", "4"]


def test_named_cells_have_their_names_in_the_corner() -> None:
    countries = dgsolve.Grid(cells=["Spain", "Peru"], values=["red", "blue"], givens={"Peru": "red"})
    assert lines(countries) == ["┌Spain─┬Peru──┐", "│  ·   │ red  │", "└──────┴──────┘"]
    odd = dgsolve.Grid(cells=["日本", "a\nb\x1b[2J"], values=["x"])
    assert lines(odd)[0] == "┌日本───┬a\ufffdb\ufffd[2J┐" and lines(odd)[1] == "│   ·   │   ·   │"


def test_queens_stand_on_a_board_one_a_row() -> None:
    queens = of_kind("n_queens", size=4, givens={"row2": 4})
    assert lines(queens, [2, 4, 1, 3]) == [
        "┌─────────┐",
        "│ · ♛ · · │",
        "│ · · · ♛ │",
        "│ ♛ · · · │",
        "│ · · ♛ · │",
        "└─────────┘",
    ]
    assert [in_ascii(line) for line in lines(queens, width=8)[1:3]] == ["|....|", "|...Q|"]
    text = queens.picture([2, 4, 1, 3])
    assert [text.plain[span.start : span.end] for span in text.spans if span.style == "bold"] == ["♛"]
    faulty = drawn(queens.grid(), [("2", FAULT), ("4", GIVEN), ("1", SETTLED), ("3", SETTLED)], 80)
    assert [words.strip() for runs in faulty for words, look in runs if look == FAULT] == ["♛"]


def test_a_board_wider_than_the_screen_gives_way_to_its_rows_by_name() -> None:
    large = of_kind("n_queens", size=90)
    assert len(lines(large, width=92)) == 92
    assert max(map(len, lines(large))) <= 80 and "row90" in lines(large)[-3]


def test_columns_of_a_board_are_values_side_by_side() -> None:
    gaps, letters = (dgsolve.Grid(cells=["a", "b"], values=values) for values in ([1, 3], ["x", "y"]))
    for grid in (gaps, letters):
        grid.all_different("b a", offsets=[4, 5])
    assert lines(gaps, [1, 3])[0] == "┌a──┬b──┐"
    assert lines(letters, ["y", "x"])[1:3] == ["│ ♛ · │", "│ · ♛ │"]  # the first row is the first cell of the rule


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
@pytest.mark.parametrize("width", [80, 40])
def test_every_example_fits(file: Path, width: int) -> None:
    grid = dgsolve.Grid.read(file)
    for answer in (None, [grid.values.natives[0]] * len(grid.cells)):
        assert max(map(len, lines(grid, answer, width))) <= width
        assert "".join(map(in_ascii, lines(grid, answer, width))).isascii()


@pytest.mark.parametrize("size", [16, 25])
def test_the_largest_killer_fits(size: int) -> None:
    pairs = [{"cells": f"r{r}c{c} r{r}c{c + 1}", "sum": 9} for r in range(1, size + 1) for c in range(1, size, 2)]
    killer = of_kind("sudoku", size=size, cages=pairs)
    shown = lines(killer)
    assert max(map(len, shown)) <= 80
    assert ("r1c1 9," in "".join(shown)) == (size == 25)  # with labels a row of 25 cells is too wide


def test_junctions_are_what_unicode_says() -> None:
    assert len(JUNCTIONS) == len(set(JUNCTIONS)) == 81
    for weights in product((Weight.NONE, Weight.LIGHT, Weight.HEAVY), repeat=4):
        if any(weights):
            said = name(junction(weights))
            assert ("LIGHT" in said) == (Weight.LIGHT in weights) and ("HEAVY" in said) == (Weight.HEAVY in weights)
    assert "".join(map(junction, [(0, 1, 1, 0), (2, 2, 2, 2), (1, 2, 1, 2), (2, 0, 1, 0)])) == "┌╋┿╿"  # type: ignore


def test_a_page_keeps_what_is_written_last() -> None:
    page = TextPage()
    page.spell(0, 2, "ab", CLUE)
    page.write(0, 3, "日", "")
    page.write(1, 0, " ", CLUE)
    assert page.lines() == [[("  ", ""), ("a", CLUE), ("日", "")]]


def test_a_layout_of_boxes_alone_is_a_sudoku() -> None:
    layout = GridLayout(4, 4, 2, 2, tuple("1234"))
    text = ["".join(words for words, _ in runs) for runs in drawn(layout, [(None, SETTLED)] * 16, 80)]
    assert text[:3] == ["┌─────┬─────┐", "│ · · │ · · │", "│ · · │ · · │"] and text[3] == "├─────┼─────┤"
