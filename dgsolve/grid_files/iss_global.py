"""Constraints of the Interactive Sudoku Solver on the whole grid."""

from __future__ import annotations

from itertools import combinations

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.iss_counts import regions_alike


def _shape(board: Board, arguments: list[str]) -> None:
    """Read before all others."""


def _no_boxes(board: Board, arguments: list[str]) -> None:
    board.boxes = False


def _region_size(board: Board, arguments: list[str]) -> None:
    board.box_size = board.number("".join(arguments[:1]), 1)


def _jigsaw(board: Board, arguments: list[str]) -> None:
    layout, count = "".join(arguments), board.rows * board.cols
    if len(layout) != count:
        raise PuzzleError(f"the layout has {len(layout)} cells, expected {count}")
    for region in dict.fromkeys(layout):
        inside = [cell for cell, sign in enumerate(layout) if sign == region]
        if len(inside) == board.box_size:
            board.pieces.append(inside)
            board.add("all_different", inside)


def _diagonal(board: Board, arguments: list[str]) -> None:
    if arguments not in (["1"], ["-1"]) or board.rows != board.cols:
        raise PuzzleError("a diagonal is 1 or -1, of a square")
    size = board.rows
    step = size - 1 if arguments == ["1"] else size + 1
    start = size - 1 if arguments == ["1"] else 0
    board.add("all_different", [start + step * at for at in range(size)])


def _leaps(board: Board, *steps: tuple[int, int]) -> None:
    """No two cells so many rows and columns apart hold the same value."""
    for one, other in combinations(range(board.rows * board.cols), 2):
        if board.apart(one, other) in steps:
            board.add("not_equal", (one, other))


def _consecutive(board: Board, arguments: list[str]) -> None:
    for pair in board.all_neighbours():
        board.add("difference", pair, difference=[2, max(2, board.values[-1] - board.values[0])])


def _windoku(board: Board, arguments: list[str]) -> None:
    boxes = board.box_cells()
    if not boxes:
        raise PuzzleError("there are no boxes of that size")
    height = len({cell // board.cols for cell in boxes[0]})
    for window in board.blocks(height, len(boxes[0]) // height, gap=1):
        board.add("all_different", window)


def _disjoint(board: Board, arguments: list[str]) -> None:
    for cells in zip(*board.box_cells(), strict=True):
        board.add("all_different", cells)


def _taxicab(board: Board, arguments: list[str]) -> None:
    for one, other in combinations(range(board.rows * board.cols), 2):
        rows, cols = board.apart(one, other)
        if rows and cols and rows + cols in board.values:
            board.add("table", (one, other), tuples=[[rows + cols] * 2], forbidden=True)


def _one_of_each(board: Board, groups: list[list[int]]) -> None:
    """Every 2x2 cells hold a value of each group."""
    corners = [cell for cell in range((board.rows - 1) * board.cols) if (cell + 1) % board.cols]
    for group in groups:
        for cell in corners:
            square = [cell, cell + 1, cell + board.cols, cell + board.cols + 1]
            board.add("count", square, values=group, times=[1, 4])


def _nine(board: Board) -> None:
    if board.values != range(1, 10):
        raise PuzzleError("this is for the values 1 to 9")


def _entropy(board: Board, arguments: list[str]) -> None:
    _nine(board)
    _one_of_each(board, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])


def _mod(board: Board, arguments: list[str]) -> None:
    _nine(board)
    _one_of_each(board, [[1, 4, 7], [2, 5, 8], [3, 6, 9]])


def _flatmates(board: Board, arguments: list[str]) -> None:
    """A 5 has a 1 above it, or a 9 below."""
    _nine(board)
    values = board.values
    around = [[a, b, c] for a in values for b in values for c in values if b != 5 or a == 1 or c == 9]
    for cell in range(board.rows * board.cols):
        row, _ = board.place(cell)
        if 0 < row < board.rows - 1:
            board.add("table", (cell - board.cols, cell, cell + board.cols), tuples=around)
        elif row:
            board.pairs([(cell - board.cols, cell)], lambda above, own: own != 5 or above == 1)
        elif board.rows > 1:
            board.pairs([(cell, cell + board.cols)], lambda own, below: own != 5 or below == 9)


def _strict_dots(board: Board, arguments: list[str]) -> None:
    def add(board: Board) -> None:
        open_pairs = [pair for pair in board.all_neighbours() if frozenset(pair) not in board.dots]
        board.pairs(open_pairs, lambda a, b: abs(a - b) != 1 and a != 2 * b and b != 2 * a)

    board.late.append(add)


def _strict_letters(board: Board, arguments: list[str]) -> None:
    def add(board: Board) -> None:
        open_pairs = [pair for pair in board.all_neighbours() if frozenset(pair) not in board.letters]
        board.pairs(open_pairs, lambda a, b: a + b not in (5, 10))

    board.late.append(add)


GLOBALS: dict[str, Constraint] = {
    "Shape": _shape,
    "NoBoxes": _no_boxes,
    "RegionSize": _region_size,
    "Jigsaw": _jigsaw,
    "Diagonal": _diagonal,
    "AntiKnight": lambda board, arguments: _leaps(board, (1, 2), (2, 1)),
    "AntiKing": lambda board, arguments: _leaps(board, (1, 1)),
    "AntiConsecutive": _consecutive,
    "AntiTaxicab": _taxicab,
    "Windoku": _windoku,
    "DisjointSets": _disjoint,
    "GlobalEntropy": _entropy,
    "GlobalMod": _mod,
    "DutchFlatmates": _flatmates,
    "StrictKropki": _strict_dots,
    "StrictXV": _strict_letters,
    "RegionSameValues": regions_alike,
}
