"""Pairs of values that the Interactive Sudoku Solver encodes as a key, on cells one after another or on all pairs."""

from __future__ import annotations

import string
from collections.abc import Callable
from itertools import combinations, pairwise

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.shortened import shown

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_SWAPPED = str.maketrans("-_", "_-")  # Binary has the last two characters the other way round


def bits_of(key: str) -> list[int]:
    """Six bits a character, the lowest first."""
    if not set(key) <= set(_ALPHABET):
        raise PuzzleError(f"{shown(key)} is no key of bits, 6 a character")
    return [_ALPHABET.index(sign) >> bit & 1 for sign in key for bit in range(6)]


def _allowed(board: Board, key: str) -> Callable[[int, int], bool]:
    """The key has a bit for each pair of values, those of the first value first."""
    bits = bits_of(key)
    count, first = len(board.values), board.values[0]
    if any(bits[count * count :]):
        raise PuzzleError(f"the key is of more than {count} values")
    bits += [0] * (count * count - len(bits))
    return lambda a, b: bool(bits[(a - first) * count + b - first])


def _pairs(*, swapped: bool, crossed: bool) -> Constraint:
    def constraint(board: Board, arguments: list[str]) -> None:
        key = arguments[0].translate(_SWAPPED) if swapped else arguments[0]
        allowed = _allowed(board, key)
        for line in board.lines(arguments[1:]):
            board.pairs(combinations(line, 2) if crossed else pairwise(line), allowed)

    return constraint


PAIRS: dict[str, Constraint] = {
    "Pair": _pairs(swapped=False, crossed=False),
    "PairX": _pairs(swapped=False, crossed=True),
    "Binary": _pairs(swapped=True, crossed=False),
    "BinaryX": _pairs(swapped=True, crossed=True),
}
