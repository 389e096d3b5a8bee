"""How far neighbours are apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dgsolve.drawing.marks import Cage, Mark
from dgsolve.rules.base import Words
from dgsolve.rules.links import Links
from dgsolve.rules.parameters import Flag, Span, parameter


@dataclass(frozen=True)
class Difference(Links):
    """The larger less the smaller of each two neighbours is `difference`, or within it; with `never`, it is not.

    grid.difference("r1c1", "r1c2", difference=3), or difference=[5, 8] for at least 5 of 9
    """

    kind: ClassVar[str] = "difference"

    difference: tuple[int, int] = parameter(Span(0), "how far apart: a number, or [least, most]", (1, 1))
    never: bool = parameter(Flag(), "true: they must not be so far apart", False)

    def allows(self, first: int, second: int) -> bool:
        low, high = self.difference
        return (low <= abs(first - second) <= high) is not self.never

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} {self._demand}"

    @property
    def _demand(self) -> str:
        low, high = self.difference
        amount = f"{low}" if low == high else f"{low} to {high}"
        return f"{'must not' if self.never else 'must'} differ by {amount}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        """Of a pair of cells alone: a chain is drawn by nobody."""
        low, high = self.difference
        amount = f"{low}" if low == high else f"{low}-{high}"
        return () if self.never or len(self.cells) > 2 else (Cage(self.cells, f"{amount}−"),)

    def wrong(self, first: str, second: str) -> str:
        return f"{first} and {second} {self._demand}"
