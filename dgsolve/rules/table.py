"""The combinations that cells may hold, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.rules.base import Domains, Rule, Words
from dgsolve.rules.layers import Layers
from dgsolve.rules.parameters import Flag, Several, Value, parameter

if TYPE_CHECKING:
    from dgsolve.factor_graph import Factor
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Table(Rule):
    """The cells hold one of `tuples`, cell by cell; with `forbidden`, none of them.

    grid.table(["r1c1", "r1c2"], [[1, 2], [2, 1]])
    """

    kind: ClassVar[str] = "table"

    tuples: tuple[tuple[int, ...], ...] = parameter(Several(Several(Value())), "combinations: a value for each cell")
    forbidden: bool = parameter(Flag(), "true: these are what they may not hold", False)

    def refuse(self) -> None:
        for row in self.tuples:
            if len(row) != len(self.cells):
                raise UsageError(f"table has {len(self.cells)} cells, but a row of {len(row)} values")

    def describe(self, words: Words) -> str:
        demand = f"none of {len(self.tuples)}" if self.forbidden else f"one of {len(self.tuples)}"
        return f"{self.listed_cells(words)} hold {demand} combinations"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        if (tuple(numbers) in self.tuples) is not self.forbidden:
            return ""
        held = " ".join(map(words.value, numbers))
        return f"{self.listed_cells(words)} hold {held}, which the table {'forbids' if self.forbidden else 'lacks'}"

    def propagate(self, domains: Domains) -> Domains | None:
        possible = [row for row in set(self.tuples) if all(n in held for n, held in zip(row, domains, strict=True))]
        if not self.forbidden:
            return [set(column) for column in zip(*possible, strict=True)] if possible else None
        narrowed = [
            {number for number in held if self._free(domains, possible, place, number)}
            for place, held in enumerate(domains)
        ]
        return narrowed if all(narrowed) else None

    def factor(self, numbers: Sequence[int]) -> Factor | None:
        """A state is the combinations that still agree; where they are forbidden, one of none is a way out."""

        def step(state: frozenset[int], place: int, number: int) -> frozenset[int] | None:
            agreeing = frozenset(row for row in state if self.tuples[row][place] == number)
            return agreeing if agreeing or self.forbidden else None

        rows = frozenset(range(len(self.tuples)))
        domains = [set(numbers)] * len(self.cells)
        layers = Layers.read(domains, rows, step, lambda state: bool(state) is not self.forbidden)
        return layers.factor(self.kind, self.cells, self, numbers)

    def _free(self, domains: Domains, possible: list[tuple[int, ...]], place: int, number: int) -> bool:
        """Whether some combination with `number` at `place` is not forbidden."""
        combinations = 1
        for other, held in enumerate(domains):
            combinations *= 1 if other == place else len(held)
        return sum(row[place] == number for row in possible) < combinations

    def post(self, model: Any, cells: PostedCells) -> None:
        if self.forbidden:
            for row in self.tuples:
                model.add_bool_or([cells.holds(s, n).negated() for s, n in zip(self.cells, row, strict=True)])
        elif self.tuples:
            model.add_allowed_assignments([cells.number(slot) for slot in self.cells], self.tuples)
        else:
            model.add_bool_or([])
