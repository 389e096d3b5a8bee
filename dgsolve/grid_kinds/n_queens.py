"""Queens on a board, none of which attacks another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, givens
from dgsolve.grid_kinds.making import with_givens
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Whole, parameter


@dataclass(frozen=True)
class NQueens(GridKind):
    """One queen in each row of a size x size board: the slot of a row holds the column of its queen, from 1.

    givens: {row1: column} for queens that stand already.

        kind = "n_queens"
        size = 8
    """

    kind: ClassVar[str] = "n_queens"
    title: ClassVar[str] = "queens"

    size: int = parameter(Whole(1), "queens, and rows and columns of the board")
    givens: Any = givens()

    def build(self) -> Grid:
        if self.size > 100:
            raise UsageError(f"size: a board of {self.size}x{self.size} is too large, 100 at most")
        names = [f"row{number}" for number in range(1, self.size + 1)]
        columns = range(1, self.size + 1)
        grid = with_givens(Grid(cells=names, values=columns, title=f"{self.size} {self.title}"), self.givens)
        grid.all_different(names)
        grid.all_different(names, offsets=range(self.size))
        grid.all_different(names, offsets=range(0, -self.size, -1))
        return grid
