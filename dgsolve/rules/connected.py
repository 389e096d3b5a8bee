"""Cells of one value in one piece: hitori."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.pieces import necks, pieces
from dgsolve.problem import Fault
from dgsolve.rules.base import Domains, Rule, Words
from dgsolve.rules.parameters import Value, Whole, parameter

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Connected(Rule):
    """The cells that hold `value` hang together by edges, if there are any; all cells are rows of `width` cells.

    grid.connected(grid.names, value=0, width=5)
    """

    kind: ClassVar[str] = "connected"

    value: int = parameter(Value(), "the value whose cells are one piece")
    width: int = parameter(Whole(1), "cells of a row")

    def refuse(self) -> None:
        if len(self.cells) % self.width:
            raise UsageError(f"{self.kind}: {len(self.cells)} cells are no rows of {self.width}")

    @cached_property
    def _near(self) -> dict[int, list[int]]:
        """The neighbours of each place."""
        width, places = self.width, range(len(self.cells))
        return {
            place: [
                *([place - 1] if place % width else []),
                *([place + 1] if (place + 1) % width else []),
                *(other for other in (place - width, place + width) if other in places),
            ]
            for place in places
        }

    def describe(self, words: Words) -> str:
        return f"those of {self.listed_cells(words)} that hold {words.value(self.value)} are connected"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        return next((fault.message for fault in self.faults(numbers, words)), "")

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        """Of each piece but the largest that nothing can join to the others; it and what is around it are named."""
        open_or_value = [place for place, number in enumerate(held) if number in (None, self.value)]
        apart = [
            piece for piece in pieces(open_or_value, self._near) if any(held[place] == self.value for place in piece)
        ]
        for piece in sorted(apart, key=len)[:-1]:
            around = sorted({near for place in piece for near in self._near[place]} - set(piece))
            yield self.fault(self._sentence(held, piece, words), [*sorted(piece), *around], words)

    def _sentence(self, held: Sequence[int | None], piece: set[int], words: Words) -> str:
        inside, value = [place for place in sorted(piece) if held[place] is not None], words.value(self.value)
        names, verb = self.listed_cells(words, inside), "holds" if len(inside) == 1 else "hold"
        return f"{names} {verb} {value}, cut off from other cells with {value}"

    def propagate(self, domains: Domains) -> Domains | None:
        """Exact: cells that cannot join those that must hold the value lack it; cells that all joins need hold it."""
        may = [place for place, domain in enumerate(domains) if self.value in domain]
        must = {place for place in may if len(domains[place]) == 1}
        if not must:
            return domains
        reached = next(piece for piece in pieces(may, self._near) if must & piece)
        if not must <= reached:
            return None
        needed = must | necks(reached, self._near, must)
        found = [domain if place in reached else domain - {self.value} for place, domain in enumerate(domains)]
        return [{self.value} if place in needed else domain for place, domain in enumerate(found)]

    def post(self, model: Any, cells: PostedCells) -> None:
        """Each cell's distance from the first one that holds the value, which is less than that of some neighbour."""
        holds = [cells.holds(slot, self.value) for slot in self.cells]
        beyond = len(holds)
        far = [model.new_int_var(0, beyond, "") for _ in holds]
        for place, (held, first) in enumerate(zip(holds, _firsts(model, holds), strict=True)):
            model.add(far[place] == beyond).only_enforce_if(held.negated())
            model.add(far[place] == 0).only_enforce_if(first)
            nearest = model.new_int_var(0, beyond, "")
            model.add_min_equality(nearest, [far[near] for near in self._near[place]] or [beyond])
            model.add(far[place] == nearest + 1).only_enforce_if([held, first.negated()])


def _firsts(model: Any, holds: Sequence[Any]) -> Iterator[Any]:
    """Of each Boolean, one that says that it is the first that is true."""
    before = None
    for held in holds:
        if before is None:
            before = held
            yield held
            continue
        first, some = model.new_bool_var(""), model.new_bool_var("")
        model.add_bool_or([held.negated(), before, first])
        model.add_implication(first, held)
        model.add_implication(first, before.negated())
        model.add_bool_or([held, before, some.negated()])
        model.add_implication(held, some)
        model.add_implication(before, some)
        yield first
        before = some
