"""Samurai: five Sudokus that share corner boxes, as one grid of 21x21 with holes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.tatham.pieces import name

_CORNERS = ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))  # top left, top right, centre, bottom left, bottom right
_SIDE = 21


def samurai_record(grids: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The tables of a grid file; grids: five of 81 values, 0 for an open cell, that agree where they overlap."""
    held: dict[tuple[int, int], int] = {}
    for (top, left), grid in zip(_CORNERS, grids, strict=True):
        for cell, value in enumerate(grid):
            held[top + cell // 9, left + cell % 9] = value
    return _record(held)


def sheet_record(cells: Sequence[str]) -> dict[str, Any]:
    """From the 441 cells of the sheet, blanks in the gaps; raises PuzzleError where one there has a value."""
    held = {}
    for cell, text in enumerate(cells):
        row, column = divmod(cell, _SIDE)
        value = int(text) if text.isascii() and text.isdigit() else 0
        if any(top <= row < top + 9 and left <= column < left + 9 for top, left in _CORNERS):
            held[row, column] = value
        elif value:
            raise PuzzleError(f"{name(cell, _SIDE)} lies in no grid of the samurai, but holds {value}")
    return _record(held)


def _record(held: dict[tuple[int, int], int]) -> dict[str, Any]:
    lines = [
        "".join(str(held[row, column] or ".") if (row, column) in held else "#" for column in range(_SIDE))
        for row in range(_SIDE)
    ]
    grid = {"rows": _SIDE, "cols": _SIDE, "values": "1-9", "givens": lines}
    houses: dict[str, None] = {}
    for top, left in _CORNERS:
        houses |= dict.fromkeys(_block(top + row, left, 1, 9) for row in range(9))
        houses |= dict.fromkeys(_block(top, left + column, 9, 1) for column in range(9))
        houses |= dict.fromkeys(_block(top + row, left + column, 3, 3) for row in (0, 3, 6) for column in (0, 3, 6))
    return {"title": "samurai Sudoku", "grid": grid, "rule": [{"type": "all_different", "each": list(houses)}]}


def _block(top: int, left: int, rows: int, cols: int) -> str:
    return f"r{top + 1}c{left + 1}:r{top + rows}c{left + cols}"
