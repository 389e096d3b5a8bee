"""Hitori: numbers that stand twice in a line are shaded, until none does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.drawing.marks import Print, Shade
from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, blaming, givens
from dgsolve.grid_kinds.making import board_of, with_givens
from dgsolve.grid_kinds.options import Lines
from dgsolve.problems.grid import Grid
from dgsolve.problems.grid_values import HOLE, OPEN
from dgsolve.rules.parameters import parameter

_KEPT, _SHADED = 0, 1


@dataclass(frozen=True)
class Hitori(GridKind):
    """Cells of a board of numbers are shaded (1) or kept (0): no number is kept twice in a row or column.

    No two shaded cells share an edge, and all kept cells hang together by edges.

        kind = "hitori"
        board = ["1 1 2", "2 3 1", "3 2 2"]
    """

    kind: ClassVar[str] = "hitori"
    title: ClassVar[str] = "Hitori"

    board: tuple[Any, ...] = parameter(Lines(), "lines of numbers (or other signs), one in every cell")
    givens: Any = givens()

    def build(self) -> Grid:
        board = [[str(sign) for sign in line] for line in board_of("board", self.board)]
        for number, line in enumerate(board, 1):
            if {OPEN, HOLE} & {*line}:
                raise UsageError(f"board[{number}]: every cell needs a number", hint=f"{OPEN} and {HOLE} are none.")
        rows, cols = len(board), len(board[0])
        with blaming("board"):
            grid = Grid(rows, cols, values=(_KEPT, _SHADED), title=f"{rows}x{cols} {self.title}")
        grid = with_givens(grid, self.givens)
        grid.add_mark(Shade(tuple(range(rows * cols)), grid.value(_SHADED)))
        for slot, sign in enumerate(sign for line in board for sign in line):
            grid.add_mark(Print((slot,), sign))
        for pair in grid.neighbours():
            grid.at_most(pair, _SHADED)
        grid.connected(grid.names, value=_KEPT, width=cols)
        signs = [*board, *zip(*board, strict=True)]
        for cells in _alike([*grid.rows(), *grid.cols()], signs):
            grid.at_most(cells, _KEPT)
        return grid


def _alike(lines: Sequence[Sequence[str]], signs: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """The cells of every sign that stands twice in a line."""
    for line, held in zip(lines, signs, strict=True):
        for sign in dict.fromkeys(held):
            alike = [name for name, other in zip(line, held, strict=True) if other == sign]
            if len(alike) > 1:
                yield alike
