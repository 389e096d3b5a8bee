"""What lies between two values adds up: sandwich Sudoku."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.drawing.marks import EdgeClue, Mark
from dgsolve.errors import UsageError
from dgsolve.rules.base import Words
from dgsolve.rules.parameters import Several, Value, Whole, parameter
from dgsolve.rules.walk import Walk


@dataclass(frozen=True)
class Sandwich(Walk):
    """The two values of `between` stand once each, and the numbers between them add up to `total`.

    grid.sandwich(grid.row(0), 20, between=[1, 9])
    """

    kind: ClassVar[str] = "sandwich"
    fewest: ClassVar[int] = 2

    total: int = parameter(Whole(), "what the cells between add up to")
    between: tuple[int, int] = parameter(Several(Value(), length=2), "the two values on the outside", (1, 9))

    def refuse(self) -> None:
        if self.between[0] == self.between[1]:
            raise UsageError("sandwich needs two different values to be between")

    def start(self) -> Any:
        return ("before", None, 0)

    def step(self, state: Any, place: int, number: int) -> Any:
        phase, first, total = state
        if phase == "between" and number not in self.between:
            return (phase, first, total + number)
        if number not in self.between:
            return state
        if phase == "before":
            return ("between", number, 0)
        return ("after", None, 0) if phase == "between" and number != first and total == self.total else None

    def accepts(self, state: Any) -> bool:
        return bool(state[0] == "after")

    def describe(self, words: Words) -> str:
        ends = " and ".join(map(words.value, self.between))
        return f"between {ends}, {self.listed_cells(words)} add up to {self.total}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return (EdgeClue(self.cells, f"{self.total}"),)

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        if self.kept(numbers):
            return ""
        places = [place for place, number in enumerate(numbers) if number in self.between]
        if len(places) != 2 or numbers[places[0]] == numbers[places[1]]:
            return f"{self.listed_cells(words)} hold not each of {' and '.join(map(words.value, self.between))} once"
        return f"{self.describe(words)}, not to {sum(numbers[places[0] + 1 : places[1]])}"
