"""Map colouring: regions that share a border have different colours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from dgsolve.drawing.marks import Chart
from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, blaming, givens
from dgsolve.grid_kinds.making import board_of, with_givens
from dgsolve.grid_kinds.options import Lines, Palette
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import parameter


@dataclass(frozen=True)
class Map(GridKind):
    """A map of letters, one letter a region; . and # are no land. Regions that meet in a corner alone may be alike.

    kind = "map"
    colours = 3
    regions = ["AAB", "CCB", "CDD"]
    """

    kind: ClassVar[str] = "map"
    title: ClassVar[str] = "map colouring"

    regions: tuple[Any, ...] = parameter(Lines(), "lines of letters, one letter a region")
    colours: Any = parameter(Palette(), "how many colours, or their names", (1, 2, 3, 4))
    givens: Any = givens()

    def build(self) -> Grid:
        lines = [[str(sign) for sign in line] for line in board_of("regions", self.regions, "letter")]
        land = dict.fromkeys(sign for line in lines for sign in line if sign not in ".#")
        with blaming("regions"):
            if not land:
                raise UsageError("there is no land on this map", hint="Write letters for regions.")
            grid = Grid(cells=list(land), values=self.colours, title=f"{len(self.colours)}-{self.title}")
        grid = with_givens(grid, self.givens)
        grid.add_mark(Chart(tuple(range(len(land))), "\n".join(map(" ".join, lines))))
        for first, second in _borders(lines):
            grid.not_equal([first], [second])
        return grid


def _borders(lines: list[list[str]]) -> list[tuple[str, str]]:
    """The regions that share an edge of some cell, each two once."""
    across = [pair for line in lines for pair in pairwise(line)]
    down = [pair for line, below in pairwise(lines) for pair in zip(line, below, strict=True)]
    found = {frozenset(pair): pair for pair in [*across, *down] if pair[0] != pair[1] and not {*pair} & {".", "#"}}
    return list(found.values())
