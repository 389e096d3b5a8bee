"""Magic squares: the numbers 1 to n x n, every row, column and diagonal with one sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, givens
from dgsolve.grid_kinds.making import with_givens
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Whole, parameter


@dataclass(frozen=True)
class MagicSquare(GridKind):
    """Each of the numbers 1 to n x n once; every row, column and diagonal adds up to n (n x n + 1) / 2.

    kind = "magic_square"
    size = 3
    givens = ["2..", "...", "..8"]
    """

    kind: ClassVar[str] = "magic_square"
    title: ClassVar[str] = "magic square"

    size: int = parameter(Whole(1), "rows and columns")
    givens: Any = givens()

    def build(self) -> Grid:
        if self.size > 20:
            raise UsageError(f"size: a square of {self.size}x{self.size} is too large, 20 at most")
        count = self.size * self.size
        grid = Grid(self.size, self.size, values=range(1, count + 1), title=f"{self.size}x{self.size} {self.title}")
        grid = with_givens(grid, self.givens)
        grid.all_different(grid.names)
        for line in [*grid.rows(), *grid.cols(), *grid.diagonals()]:
            grid.sum(line, self.size * (count + 1) // 2)
        return grid
