"""Sudokus with other regions or diagonals, and magic squares."""

from __future__ import annotations

from random import Random

from dgsolve.pieces import beside, pieces
from dgsolve.problems.grid import Grid
from dgsolve.train.grid_families.base import Sketch, filled, square


def x_sudoku(rng: Random) -> Sketch | None:
    """A Sudoku whose diagonals hold every value too."""
    rows, cols = rng.choice([(2, 3), (2, 4), (3, 3), (3, 3)])
    grid = square(rows * cols)
    for line in (*grid.boxes(rows, cols), *grid.diagonals()):
        grid.all_different(line)
    solution = filled(grid, rng, 0.2)
    return None if solution is None else Sketch(grid, solution)


def jigsaw(rng: Random) -> Sketch | None:
    """A Sudoku whose regions are crooked."""
    size = rng.choice([5, 6, 7, 8, 9])
    owner = _regions(size, rng)
    grid = square(size)
    for region in range(size):
        grid.all_different([grid.cell(slot) for slot, mine in enumerate(owner) if mine == region])
    solution = filled(grid, rng, 0.1)
    return None if solution is None else Sketch(grid, solution)


def _regions(size: int, rng: Random) -> list[int]:
    """Rows that traded cells with their neighbours so long as each stayed in one piece."""
    owner = [slot // size for slot in range(size * size)]
    for _ in range(40 * size):
        first, second = rng.sample(range(size * size), 2)
        a, b = owner[first], owner[second]
        owner[first], owner[second] = b, a
        if a == b or not (_whole(owner, a, size) and _whole(owner, b, size)):
            owner[first], owner[second] = a, b
    return owner


def _whole(owner: list[int], region: int, size: int) -> bool:
    mine = [divmod(slot, size) for slot, held in enumerate(owner) if held == region]
    return len(pieces(mine, beside(mine))) == 1


def magic_square(rng: Random) -> Sketch | None:
    """Different numbers whose lines all add up alike."""
    size = rng.choice([3, 3, 4])
    grid = Grid(size, size, values=range(1, size * size + 1))
    grid.all_different(grid.names)
    for line in (*grid.rows(), *grid.cols(), *grid.diagonals()):
        grid.sum(line, size * (size * size + 1) // 2)
    solution = filled(grid, rng, 0.2)
    return None if solution is None else Sketch(grid, solution)
