"""Cells that hold the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from dgsolve.drawing.marks import Mark, Sign
from dgsolve.rules.base import Candidate, Groups, Words
from dgsolve.rules.links import Links


@dataclass(frozen=True)
class Equal(Links):
    """All cells hold the same value.

    grid.equal("r1c1", "r9c9")
    """

    kind: ClassVar[str] = "equal"
    by_factor: ClassVar[bool] = False

    @property
    def orderly(self) -> bool:
        return True

    def allows(self, first: int, second: int) -> bool:
        return first == second

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} are equal"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return tuple(Sign(pair, "=") for pair in pairwise(self.cells))

    def wrong(self, first: str, second: str) -> str:
        return f"{first} and {second} must be equal"

    def groups(self, numbers: Sequence[int]) -> Groups:
        """Of one cell with a number and the next with any other, exactly one is true."""
        found: list[tuple[Candidate, ...]] = []
        for first, second in pairwise(self.cells):
            found += [
                ((first, number), *((second, other) for other in numbers if other != number)) for number in numbers
            ]
        return Groups(exactly_one=tuple(found))
