"""Ranks of the Interactive Sudoku Solver: where a row or column comes among all, read as numbers from both ends."""

from __future__ import annotations

from itertools import combinations

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.iss_outside import clues_of
from dgsolve.shortened import shown

TIES = ("none", "only-unclued", "any")  # which ranks may be those of several lines


def _full_rank(board: Board, arguments: list[str]) -> None:
    """C3~5~7: column 3 from the top, then from the bottom."""
    _latin(board)
    sides = ("left", "right") if arguments[0][:1] == "R" else ("top", "bottom")
    found = list(zip(sides, clues_of(board, arguments), strict=False))
    line = int(arguments[0][1:], 17)

    def add(board: Board) -> None:
        for side, (cells, clue) in found:
            if clue is None:
                continue
            if not 1 <= clue <= 4 * board.rows:
                raise PuzzleError(f"FullRank: {clue} is no rank from 1 to {4 * board.rows}")
            tied = {"tied": True} if board.ties == "any" else {}
            board.restrict(cells[0], [board.values[(clue - 1) // 4]])  # four lines begin with each value
            board.add("rank", range(board.rows * board.cols), rank=clue, side=side, line=line, **tied)

    board.late.append(add)


def _ties(board: Board, arguments: list[str]) -> None:
    _latin(board)
    board.ties = "".join(arguments)
    if board.ties not in TIES:
        raise PuzzleError(f"{shown(board.ties)} is none of {', '.join(TIES)}")
    if board.ties == "none":
        _no_ties(board)


def _no_ties(board: Board) -> None:
    """No two lines read the same: where all values of a line differ, only lines that cross in the same place of both
    can, or a line and one beside it backwards."""
    size, lines = board.rows, board.lines_of_cells()
    rows, cols = lines[:size], lines[size:]
    for parallel in (rows, cols):
        for one, other in combinations(parallel, 2):
            board.add("unlike_lines", [*one, *other[::-1]], length=size)
    for at in range(size):
        for col in (cols[at], cols[-1 - at][::-1]):
            both = {*rows[at]} & {*col}
            one, other = ([cell for cell in line if cell not in both] for line in (rows[at], col))
            board.add("unlike_lines", [*one, *other], length=size - 1)


def _latin(board: Board) -> None:
    if not board.houses or not 1 < board.rows == board.cols == len(board.values):
        raise PuzzleError("this is for squares whose rows and columns hold all values")


RANKS: dict[str, Constraint] = {"FullRank": _full_rank, "FullRankTies": _ties}
