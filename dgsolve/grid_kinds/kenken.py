"""KenKen: a Latin square in cages, each with a sum, product, difference or quotient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, blaming, givens
from dgsolve.grid_kinds.making import cage_cells, latin_grid
from dgsolve.grid_kinds.options import Cage, Cages
from dgsolve.plural import counted
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Whole, parameter

_OPS = ("+", "-", "*", "/")


@dataclass(frozen=True)
class KenKen(GridKind):
    """Every value once in each row and column; the cells of each cage come to its target by its operation.

    Differences and quotients are of two cells, the lesser one last; a cage of one cell needs no op.

        kind = "kenken"
        size = 2
        cages = [{cells = "r1c1 r1c2", op = "+", target = 3}, {cells = "r2", op = "/", target = 2}]
    """

    kind: ClassVar[str] = "kenken"
    title: ClassVar[str] = "KenKen"

    size: int = parameter(Whole(1), "rows, columns and values")
    cages: tuple[Cage, ...] = parameter(Cages("target", _OPS, needed=True), "{cells, op, target}; together all cells")
    givens: Any = givens()

    def build(self) -> Grid:
        grid = latin_grid(self.size, self.givens, f"{self.size}x{self.size} {self.title}")
        cells = cage_cells(grid, self.cages, connected=True, partition=True)
        for number, (slots, cage) in enumerate(zip(cells, self.cages, strict=True), 1):
            with blaming(f"cages[{number}]"):
                _add_cage(grid, [grid.cell(slot) for slot in slots], cage)
        return grid


def _add_cage(grid: Grid, names: list[str], cage: Cage) -> None:
    if cage.op is None and len(names) > 1:
        raise UsageError(f"{counted(len(names), 'cell')} without an op", hint="Give op = one of + - * /.")
    if cage.op in ("-", "/"):
        if len(names) != 2:
            raise UsageError(f"{cage.op} is of 2 cells, not of {len(names)}", hint="Use + or *, or split the cage.")
        if cage.op == "-":
            grid.difference(*names, difference=cage.target)
        else:
            grid.ratio(*names, ratio=cage.target)
    elif cage.op == "*":
        grid.product(names, cage.target)
    else:
        grid.sum(names, cage.target)
