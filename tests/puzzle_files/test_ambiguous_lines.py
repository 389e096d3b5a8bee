"""Lines that two readings fit, or nearly fit: the good puzzles beside a bad line are kept."""

import time

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import parse_puzzles

from .corpus import GIVENS, ROWS, WIKI

FIRST, SECOND = "1...3...4...2...", ".2.....24.....3."


def read(text: str) -> list[tuple[int | str, int | None]]:
    """Size or message, and line, of every entry."""
    return [(e.puzzle.size if isinstance(e.puzzle, Sudoku) else e.puzzle.message, e.line) for e in parse_puzzles(text)]


@pytest.mark.parametrize(("short", "cells"), [("12", "2 cells"), ("1...3...4...2..", "15 cells")])
def test_a_short_line_costs_no_4x4_puzzle_before_it(short: str, cells: str) -> None:
    assert read(f"{FIRST}\n{SECOND}\n{short}\n") == [(4, 1), (4, 2), (f"this line has {cells}, expected 16", 3)]


def test_a_short_row_of_a_16x16_grid_is_still_named() -> None:
    rows = ["G" + "." * 15, *["5" + "." * 15] * 14, "." * 15]
    assert read("\n".join(rows)) == [("row 16 has 15 cells, expected 16", 16)]


def test_sixteen_open_rows_are_one_open_grid() -> None:
    assert read(("." * 16 + "\n") * 16) == [(16, 1)]
    assert [size for size, _ in read((FIRST + "\n") * 16)] == [4] * 16


def test_exclamation_marks_are_no_cells() -> None:
    assert read(f"{WIKI}!!") == [(9, 1)] and read(f"{FIRST}!!") == [(4, 1)]
    assert read(f"{WIKI[:79]}!!") == [("this line has 79 cells, expected 81", 1)]


def test_rows_in_which_every_candidate_is_left_are_no_full_grids() -> None:
    row = " ".join(["123456789"] * 9)
    (entry,) = parse_puzzles(f"{row}\n" * 9)
    assert isinstance(entry.puzzle, Sudoku) and entry.puzzle.givens == (0,) * 81


@pytest.mark.parametrize("line", ["-" * 200_000 + "x", " " * 19_000 + "/x", "1" + " " * 19_000 + "/"])
def test_rules_and_notes_are_told_in_linear_time(line: str) -> None:
    start = time.perf_counter()
    with pytest.raises(PuzzleError):
        for entry in parse_puzzles(line):
            if isinstance(entry.puzzle, PuzzleError):
                raise entry.puzzle
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize("first", ["1111.1.1", "1111.1.2", "1834-5-6", "1934.5.26", "1934.5.6.", "1934-1-25"])
def test_a_first_row_that_looks_like_a_date_is_a_row(first: str) -> None:
    size, blank = len(first), "-" if "-" in first else "."
    (entry,) = parse_puzzles("\n".join([first, *[blank * size] * (size - 1)]))
    assert isinstance(entry.puzzle, Sudoku)
    assert entry.puzzle.givens[:size] == tuple(int(char) if char.isdigit() else 0 for char in first)


@pytest.mark.parametrize("date", ["2024.1.5", "2024-01-05", "2024/1/5 easy", "1999-12-31", "2024.12.5", "1999.12.3"])
def test_a_date_is_a_heading(date: str) -> None:
    entries = list(parse_puzzles("\n".join([date, *ROWS, "", date, *ROWS])))
    assert [(entry.name, entry.puzzle.givens) for entry in entries] == [(date, GIVENS)] * 2
