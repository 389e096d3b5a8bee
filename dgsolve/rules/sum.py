"""Numbers that add up: cages, kakuro runs, magic squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.drawing.marks import Mark, Total
from dgsolve.rules.base import Domains, Words
from dgsolve.rules.matching import matched
from dgsolve.rules.parameters import Flag, Span, parameter
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Sum(Walk):
    """The numbers add up to `total`, or within it; with `distinct`, none of them twice.

    grid.sum(cells, 15, distinct=True), or total=[10, 20]
    """

    kind: ClassVar[str] = "sum"
    orderly: ClassVar[bool] = True

    total: tuple[int, int] = parameter(Span(), "what they add up to: a number, or [least, most]")
    distinct: bool = parameter(Flag(), "true: no number twice", False)

    def start(self) -> Any:
        return frozenset() if self.distinct else 0

    def step(self, state: Any, place: int, number: int) -> Any:
        if self.distinct:
            return None if number in state else state | {number}
        return state + number

    def accepts(self, state: Any) -> bool:
        low, high = self.total
        return low <= (sum(state) if self.distinct else state) <= high

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} add up to {self._amount}{', all different' if self.distinct else ''}"

    @property
    def _amount(self) -> str:
        low, high = self.total
        return f"{low}" if low == high else f"{low} to {high}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        """As killer and kakuro have it where the numbers differ, else as KenKen has it."""
        return (Total(self.cells, self._amount.replace(" to ", "-") + ("" if self.distinct else "+")),)

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        low, high = self.total
        if not low <= sum(numbers) <= high:
            return f"{self.listed_cells(words)} add up to {sum(numbers)}, not to {self._amount}"
        if self.distinct and len(set(numbers)) < len(numbers):
            twice = next(number for number in numbers if numbers.count(number) > 1)
            return f"{self.listed_cells(words)} hold {words.value(twice)} more than once"
        return ""

    def propagate(self, domains: Domains) -> Domains | None:
        """Exact where the sets of numbers are few; else by bounds, and by matching where they are distinct."""
        while True:
            exact = super().propagate(domains)
            if exact is not domains:
                return exact
            narrowed = _within_bounds(domains, *self.total)
            if narrowed is not None and self.distinct:
                narrowed = matched(narrowed)
            if narrowed is None or narrowed == domains:
                return narrowed
            domains = narrowed

    def post(self, model: Any, cells: PostedCells) -> None:
        cells.add_within(self.cells, *self.total)
        if self.distinct:
            for number in sorted({number for slot in self.cells for number in cells.choices(slot)}):
                model.add_at_most_one([cells.holds(slot, number) for slot in self.cells])


def _within_bounds(domains: Domains, low: int, high: int) -> Domains | None:
    """Bounds consistency: what each cell may hold, given the least and the most that the others add up to."""
    while True:
        least, most = sum(map(min, domains)), sum(map(max, domains))
        narrowed = [
            {number for number in held if number + least - min(held) <= high and number + most - max(held) >= low}
            for held in domains
        ]
        if not all(narrowed):
            return None
        if narrowed == domains:
            return domains
        domains = narrowed
