"""Takuzu, also called binairo and unruly: as many 0 as 1 in every line, and never three of a kind in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, givens
from dgsolve.grid_kinds.making import neighbours_of, with_givens
from dgsolve.grid_kinds.options import CellsText
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Flag, Several, Whole, parameter


@dataclass(frozen=True)
class Takuzu(GridKind):
    """Half of each line is 0, half is 1, no three in a row alike; signs of binairo plus are pairs of neighbours.

    kind = "takuzu"
    height = 4
    width = 4
    givens = ["0...", "..1.", "....", ".1.."]
    """

    kind: ClassVar[str] = "takuzu"
    title: ClassVar[str] = "takuzu"
    variants: ClassVar[tuple[str, ...]] = ("unique_lines",)

    height: int = parameter(Whole(2), "rows")
    width: int = parameter(Whole(2), "columns")
    givens: Any = givens()
    unique_lines: bool = parameter(Flag(), "true: no two rows are alike, and no two columns", False)
    equal: tuple[Any, ...] = parameter(Several(CellsText()), "pairs of neighbours that hold the same", ())
    unequal: tuple[Any, ...] = parameter(Several(CellsText()), "pairs of neighbours that differ", ())

    def build(self) -> Grid:
        for option, length in (("height", self.height), ("width", self.width)):
            if length % 2:
                raise UsageError(f"{option}: {length} cells cannot be half 0 and half 1", hint="Give an even number.")
        grid = Grid(self.height, self.width, values=(0, 1), title=f"{self.height}x{self.width} {self.title}")
        grid = with_givens(grid, self.givens)
        for line in [*grid.rows(), *grid.cols()]:
            grid.no_three_in_row(line)
            grid.count(line, [1], len(line) // 2)
        for first, second in neighbours_of(grid, "equal", self.equal):
            grid.equal(first, second)
        for first, second in neighbours_of(grid, "unequal", self.unequal):
            grid.not_equal(first, second)
        if self.unique_lines:
            grid.unlike_lines(grid.names, self.width)
            grid.unlike_lines([name for line in grid.cols() for name in line], self.height)
        return grid
