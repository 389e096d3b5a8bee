"""Where a line of a square comes among all its lines, read as numbers: full rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.drawing.marks import EdgeClue, Mark
from dgsolve.errors import UsageError
from dgsolve.rules.base import Domains, Rule, Words
from dgsolve.rules.comparing import at_most, orders, posted_less
from dgsolve.rules.parameters import Flag, Whole, parameter
from dgsolve.rules.parameters import Words as Text
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells

Line = tuple[int, ...]  # places in the rule's cells
SIDES = ("left", "right", "top", "bottom")


@dataclass(frozen=True)
class Rank(Rule):
    """The cells are a square, row by row. Of its rows and columns, each read as a number from both ends, exactly
    `rank` - 1 are less than the one that is read from `side`, the `line`-th of that side; with `tied`, others may read
    the same as it does.

    grid.rank(grid.names, 17, side="left", line=3)
    """

    kind: ClassVar[str] = "rank"

    rank: int = parameter(Whole(1), "1 for the least of all")
    side: str = parameter(Text(), "where it is read from: left, right, top or bottom")
    line: int = parameter(Whole(1), "which row or column, from 1")
    tied: bool = parameter(Flag(), "true: others may read the same", False)

    def refuse(self) -> None:
        if self.side not in SIDES:
            raise UsageError(f"rank: {shown(self.side)} is no side", hint=f"Write one of {', '.join(SIDES)}.")
        if self._size**2 != len(self.cells) or self.line > self._size:
            square = f"a square of {self._size}x{self._size} has no line {self.line}"
            wrong = square if self._size**2 == len(self.cells) else f"{len(self.cells)} cells are no square"
            raise UsageError(f"rank: {wrong}")

    @property
    def _size(self) -> int:
        return isqrt(len(self.cells))

    @cached_property
    def _lines(self) -> tuple[Line, list[Line]]:
        """Its own line, and all others."""
        size = self._size
        rows = [tuple(range(start, start + size)) for start in range(0, size * size, size)]
        cols = list(zip(*rows, strict=True))
        sides = (rows, [row[::-1] for row in rows], cols, [col[::-1] for col in cols])
        named = {(side, at): line for side, lines in zip(SIDES, sides, strict=True) for at, line in enumerate(lines, 1)}
        return named.pop((self.side, self.line)), list(named.values())

    def describe(self, words: Words) -> str:
        tied = "" if self.tied else ", without a tie"
        place = f"number {self.rank} of all rows and columns from the least on"
        return f"{self._named(words)}, read as a number, is {place}{tied}"

    def _named(self, words: Words) -> str:
        return self.listed_cells(words, self._lines[0])

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return (EdgeClue(tuple(self.cells[place] for place in self._lines[0]), f"{self.rank}"),)

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        own, *others = ([numbers[place] for place in line] for line in (self._lines[0], *self._lines[1]))
        found = 1 + sum(other < own for other in others)
        if found != self.rank:
            return f"{self.describe(words)}, not number {found}"
        return f"{self._named(words)} read as another line does" if own in others and not self.tied else ""

    def propagate(self, domains: Domains) -> Domains | None:
        """By the least and the greatest number of each cell, up to the first where two lines may differ."""
        own, others = self._lines
        while True:
            narrowed = [set(held) for held in domains]
            told = [orders(other, own, narrowed) for other in others]
            surely, perhaps = told.count({-1}), sum(-1 in possible for possible in told)
            if not surely < self.rank <= perhaps + 1 or (not self.tied and {0} in told):
                return None
            for other, possible in zip(others, told, strict=True):
                if -1 in possible and len(possible) > 1 and surely == self.rank - 1:
                    at_most(own, other, narrowed)
                elif -1 in possible and len(possible) > 1 and perhaps == self.rank - 1:
                    at_most(other, own, narrowed)
            if not all(narrowed):
                return None
            if narrowed == domains:
                return domains
            domains = narrowed

    def post(self, model: Any, cells: PostedCells) -> None:
        own, *others = ([self.cells[place] for place in line] for line in (self._lines[0], *self._lines[1]))
        below = []
        for other in others:
            less, differ = posted_less(model, cells, other, own)
            below.append(less)
            if not self.tied:
                model.add_bool_or(differ)
        model.add(sum(below) == self.rank - 1)
