"""What two rules of different values say together where they cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dgsolve.rules.all_different import AllDifferent
from dgsolve.rules.base import Domains, Rule


@dataclass(frozen=True)
class Crossing:
    """All numbers come in some cells, so one that has its places there only where other cells cross them is in none of
    the rest of the others: the locked candidates of Sudoku.

    cells: first the `own` that hold all numbers, then the others of each of the rules that cross them; `lines`: of each
    such rule the places of its cells in `cells`.
    """

    cells: tuple[int, ...]
    own: int
    lines: tuple[frozenset[int], ...]

    @property
    def heard(self) -> tuple[int, ...]:
        """The cells whose domains it reads."""
        return self.cells[: self.own]

    def propagate(self, domains: Domains) -> Domains | None:
        """The domains without what is locked elsewhere; None where a number has no place."""
        places: dict[int, set[int]] = {}
        for place, held in enumerate(domains[: self.own]):
            for number in held:
                places.setdefault(number, set()).add(place)
        if len(places) < self.own:  # as many numbers as cells
            return None
        narrowed = list(domains)
        for number, found in places.items():
            rest = frozenset().union(*(line for line in self.lines if found <= line))
            for place in rest:
                if place >= self.own:
                    narrowed[place] = narrowed[place] - {number}
        return narrowed if all(narrowed) else None


def crossings(rules: Sequence[Rule], numbers: Sequence[int]) -> Iterator[Crossing]:
    """One for each rule of different values whose cells hold all numbers, with all others that share two cells."""
    different = (rule for rule in rules if isinstance(rule, AllDifferent) and not any(rule.offsets))
    sets = dict.fromkeys(frozenset(rule.cells) for rule in different)
    for own in (cells for cells in sets if len(cells) == len(numbers)):
        across = [other for other in sets if len(own & other) > 1 and other - own]
        if across:
            cells = (*sorted(own), *sorted(frozenset().union(*across) - own))
            place = {slot: at for at, slot in enumerate(cells)}
            yield Crossing(cells, len(own), tuple(frozenset(place[slot] for slot in other) for other in across))
