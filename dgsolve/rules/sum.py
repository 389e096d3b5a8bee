"""Numbers that add up: cages, kakuro runs, magic squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.drawing.marks import Mark, Total
from dgsolve.errors import UsageError
from dgsolve.plural import counted
from dgsolve.rules.base import Domains, Words
from dgsolve.rules.layers import Layers
from dgsolve.rules.matching import matched
from dgsolve.rules.parameters import Flag, Several, Span, Whole, parameter
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Sum(Walk):
    """The numbers, each times its own of the `weights` where these are given, add up to `total`, or within it; with
    `distinct`, none of them comes twice.

    grid.sum(cells, 15, distinct=True), or total=[10, 20]; a = b + c: grid.sum(["a", "b", "c"], 0, weights=[1, -1, -1])
    """

    kind: ClassVar[str] = "sum"

    total: tuple[int, int] = parameter(Span(), "what they add up to: a number, or [least, most]")
    distinct: bool = parameter(Flag(), "true: no number twice", False)
    weights: tuple[int, ...] = parameter(Several(Whole()), "what the cells' numbers are multiplied by", ())

    def refuse(self) -> None:
        if self.weights and len(self.weights) != len(self.cells):
            raise UsageError(f"sum has {counted(len(self.cells), 'cell')} and {len(self.weights)} weights")

    @property
    def orderly(self) -> bool:
        return len(set(self.weights)) < 2

    def start(self) -> Any:
        return (0, frozenset())

    def step(self, state: Any, place: int, number: int) -> Any:
        """A state is the sum so far, and where they are distinct the numbers that came."""
        total, came = state
        if number in came:
            return None
        return (total + self._weight(place) * number, came | {number} if self.distinct else came)

    def accepts(self, state: Any) -> bool:
        low, high = self.total
        return bool(low <= state[0] <= high)

    def layers(self, domains: Sequence[set[int]]) -> Layers:
        """Of the states no more than can still come to the total."""
        ends = [(min(held), max(held)) for held in self._weighed(domains)]
        room = list(accumulate(reversed(ends), lambda a, b: (a[0] + b[0], a[1] + b[1]), initial=(0, 0)))[-2::-1]

        def step(state: Any, place: int, number: int) -> Any:
            after = self.step(state, place, number)
            least, most = room[place]
            return after if after and after[0] + least <= self.total[1] and after[0] + most >= self.total[0] else None

        return Layers.read(domains, self.start(), step, self.accepts)

    def _weight(self, place: int) -> int:
        return self.weights[place] if self.weights else 1

    def _weighed(self, domains: Sequence[set[int]]) -> Domains:
        """What each cell adds to the sum."""
        return [{self._weight(place) * number for number in held} for place, held in enumerate(domains)]

    def describe(self, words: Words) -> str:
        weighed = f", times {' '.join(map(str, self.weights))}," if self.weights else ""
        distinct = ", all different" if self.distinct else ""
        return f"{self.listed_cells(words)}{weighed} add up to {self._amount}{distinct}"

    @property
    def _amount(self) -> str:
        low, high = self.total
        return f"{low}" if low == high else f"{low} to {high}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        """As killer and kakuro have it where the numbers differ, else as KenKen has it; with weights none."""
        if self.weights:
            return ()
        return (Total(self.cells, self._amount.replace(" to ", "-") + ("" if self.distinct else "+")),)

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        low, high = self.total
        total = sum(self._weight(place) * number for place, number in enumerate(numbers))
        if not low <= total <= high:
            weighed = " with their weights" if self.weights else ""
            return f"{self.listed_cells(words)} add up to {total}{weighed}, not to {self._amount}"
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
            narrowed = self._within_bounds(domains)
            if narrowed is not None and self.distinct:
                narrowed = matched(narrowed)
            if narrowed is None or narrowed == domains:
                return narrowed
            domains = narrowed

    def _within_bounds(self, domains: Domains) -> Domains | None:
        """Each cell without what is too little or too much beside all that the others can add."""
        added = _bounded(self._weighed(domains), *self.total)
        if added is None:
            return None
        held = enumerate(zip(domains, added, strict=True))
        return [{number for number in old if self._weight(place) * number in new} for place, (old, new) in held]

    def post(self, model: Any, cells: PostedCells) -> None:
        cells.add_within(self.cells, [self._weight(place) for place in range(len(self.cells))], *self.total)
        if self.distinct:
            for number in sorted({number for slot in self.cells for number in cells.choices(slot)}):
                model.add_at_most_one([cells.holds(slot, number) for slot in self.cells])


def _bounded(domains: Domains, low: int, high: int) -> Domains | None:
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
