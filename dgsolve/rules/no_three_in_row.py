"""No long runs of one value: Takuzu."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.problem import Fault
from dgsolve.rules.base import Words
from dgsolve.rules.parameters import Whole, parameter
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class NoThreeInRow(Walk):
    """No more than `longest` cells in a row hold the same value.

    grid.no_three_in_row(grid.row(0))
    """

    kind: ClassVar[str] = "no_three_in_row"

    longest: int = parameter(Whole(1), "how many in a row may hold the same", 2)

    def start(self) -> Any:
        return (None, 0)

    def step(self, state: Any, place: int, number: int) -> Any:
        last, length = state
        length = length + 1 if number == last else 1
        return (number, length) if length <= self.longest else None

    def accepts(self, state: Any) -> bool:
        return True

    def describe(self, words: Words) -> str:
        return f"no {self.longest + 1} in a row of {self.listed_cells(words)} are the same"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        return next((fault.message for fault in self.faults(numbers, words)), "")

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        for window in self._windows():
            first = held[window[0]]
            if first is not None and all(held[place] == first for place in window):
                names = self.listed_cells(words, window)
                yield self.fault(f"{names} all hold {words.value(first)}", window, words)

    def _windows(self) -> list[range]:
        return [range(end - self.longest, end + 1) for end in range(self.longest, len(self.cells))]

    def post(self, model: Any, cells: PostedCells) -> None:
        for window in self._windows():
            for number in cells.choices(self.cells[window[0]]):
                model.add_bool_or([cells.holds(self.cells[place], number).negated() for place in window])
