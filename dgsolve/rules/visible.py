"""How many buildings are seen from one end: skyscrapers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.drawing.marks import EdgeClue, Mark
from dgsolve.rules.base import Words
from dgsolve.rules.parameters import Whole, parameter
from dgsolve.rules.walk import Walk


@dataclass(frozen=True)
class Visible(Walk):
    """Seen from before the first cell, `visible` cells are higher than all before them.

    grid.visible(grid.row(0), 3); from the right: grid.visible(grid.row(0)[::-1], 2)
    """

    kind: ClassVar[str] = "visible"

    visible: int = parameter(Whole(1), "how many are seen from before the first cell")

    def start(self) -> Any:
        return (None, 0)

    def step(self, state: Any, place: int, number: int) -> Any:
        highest, seen = state
        if highest is not None and number <= highest:
            return state
        return (number, seen + 1) if seen < self.visible else None

    def accepts(self, state: Any) -> bool:
        return bool(state[1] == self.visible)

    def describe(self, words: Words) -> str:
        return f"{self.visible} can be seen from {words.cell(self.cells[0])} along {self.listed_cells(words)}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return (EdgeClue(self.cells, f"{self.visible}"),)

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        seen = sum(number > max(numbers[:place], default=number - 1) for place, number in enumerate(numbers))
        return "" if seen == self.visible else f"{self.describe(words)}, not {seen}"
