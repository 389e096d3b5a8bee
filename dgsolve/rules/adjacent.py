"""Neighbours whose numbers follow one another, or must not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from dgsolve.drawing.marks import Mark, Sign
from dgsolve.rules.base import Words
from dgsolve.rules.links import Links
from dgsolve.rules.parameters import Flag, parameter


@dataclass(frozen=True)
class Adjacent(Links):
    """Each cell and the next differ by exactly 1; with `never`, by anything else.

    grid.adjacent("r1c1", "r1c2")
    """

    kind: ClassVar[str] = "adjacent"

    never: bool = parameter(Flag(), "true: they must not differ by 1", False)

    def allows(self, first: int, second: int) -> bool:
        return (abs(first - second) == 1) is not self.never

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} {'never ' if self.never else ''}hold consecutive numbers"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return () if self.never else tuple(Sign(pair, "○") for pair in pairwise(self.cells))

    def wrong(self, first: str, second: str) -> str:
        return f"{first} and {second} must {'not ' if self.never else ''}differ by 1"
