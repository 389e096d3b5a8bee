"""A Sudoku as the tables of a grid file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dgsolve.grid_files.base import Written
from dgsolve.grid_files.tatham.pieces import OPEN, name
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import digits_first, numbers
from dgsolve.puzzle_files import PuzzleEntry


def written_of_sudoku(entry: PuzzleEntry) -> Written:
    """The tables of a Sudoku that was read from a file of Sudokus."""
    puzzle = entry.puzzle
    assert isinstance(puzzle, Sudoku)  # the caller has handed on the error that may stand here
    return Written(_record(puzzle), entry.solution, entry.name, "sudoku")


def _record(puzzle: Sudoku) -> dict[str, Any]:
    size = puzzle.size
    counted = puzzle.symbols in (digits_first(size), numbers(size))
    values: Sequence[Any] = range(1, size + 1) if counted else puzzle.symbols
    signs = [values[given - 1] if given else OPEN for given in puzzle.givens]
    givens = [signs[start : start + size] for start in range(0, len(signs), size)]
    if puzzle.pencilmarks is None:
        own = {} if counted else {"values": list(values)}
        box = [puzzle.box_rows, puzzle.box_cols]
        return {"kind": "sudoku", "size": size, "box": box, "givens": givens, **own}
    marked = enumerate(zip(puzzle.pencilmarks, puzzle.givens, strict=True))
    domains = {
        name(cell, size): [values[mark - 1] for mark in sorted(marks)]
        for cell, (marks, given) in marked
        if not given and 0 < len(marks) < size
    }
    lines = {"rows": True, "cols": True, "boxes": f"{puzzle.box_rows}x{puzzle.box_cols}"}
    grid = {"rows": size, "cols": size, "values": list(values), "givens": givens, "domains": domains}
    return {"title": f"{size}x{size} Sudoku", "grid": grid, "rule": [{"type": "all_different", **lines}]}
