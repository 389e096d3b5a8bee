"""What a grid is made of: cells, values, givens, domains and rules; rules are added until it is first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, Self

from dgsolve.drawing.marks import Mark
from dgsolve.errors import UsageError
from dgsolve.problem import CellProblem
from dgsolve.problems import grid_text
from dgsolve.problems.grid_building import RuleMethods, checked_domains
from dgsolve.problems.grid_cells import Cells
from dgsolve.problems.grid_values import Values
from dgsolve.rules import Rule
from dgsolve.shortened import shown

MOST_CANDIDATES = 1_000_000  # a cell with one of its values each


class GridParts(RuleMethods, CellProblem):
    """Two grids of equal parts are equal."""

    def __init__(
        self,
        rows: int | None = None,
        cols: int | None = None,
        *,
        values: Any,
        cells: Sequence[str] | None = None,
        givens: Any = None,
        holes: Any = (),
        domains: Mapping[Any, Any] | None = None,
        rules: Iterable[Rule] = (),
        title: str = "",
    ) -> None:
        self.values = Values.of(values)
        self.cells = _cells(rows, cols, cells, holes, givens)
        if len(self.cells) * len(self.values) > MOST_CANDIDATES:
            size = f"{len(self.cells)} cells of {len(self.values)} values"
            _misfit(f"{size} are too many: cells times values may be {MOST_CANDIDATES} at most")
        if not isinstance(title, str):
            _misfit(f"a title is a text, not {shown(title)}")
        self.title = title
        self._rules: list[Rule] = []
        self._marks: list[Mark] = []
        self._closed = False
        self._held: grid_text.Held = (None,) * len(self.cells)
        if givens is not None:
            self._held = grid_text.read_held(self.cells, self.values, givens)
        self._domains = checked_domains(self.cells, self.values, {} if domains is None else domains)
        for rule in rules:
            self.add_rule(rule)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all cells, by slot."""
        return self.cells.names

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order in which they were added."""
        return tuple(self._rules)

    @property
    def held(self) -> grid_text.Held:
        """The number given in each slot, None where it is open."""
        return self._held

    @property
    def domains(self) -> Mapping[int, frozenset[int]]:
        """The numbers that a slot may hold, of the slots that were restricted."""
        return self._domains

    @property
    def givens(self) -> frozenset[int]:
        """The slots that are given."""
        return frozenset(slot for slot, number in enumerate(self._held) if number is not None)

    def add_rule(self, rule: Rule) -> None:
        """Add a rule that is made already; raises UsageError where it does not fit."""
        if not isinstance(rule, Rule):
            raise UsageError(f"{shown(rule)} is no rule", hint="Rules are made by methods: grid.sum(cells, 5).")
        if self._closed:
            raise UsageError(
                f"{rule.kind} comes too late: this grid was used, and rules may not change under its answers",
                hint="Add every rule before solving, or start from grid.copy().",
            )
        if not all(0 <= slot < len(self.cells) for slot in rule.cells):
            raise UsageError(f"{rule.kind} names slots beyond the {len(self.cells)} of this grid")
        self._rules.append(rule)

    def add_mark(self, mark: Mark) -> None:
        """Have pictures show a mark besides those of the rules, such as a number in print; answers do not depend on it.

        Grids that differ in such marks alone are equal, and files do not keep them.
        """
        self._marks.append(mark)

    def copy(self, *, givens: Any = None) -> Self:
        """The same grid, open for more rules; with other givens where some are given."""
        other = type(self).__new__(type(self))
        other.values, other.cells, other.title = self.values, self.cells, self.title
        other._rules, other._closed, other._domains = list(self._rules), False, self._domains
        other._marks = list(self._marks)
        other._held = self._held if givens is None else grid_text.read_held(self.cells, self.values, givens)
        return other

    def _key(self) -> tuple[Any, ...]:
        domains = tuple(sorted((slot, tuple(sorted(allowed))) for slot, allowed in self._domains.items()))
        return (self.cells, self.values, self._held, domains, tuple(self._rules), self.title)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GridParts) and self._key() == other._key()

    def __hash__(self) -> int:
        self._closed = True
        return hash(self._key())

    def cell(self, slot: int) -> str:
        return self.cells.names[slot]

    def value(self, number: int) -> str:
        """How rules write a value."""
        return self.values.symbol(number)

    def native(self, number: int) -> int | str:
        """The value as Python has it."""
        return self.values.native(number)


def _cells(rows: int | None, cols: int | None, cells: Any, holes: Any, givens: Any) -> Cells:
    if (rows is None) != (cols is None) or (rows is None) == (cells is None):
        _misfit("give rows and cols, or cells with names of their own")
    if rows is None or cols is None:
        if holes:
            _misfit("holes are of a rectangle; leave those cells out")
        return Cells.named(cells)
    whole = Cells.rectangle(rows, cols)
    places = [whole.places[slot] for slot in whole.slots(() if holes is None else holes)]
    return Cells.rectangle(rows, cols, [*places, *grid_text.holes_of(whole.rows, whole.cols, givens)])


def _misfit(message: str) -> NoReturn:
    raise UsageError(f"Grid: {message}")
