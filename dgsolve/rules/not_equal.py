"""Two cells that hold different values: an edge of a graph to colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dgsolve.drawing.marks import Mark, Sign
from dgsolve.rules.base import Groups, Words
from dgsolve.rules.links import Links


@dataclass(frozen=True)
class NotEqual(Links):
    """Two cells hold different values; `all_different` takes more of them.

    grid.not_equal("Spain", "Portugal")
    """

    kind: ClassVar[str] = "not_equal"
    most: ClassVar[int | None] = 2
    by_factor: ClassVar[bool] = False

    @property
    def orderly(self) -> bool:
        return True

    def allows(self, first: int, second: int) -> bool:
        return first != second

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} differ"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return (Sign(self.cells, "≠"),)

    def wrong(self, first: str, second: str) -> str:
        return f"{first} and {second} must differ"

    def groups(self, numbers: Sequence[int]) -> Groups:
        return Groups(at_most_one=tuple(tuple((slot, number) for slot in self.cells) for number in numbers))
