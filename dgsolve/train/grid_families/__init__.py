"""Families of grids with rules to learn from, one a file: each draws a solved grid and what may be told of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dgsolve.train.grid_families.base import Sketch
from dgsolve.train.grid_families.cages import kenken, killer
from dgsolve.train.grid_families.kakuro import kakuro
from dgsolve.train.grid_families.latin import adjacent, futoshiki, latin, skyscrapers
from dgsolve.train.grid_families.lines import nonogram, takuzu
from dgsolve.train.grid_families.networks import coloring, n_queens
from dgsolve.train.grid_families.squares import jigsaw, magic_square, x_sudoku

FAMILIES: dict[str, Callable[[Random], Sketch | None]] = {
    family.__name__: family
    for family in (
        *(latin, futoshiki, adjacent, skyscrapers, kenken, killer, jigsaw, x_sudoku),
        *(takuzu, nonogram, kakuro, magic_square, n_queens, coloring),
    )
}

__all__ = ["FAMILIES", "Sketch"]
