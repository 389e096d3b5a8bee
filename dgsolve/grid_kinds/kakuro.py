"""Kakuro: a crossword of sums, none of whose runs holds a digit twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, blaming, givens
from dgsolve.grid_kinds.making import board_of, refuse_sum, with_givens
from dgsolve.grid_kinds.options import Lines
from dgsolve.problems.grid import Grid
from dgsolve.problems.grid_values import HOLE, OPEN
from dgsolve.rules.parameters import parameter

_CLUE = re.compile(r"([0-9]{0,2})[\\/]([0-9]{0,2})")
_HINT = "Write . for an open cell, # for a black one, 17\\16 for one with the sums below and to the right of it."
_WAYS = {"below": (1, 0), "to the right": (0, 1)}  # in the order in which a black cell tells its sums

Place = tuple[int, int]
Sums = dict[tuple[Place, str], int]  # by black cell and way


@dataclass(frozen=True)
class Kakuro(GridKind):
    r"""Open cells hold 1 to 9; a run of them adds up to the sum in the black cell before it, no digit twice.

    A black cell is 17\16 with sums below and to the right, 17\ or \16 with one of them, # without any; / stands for \
    as well, which TOML keeps between three ' alone. Cells of a run without a sum still differ.

        kind = "kakuro"
        clues = ["#  4/  3/", "/3  .  .", "/4  .  ."]
    """

    kind: ClassVar[str] = "kakuro"
    title: ClassVar[str] = "kakuro"

    clues: tuple[Any, ...] = parameter(
        Lines(), "lines with . for an open cell, # for a black one, 17\\16 for one with sums below and to the right"
    )
    givens: Any = givens()

    def build(self) -> Grid:
        board = board_of("clues", self.clues)
        holes = [place for place, sign in _signs(board) if sign != OPEN]
        sums = _sums(board)
        with blaming("clues"):
            title = f"{len(board)}x{len(board[0])} {self.title}"
            grid = Grid(len(board), len(board[0]), values=range(1, 10), holes=holes, title=title)
        grid = with_givens(grid, self.givens)
        for way, runs in zip(_WAYS, (grid.col_runs(), grid.row_runs()), strict=True):
            for run in runs:
                _add_run(grid, run, way, sums)
        _refuse_misfits(grid, sums)
        return grid


def _signs(board: Sequence[Sequence[Any]]) -> list[tuple[Place, str]]:
    return [((r, c), str(sign)) for r, line in enumerate(board) for c, sign in enumerate(line)]


def _sums(board: Sequence[Sequence[Any]]) -> Sums:
    """What black cells tell; 0 is no sum. Raises UsageError for what is no cell of a kakuro."""
    found: Sums = {}
    for (r, c), sign in _signs(board):
        if sign in (OPEN, HOLE):
            continue
        clue = _CLUE.fullmatch(sign)
        if clue is None:
            raise UsageError(f"clues[{r + 1}]: {sign!r} is no cell of a kakuro", hint=_HINT)
        found |= {((r, c), way): int(total) for way, total in zip(_WAYS, clue.groups(), strict=True) if int(total or 0)}
    return found


def _add_run(grid: Grid, run: tuple[str, ...], way: str, sums: Sums) -> None:
    """The rule of one run of cells, whose first follows the black cell that tells its sum."""
    (r, c), (down, across) = grid.cells.places[grid.cells.index[run[0]]], _WAYS[way]
    total = sums.get(((r - down, c - across), way))
    with blaming(f"clues[{max(r - down, 0) + 1}]"):
        refuse_sum(len(run), total, grid.values.numbers)
    if total is not None:
        grid.sum(run, total, distinct=True)
    elif len(run) > 1:
        grid.all_different(run)


def _refuse_misfits(grid: Grid, sums: Sums) -> None:
    for ((r, c), way), total in sums.items():
        down, across = _WAYS[way]
        if not grid.cells.line([(r + down, c + across)]):
            raise UsageError(f"clues[{r + 1}]: no open cell is {way} of the sum {total}", hint=_HINT)
    told = {way: sum(total for (_, other), total in sums.items() if other == way) for way in _WAYS}
    runs = len(grid.col_runs()) + len(grid.row_runs())
    if len(sums) == runs and len(set(told.values())) > 1:
        below, right = told.values()
        message = f"clues: the sums below come to {below}, those to the right to {right}"
        raise UsageError(message, hint="Each counts every open cell once: one of them is wrong.")
