"""Each cell less than the next: inequality signs, thermometers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from dgsolve.drawing.marks import Mark, Sign, Thermo
from dgsolve.rules.base import Candidate, Groups, Words
from dgsolve.rules.links import Links
from dgsolve.rules.parameters import Flag, parameter


@dataclass(frozen=True)
class LessThan(Links):
    """The numbers grow along the cells; where `strict` is false, two neighbours may be equal.

    grid.less_than("r1c1", "r1c2", "r1c3")
    """

    kind: ClassVar[str] = "less_than"

    strict: bool = parameter(Flag(), "false: neighbours may be equal", True)

    def allows(self, first: int, second: int) -> bool:
        return first < second or (first == second and not self.strict)

    def describe(self, words: Words) -> str:
        return f" {self._sign} ".join(words.cell(slot) for slot in self.cells)

    def marks(self, words: Words) -> tuple[Mark, ...]:
        if self.strict and len(self.cells) > 2:
            return (Thermo(self.cells),)
        return tuple(Sign(pair, "<" if self.strict else "≤") for pair in pairwise(self.cells))

    @property
    def _sign(self) -> str:
        return "<" if self.strict else "<="

    def wrong(self, first: str, second: str) -> str:
        return f"{first} must be {'less than' if self.strict else 'no more than'} {second}"

    def groups(self, numbers: Sequence[int]) -> Groups:
        """For each bound: the first cell from there on, the second up to there; fewer groups than number by number."""
        found: list[tuple[Candidate, ...]] = []
        for first, second in pairwise(self.cells):
            for bound in numbers:
                low = [(second, number) for number in numbers if number <= bound]
                high = [(first, number) for number in numbers if not self.allows(number, bound)]
                found += [(*low, *high)] if high else []
        return Groups(at_most_one=tuple(found))
