"""Constraints of the Interactive Sudoku Solver that add cells beyond the rectangle."""

from __future__ import annotations

import re
from itertools import combinations

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.shortened import shown


def _var(board: Board, arguments: list[str]) -> None:
    """A~label~3: the cells VA1, VA2, VA3; without a number VA alone."""
    prefix, count = arguments[0], arguments[2] if len(arguments) > 2 else ""
    if not re.fullmatch("[A-Z]{1,8}", prefix) or len(arguments) > 3:
        raise PuzzleError(f"{shown('~'.join(arguments))} is no name of cells, a label, and how many they are")
    board.add_cells(f"V{prefix}", board.number(count, 1) if count else 1, board.cols)


def _doppelganger(board: Board, arguments: list[str]) -> None:
    """Rows, columns and boxes lack one value each, which is not 0, and no two of a kind the same; those that a 0 lies
    in lack three different ones. DGC, DGR and DGB are what the rows, the columns and the boxes lack."""
    size = board.rows
    if not (board.houses and size == board.cols and board.values == range(size + 1)):
        raise PuzzleError(f"this needs a square, and one value more than it has rows: {size}x{size}~0-{size}")
    boxes = board.box_cells()
    of_rows, of_cols = board.add_cells("DGC", size, size), board.add_cells("DGR", size, size)
    of_boxes = board.add_cells("DGB", size, len({cell % size for cell in boxes[0]})) if boxes else []

    def add(board: Board) -> None:
        inside = board.boxes_kept()
        if of_boxes and len(inside) != size:
            raise PuzzleError("Doppelganger: this needs boxes", hint="Leave NoBoxes and RegionSize out.")
        areas = [*board.lines_of_cells(), *inside]
        around = list(zip(areas, [*of_rows, *of_cols, *of_boxes], strict=True))
        for cells, lack in around:
            board.add("all_different", [*cells, lack])
        for kind in filter(None, (of_rows, of_cols, of_boxes)):
            board.add("all_different", kind)
            for cell in kind:
                board.restrict(cell, board.values[1:])
        _apart_at_zero(board, around)

    board.late.append(add)


def _apart_at_zero(board: Board, around: list[tuple[list[int], int]]) -> None:
    """Of the areas that a cell lies in, no two lack the same where it holds 0."""
    same = [[0, value, value] for value in board.values[1:]]
    for cell in range(board.rows * board.cols):
        for pair in combinations([lack for cells, lack in around if cell in cells], 2):
            board.add("table", (cell, *pair), tuples=same, forbidden=True)


BEYOND: dict[str, Constraint] = {"Var": _var, "Doppelganger": _doppelganger}
