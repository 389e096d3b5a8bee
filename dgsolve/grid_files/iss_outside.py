"""Constraints of the Interactive Sudoku Solver that stand outside of the grid: clues of rows, columns, diagonals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.machines import machine
from dgsolve.shortened import shown

Clued = Callable[[Board, list[int], int], None]


def _whole_line(board: Board, text: str) -> list[int]:
    """The cells of R1 or C1."""
    number = int(text[1:], 17) if len(text) == 2 and text[1] in "123456789abcdefgABCDEFG" else 0
    if text[:1] == "R" and 1 <= number <= board.rows:
        return list(range((number - 1) * board.cols, number * board.cols))
    if text[:1] == "C" and 1 <= number <= board.cols:
        return list(range(number - 1, board.rows * board.cols, board.cols))
    raise PuzzleError(f"{shown(text)} is no row or column of this grid")


def clues_of(board: Board, arguments: list[str]) -> list[tuple[list[int], int | None]]:
    """C1~5~3: cells and clue from the start, then from the end; an empty clue is None."""
    cells, clues = _whole_line(board, arguments[0]), arguments[1:]
    if not 1 <= len(clues) <= 2:
        raise PuzzleError("there must be a clue for one end, or for both")
    found = zip((cells, cells[::-1]), clues, strict=False)
    return [(line, board.number(clue) if clue else None) for line, clue in found]


def _both_ends(add: Clued) -> Constraint:
    def constraint(board: Board, arguments: list[str]) -> None:
        for cells, clue in clues_of(board, arguments):
            if clue is not None:
                add(board, cells, clue)

    return constraint


def _skyscraper(board: Board, cells: list[int], clue: int) -> None:
    """A 0 is no skyscraper."""
    if board.values[0] > 0:
        board.add("visible", cells, visible=clue)
        return

    def step(state: tuple[int, int], place: int, value: int) -> tuple[int, int] | None:
        highest, seen = state
        if value <= highest:
            return state
        return (value, seen + 1) if seen < clue else None

    board.add("regular", cells, **machine(board.values, len(cells), (0, 0), step, lambda state: state[1] == clue))


def _hidden(board: Board, cells: list[int], clue: int) -> None:
    """The first value that a higher one before it hides."""

    def step(state: Any, place: int, value: int) -> Any:
        if state == "found" or value > state:
            return state if state == "found" else value
        return "found" if value == clue else None

    board.add("regular", cells, **machine(board.values, len(cells), -1, step, lambda state: state == "found"))


def _room(board: Board, cells: list[int], clue: int) -> None:
    """The first value says in which cell, counted from 1, the clue stands."""

    def step(state: int, place: int, value: int) -> int | None:
        wanted = value if place == 0 else state
        if wanted == 0 or wanted > len(cells) or (wanted == place + 1 and value != clue):
            return None
        return wanted

    board.add("regular", cells, **machine(board.values, len(cells), 0, step, lambda state: True))


def _x_sum(board: Board, cells: list[int], clue: int) -> None:
    """The first value says how many cells from here add up to the clue."""

    def step(state: Any, place: int, value: int) -> Any:
        count, total = (value, 0) if place == 0 else state
        total += value if place < count else 0
        if total > clue or count > len(cells) or (place + 1 == max(count, 1) and total != clue):
            return None
        return count, total

    board.add("regular", cells, **machine(board.values, len(cells), (0, 0), step, lambda state: True))


def _sandwich(board: Board, arguments: list[str]) -> None:
    total, cells = board.number(arguments[0]), _whole_line(board, "".join(arguments[1:]))
    board.add("sandwich", cells, total=total, between=[board.values[0], board.values[-1]])


def _little_killer(board: Board, arguments: list[str]) -> None:
    if len(arguments) != 2:
        raise PuzzleError("this needs a sum and a cell at the edge")
    total, start = board.number(arguments[0]), board.cell(arguments[1])
    diagonal = _diagonals(board).get(start)
    if diagonal is None:
        raise PuzzleError(f"no diagonal begins in {arguments[1]}")
    board.add("sum", diagonal, total=total)


def _diagonals(board: Board) -> dict[int, list[int]]:
    """By its first cell each diagonal: down right from the left edge, and round the grid, none twice."""
    rows, cols = board.rows, board.cols
    starts = [
        *((row, 0, 1, 1) for row in range(rows - 1)),
        *((row, cols - 1, -1, -1) for row in range(1, rows - 1)),
        *((0, col, 1, -1) for col in range(1, cols)),
        *((rows - 1, col, -1, 1) for col in range(1, cols - 1)),
    ]
    found: dict[int, list[int]] = {}
    seen = set()
    for row, col, down, right in starts:
        cells = []
        while 0 <= row < rows and 0 <= col < cols:
            cells.append(row * cols + col)
            row, col = row + down, col + right
        if len(cells) > 1 and frozenset(cells) not in seen:
            seen.add(frozenset(cells))
            found[cells[0]] = cells
    return found


OUTSIDE: dict[str, Constraint] = {
    "Skyscraper": _both_ends(_skyscraper),
    "HiddenSkyscraper": _both_ends(_hidden),
    "NumberedRoom": _both_ends(_room),
    "XSum": _both_ends(_x_sum),
    "Sandwich": _sandwich,
    "LittleKiller": _little_killer,
}
