"""Lines of which no two are alike: binairo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.problem import Fault
from dgsolve.rules.base import Domains, Rule, Words
from dgsolve.rules.parameters import Whole, parameter

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class UnlikeLines(Rule):
    """The cells are lines of `length` cells, one after the other, no two of which hold the same.

    grid.unlike_lines([name for row in grid.rows() for name in row], 6)
    """

    kind: ClassVar[str] = "unlike_lines"

    length: int = parameter(Whole(1), "cells of a line")

    def refuse(self) -> None:
        if len(self.cells) % self.length:
            raise UsageError(f"{self.kind}: {len(self.cells)} cells are no lines of {self.length}")

    def describe(self, words: Words) -> str:
        return f"no two of {len(self.cells) // self.length} lines from {self.listed_cells(words, [0])} on are alike"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        return next((fault.message for fault in self.faults(numbers, words)), "")

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        for first, second in self._pairs():
            line = [held[place] for place in first]
            if None not in line and line == [held[place] for place in second]:
                names = " and ".join(self.listed_cells(words, places) for places in (first, second))
                yield self.fault(f"{names} are alike", [*first, *second], words)

    def propagate(self, domains: Domains) -> Domains | None:
        """Without the values that would make a line with one open cell like one without any, until there are none."""
        found = [set(domain) for domain in domains]
        while self._strike(found):
            pass
        return found if all(found) else None

    def _strike(self, domains: Domains) -> bool:
        """Take such values away, all where two lines are alike already; whether that closed a cell."""
        closed = False
        for one, other in self._pairs():
            for full, last in ((one, other), (other, one)):
                open_cells = [place for place, like in zip(last, full, strict=True) if domains[place] != domains[like]]
                if len(open_cells) < 2 and all(len(domains[place]) == 1 for place in full):
                    place = open_cells[0] if open_cells else last[0]
                    before = len(domains[place])
                    domains[place] -= domains[full[last.index(place)]]
                    closed = closed or len(domains[place]) < before == 2
        return closed

    def post(self, model: Any, cells: PostedCells) -> None:
        for first, second in self._pairs():
            alike = []
            for one, other in zip(first, second, strict=True):
                for number in cells.choices(self.cells[one]):
                    both, held = model.new_bool_var(""), [cells.holds(self.cells[at], number) for at in (one, other)]
                    model.add_bool_and(held).only_enforce_if(both)
                    model.add_bool_or([*(holds.negated() for holds in held), both])
                    alike.append(both)
            model.add(sum(alike) < self.length)

    def _pairs(self) -> Iterator[tuple[range, range]]:
        lines = [range(low, low + self.length) for low in range(0, len(self.cells), self.length)]
        return combinations(lines, 2)
