"""Nonograms: the runs of filled cells in every row and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, givens
from dgsolve.grid_kinds.making import with_givens
from dgsolve.plural import counted
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Several, Whole, parameter

_RUNS = Several(Several(Whole(0)), fewest=1)


@dataclass(frozen=True)
class Nonogram(GridKind):
    """Cells are filled (1) or empty (0); the clue of a line lists its runs of filled cells in order.

    kind = "nonogram"
    row_clues = [[1, 1], [3], []]
    col_clues = [[2], [1], [2]]
    """

    kind: ClassVar[str] = "nonogram"
    title: ClassVar[str] = "nonogram"

    row_clues: tuple[tuple[int, ...], ...] = parameter(_RUNS, "runs of every row, top to bottom; [] for an empty one")
    col_clues: tuple[tuple[int, ...], ...] = parameter(_RUNS, "runs of every column, left to right")
    givens: Any = givens()

    def build(self) -> Grid:
        rows, cols = _runs(self.row_clues, "row_clues"), _runs(self.col_clues, "col_clues")
        _refuse_long(rows, "row_clues", len(cols))
        _refuse_long(cols, "col_clues", len(rows))
        filled, across = sum(map(sum, rows)), sum(map(sum, cols))
        if filled != across:
            raise UsageError(f"col_clues: columns fill {counted(across, 'cell')}, rows fill {filled}")
        grid = Grid(len(rows), len(cols), values=(0, 1), title=f"{len(rows)}x{len(cols)} {self.title}")
        grid = with_givens(grid, self.givens)
        for line, runs in zip([*grid.rows(), *grid.cols()], [*rows, *cols], strict=True):
            grid.regular(line, runs=runs, filled=1)
        return grid


def _runs(clues: tuple[tuple[int, ...], ...], option: str) -> list[list[int]]:
    for number, clue in enumerate(clues, 1):
        if 0 in clue and len(clue) > 1:
            raise UsageError(f"{option}[{number}]: a run is not 0 long", hint="An empty line is [] or [0].")
    return [[run for run in clue if run] for clue in clues]


def _refuse_long(clues: list[list[int]], option: str, length: int) -> None:
    for number, runs in enumerate(clues, 1):
        needed = sum(runs) + max(len(runs) - 1, 0)
        if needed > length:
            raise UsageError(f"{option}[{number}]: these runs take {counted(needed, 'cell')}, the line has {length}")
