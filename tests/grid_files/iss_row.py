"""Constraint strings as grids, and what a row of four cells may hold under them."""

from collections.abc import Callable
from itertools import product

from dgsolve.grid_files import parse_grids
from dgsolve.problems.grid import Grid

BARE = ".Shape~1x4~5.NoBoxes"  # one row of four different values of five


def grid(text: str) -> Grid:
    (entry,) = parse_grids(text)
    assert isinstance(entry.puzzle, Grid), entry.puzzle
    return entry.puzzle


def kept(text: str) -> set[tuple[int, ...]]:
    """Of a row of four cells, the answers that the judge calls right."""
    puzzle = grid(text)
    return {held for held in product(range(1, 6), repeat=4) if puzzle.check(held).valid}


def wanted(allowed: Callable[..., bool]) -> set[tuple[int, ...]]:
    """The answers that are right by the same rule written out."""
    return {held for held in product(range(1, 6), repeat=4) if len(set(held)) == 4 and allowed(*held)}
