"""Rules about how many cells hold certain values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dgsolve.problem import Fault
from dgsolve.rules.base import Groups, Words
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Counting(Walk):
    """At least so many and at most so many cells hold one of some numbers."""

    @property
    def orderly(self) -> bool:
        return True

    @abstractmethod
    def counted(self) -> tuple[int, ...]:
        """The numbers that are counted."""

    @abstractmethod
    def bounds(self) -> tuple[int, int]:
        """How many cells may hold one: at least, at most."""

    def start(self) -> int:
        return 0

    def step(self, state: int, place: int, number: int) -> int | None:
        low, high = self.bounds()
        state += number in self.counted()
        return state if state <= high and state + len(self.cells) - 1 - place >= low else None

    def accepts(self, state: int) -> bool:
        low, high = self.bounds()
        return low <= state <= high

    def describe(self, words: Words) -> str:
        return f"{self._demand(words)} of {self.listed_cells(words)} {self._held(words)}"

    def _demand(self, words: Words) -> str:
        low, high = self.bounds()
        if low == high:
            return f"exactly {low}"
        return f"at most {high}" if low == 0 else f"{low} to {high}" if high < len(self.cells) else f"at least {low}"

    def _held(self, words: Words) -> str:
        return f"hold {' or '.join(map(words.value, self.counted()))}"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        return next((fault.message for fault in self.faults(numbers, words)), "")

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        low, high = self.bounds()
        having = [place for place, number in enumerate(held) if number in self.counted()]
        if len(having) > high:
            names = self.listed_cells(words, having)
            yield self.fault(f"{names} {self._held(words)}: {self._demand(words)} may", having, words)
        elif (can := len(having) + held.count(None)) < low:
            sentence = f"{self.describe(words)}, {f'but only {can} can' if None in held else f'not {can}'}"
            yield self.fault(sentence, range(len(held)), words)

    def post(self, model: Any, cells: PostedCells) -> None:
        low, high = self.bounds()
        total = sum(cells.holds(slot, number) for slot in self.cells for number in self.counted())
        if low > len(self.cells):
            model.add_bool_or([])
        else:
            model.add_linear_constraint(total, low, min(high, len(self.cells)))

    def groups(self, numbers: Sequence[int]) -> Groups | None:
        group = tuple((slot, number) for slot in self.cells for number in self.counted() if number in numbers)
        if self.bounds() == (1, 1):
            return Groups(exactly_one=(group,))
        return Groups(at_most_one=(group,)) if self.bounds() == (0, 1) else None
