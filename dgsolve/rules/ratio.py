"""How many times one neighbour is the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dgsolve.drawing.marks import Cage, Mark
from dgsolve.rules.base import Words
from dgsolve.rules.links import Links
from dgsolve.rules.parameters import Flag, Whole, parameter


@dataclass(frozen=True)
class Ratio(Links):
    """One of each two neighbours is `ratio` times the other; with `never`, neither is.

    grid.ratio("r1c1", "r1c2", ratio=2)
    """

    kind: ClassVar[str] = "ratio"

    ratio: int = parameter(Whole(1), "how many times one is the other", 2)
    never: bool = parameter(Flag(), "true: neither may be so many times the other", False)

    def allows(self, first: int, second: int) -> bool:
        return (first == second * self.ratio or second == first * self.ratio) is not self.never

    def describe(self, words: Words) -> str:
        return f"of {self.listed_cells(words)} {self._demand}"

    @property
    def _demand(self) -> str:
        return f"{'neither may' if self.never else 'one must'} be {self.ratio} times the other"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        """Of a pair of cells alone: a chain is drawn by nobody."""
        return () if self.never or len(self.cells) > 2 else (Cage(self.cells, f"{self.ratio}÷"),)

    def wrong(self, first: str, second: str) -> str:
        return f"of {first} and {second} {self._demand}"
