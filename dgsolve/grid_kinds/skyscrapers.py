"""Skyscrapers: a Latin square of heights, with how many buildings are seen from the edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.grid_kinds.base import GridKind, givens
from dgsolve.grid_kinds.making import checked_clues, latin_grid
from dgsolve.grid_kinds.options import Clues
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Whole, parameter


@dataclass(frozen=True)
class Skyscrapers(GridKind):
    """Every height once in each row and column; a clue at the edge says how many are seen, a higher one hiding others.

    kind = "skyscrapers"
    size = 3
    top = [1, 2, 0]
    left = [0, 3, 0]
    """

    kind: ClassVar[str] = "skyscrapers"
    title: ClassVar[str] = "skyscrapers"

    size: int = parameter(Whole(1), "rows, columns and heights")
    top: tuple[int | None, ...] = parameter(Clues(), "how many are seen down each column; 0 for no clue", ())
    bottom: tuple[int | None, ...] = parameter(Clues(), "how many are seen up each column", ())
    left: tuple[int | None, ...] = parameter(Clues(), "how many are seen along each row from the left", ())
    right: tuple[int | None, ...] = parameter(Clues(), "how many are seen along each row from the right", ())
    givens: Any = givens()

    def build(self) -> Grid:
        grid = latin_grid(self.size, self.givens, f"{self.size}x{self.size} {self.title}")
        rows, cols = grid.rows(), grid.cols()
        sides = (("top", cols, 1), ("bottom", cols, -1), ("left", rows, 1), ("right", rows, -1))
        for option, lines, way in sides:
            clues = checked_clues(option, getattr(self, option), self.size, 1, self.size)
            for line, clue in zip(lines, clues, strict=True):
                if clue is not None:
                    grid.visible(line[::way], clue)
        return grid
