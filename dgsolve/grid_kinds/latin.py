"""Latin squares, and quasigroup completion: every value once in each row and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.grid_kinds.base import GridKind, Raw, givens
from dgsolve.grid_kinds.making import latin_grid
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Flag, Whole, parameter


@dataclass(frozen=True)
class Latin(GridKind):
    """n x n cells; `diagonals` asks for every value once on both diagonals too.

    kind = "latin"
    size = 4
    givens = ["1...", "..2.", ".3..", "...."]
    """

    kind: ClassVar[str] = "latin"
    title: ClassVar[str] = "Latin square"
    variants: ClassVar[tuple[str, ...]] = ("diagonals",)

    size: int = parameter(Whole(1), "rows, columns and values")
    givens: Any = givens()
    values: Any = parameter(Raw(), "the values, where they are not 1 to size", None)
    diagonals: bool = parameter(Flag(), "true: every value once on each diagonal", False)

    def build(self) -> Grid:
        grid = latin_grid(self.size, self.givens, f"{self.size}x{self.size} {self.title}", self.values)
        for line in grid.diagonals() if self.diagonals else ():
            grid.all_different(line)
        return grid
