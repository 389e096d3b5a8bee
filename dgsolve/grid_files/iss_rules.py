"""The constraints of the Interactive Sudoku Solver by name, and how each is asked of a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_beyond import BEYOND
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.iss_counts import COUNTS
from dgsolve.grid_files.iss_global import GLOBALS
from dgsolve.grid_files.iss_groups import read_group
from dgsolve.grid_files.iss_items import GROUPS, Item
from dgsolve.grid_files.iss_lines import LINES
from dgsolve.grid_files.iss_nfa import NFA
from dgsolve.grid_files.iss_outside import OUTSIDE
from dgsolve.grid_files.iss_pairs import PAIRS
from dgsolve.grid_files.iss_rank import RANKS
from dgsolve.grid_files.iss_regex import REGEX
from dgsolve.shortened import shown

_IN_GROUPS: dict[str, Constraint] = {**LINES, **OUTSIDE, **COUNTS, **PAIRS, **REGEX, **NFA}
RULES: dict[str, Constraint] = {**BEYOND, **GLOBALS, **RANKS, **_IN_GROUPS}
_NEEDING = {*_IN_GROUPS, *RANKS, "Jigsaw", "RegionSize", "Var"} - {"", "Given"}


def read_items(board: Board, items: Iterable[Item]) -> None:
    """Ask of the board all that the constraints say; raises PuzzleError with the column of the one to blame.

    Those that make cells come first: others may name these cells before.
    """
    for item in sorted(items, key=lambda item: item.name not in BEYOND):
        _read(board, item)


def unread(items: Iterable[Item]) -> Iterator[Item]:
    """The constraints that cannot be read, those in groups too."""
    for item in items:
        if item.name not in RULES and item.name not in GROUPS:
            yield item
        yield from unread(item.inside)


def _read(board: Board, item: Item) -> None:
    try:
        if item.name in GROUPS:
            read_group(board, item, _read_in_group)
            return
        if item.name in _NEEDING and not item.arguments:
            raise PuzzleError("this needs cells", hint="Write ~ and the name of a cell, such as ~R1C1.")
        RULES[item.name](board, item.arguments)
    except PuzzleError as error:
        if error.column is None:
            error.message = f"{item.name or 'the values'}: {error.message}"
            error.args = (error.message,)
            error.column = item.column
        raise


def _read_in_group(board: Board, item: Item) -> None:
    if item.name not in _IN_GROUPS and item.name not in GROUPS:
        raise PuzzleError(f"{shown(item.name)} is about the whole grid and in no group")
    if any(board.moved) and item.name in OUTSIDE:
        raise PuzzleError(f"{item.name} cannot be moved")
    _read(board, item)
    if board.late:
        raise PuzzleError(f"{item.name} depends on the boxes and is read in no group")
