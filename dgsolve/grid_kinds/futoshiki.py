"""Futoshiki: a Latin square with signs between neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, givens
from dgsolve.grid_kinds.making import latin_grid, neighbours_of
from dgsolve.grid_kinds.options import CellsText
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Flag, Several, Whole, parameter


@dataclass(frozen=True)
class Futoshiki(GridKind):
    """Every value once in each row and column; some neighbours say which is greater, or that they differ by 1.

    kind = "futoshiki"
    size = 4
    greater = ["r1c1 r1c2", "r2c1 r1c1"]
    """

    kind: ClassVar[str] = "futoshiki"
    title: ClassVar[str] = "Futoshiki"
    variants: ClassVar[tuple[str, ...]] = ("all_marked",)

    size: int = parameter(Whole(1), "rows, columns and values")
    givens: Any = givens()
    greater: tuple[Any, ...] = parameter(Several(CellsText()), "pairs of neighbours, the greater one first", ())
    adjacent: tuple[Any, ...] = parameter(Several(CellsText()), "pairs of neighbours that differ by 1", ())
    all_marked: bool = parameter(Flag(), "true: neighbours not named in adjacent never differ by 1", False)

    def build(self) -> Grid:
        grid = latin_grid(self.size, self.givens, f"{self.size}x{self.size} {self.title}")
        signs: dict[frozenset[str], str] = {}
        for number, (first, second) in enumerate(neighbours_of(grid, "greater", self.greater), 1):
            if signs.setdefault(frozenset((first, second)), first) != first:
                raise UsageError(f"greater[{number}]: another pair says that {second} is greater than {first}")
            grid.less_than(second, first)
        near = {frozenset(pair): pair for pair in neighbours_of(grid, "adjacent", self.adjacent)}
        for pair in near.values():
            grid.adjacent(*pair)
        for pair in grid.neighbours() if self.all_marked else ():
            if frozenset(pair) not in near:
                grid.adjacent(*pair, never=True)
        return grid
