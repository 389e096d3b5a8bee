"""How a grid is built: groups of cells by name, and one method for every kind of rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import groupby
from types import MappingProxyType
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.problems.grid_cells import Cells, cell_name
from dgsolve.problems.grid_values import Values
from dgsolve.rules import Rule, rule_kinds
from dgsolve.shortened import shown


class RuleMethods:
    """Names for groups of cells, and `grid.KIND(cells, parameters)` for every kind in `dgsolve.rules`."""

    cells: Cells
    values: Values

    def add_rule(self, rule: Rule) -> None:
        """Add a rule that is made already."""
        raise NotImplementedError

    def row(self, row: int) -> tuple[str, ...]:
        """The cells of a row, counted from 0, left to right."""
        return self._line(row, self.cells.rows, [(row, column) for column in range(self.cells.cols)])

    def col(self, column: int) -> tuple[str, ...]:
        """The cells of a column, counted from 0, top to bottom."""
        return self._line(column, self.cells.cols, [(row, column) for row in range(self.cells.rows)])

    def _line(self, number: int, count: int, places: list[tuple[int, int]]) -> tuple[str, ...]:
        if not 0 <= number < count:
            raise UsageError(f"there is no line {shown(number)}: they count from 0 to {count - 1}")
        return self.cells.line(places)

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of every row."""
        return [self.row(row) for row in range(self.cells.rows)]

    def cols(self) -> list[tuple[str, ...]]:
        """The cells of every column."""
        return [self.col(column) for column in range(self.cells.cols)]

    def row_runs(self) -> list[tuple[str, ...]]:
        """The cells between holes in every row, as long as they go: the runs of a kakuro from left to right."""
        return self._runs([[cell_name(r, c) for c in range(self.cells.cols)] for r in range(self.cells.rows)])

    def col_runs(self) -> list[tuple[str, ...]]:
        """As `row_runs`, of every column from top to bottom."""
        return self._runs([[cell_name(r, c) for r in range(self.cells.rows)] for c in range(self.cells.cols)])

    def _runs(self, lines: list[list[str]]) -> list[tuple[str, ...]]:
        parts = (part for line in lines for part in groupby(line, self.cells.index.__contains__))
        return [tuple(run) for inside, run in parts if inside]

    def boxes(self, rows: int, cols: int) -> list[tuple[str, ...]]:
        """The cells of every box of rows x cols, row by row."""
        if rows < 1 or cols < 1 or self.cells.rows % rows or self.cells.cols % cols:
            raise UsageError(f"boxes of {rows}x{cols} do not fit a {self.cells.rows}x{self.cells.cols} grid")
        corners = ((r, c) for r in range(0, self.cells.rows, rows) for c in range(0, self.cells.cols, cols))
        return [self.cells.line((r + i, c + j) for i in range(rows) for j in range(cols)) for r, c in corners]

    def diagonals(self) -> list[tuple[str, ...]]:
        """The two long diagonals of a square, both from the top."""
        size = self.cells.rows
        if size != self.cells.cols or not size:
            raise UsageError("only a square has diagonals")
        down = self.cells.line((step, step) for step in range(size))
        return [down, self.cells.line((step, size - 1 - step) for step in range(size))]

    def neighbours(self) -> list[tuple[str, str]]:
        """Every two cells that share an edge: to the right, then below, cell by cell."""
        pairs = [((r, c), step) for r, c in self.cells.places for step in ((r, c + 1), (r + 1, c))]
        lines = [self.cells.line(pair) for pair in pairs]
        return [(line[0], line[1]) for line in lines if len(line) == 2]

    def regions(self, lines: Any) -> list[tuple[str, ...]]:
        """The cells of every region of a map of letters, one letter a cell: "AAB", "ABB" ..., in order of letters."""
        listed = lines.split("\n") if isinstance(lines, str) else lines
        if not isinstance(listed, Sequence) or not all(isinstance(line, str) for line in listed):
            raise UsageError(f"{shown(lines)} is no map of regions", hint='Write lines of letters: ["AAB", "ABB"].')
        signs = "".join("".join(line.split()) for line in listed)
        if len(signs) != self.cells.rows * self.cells.cols:
            wanted = self.cells.rows * self.cells.cols
            raise UsageError(f"the regions have {len(signs)} letters, the grid has {wanted} places")
        letters = {sign: None for sign in signs if sign not in ".#"}
        width = self.cells.cols
        return [
            self.cells.line(divmod(at, width) for at, sign in enumerate(signs) if sign == letter)
            for letter in sorted(letters)
        ]

    def __getattr__(self, kind: str) -> Callable[..., None]:
        if kind.startswith("_") or kind not in rule_kinds():
            close = get_close_matches(kind, rule_kinds(), 1)
            meant = f"; did you mean {close[0]}?" if close else ""
            raise AttributeError(f"{type(self).__name__} has no attribute {kind!r}{meant}")

        def add(*arguments: Any, **given: Any) -> None:
            self.add_rule(make_rule(self.cells, self.values, kind, arguments, given))

        add.__name__, add.__doc__ = kind, rule_kinds()[kind].__doc__
        return add

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *rule_kinds()]


def make_rule(cells: Cells, values: Values, kind: str, arguments: tuple[Any, ...], given: dict[str, Any]) -> Rule:
    """A rule of `kind` as a method of `Grid` takes it; raises UsageError in words for people."""
    made = rule_kinds()[kind]
    named, rest = (arguments[:1], arguments[1:]) if made.listed else (arguments, ())
    known = list(made.parameters())
    if len(rest) > len(known):
        raise UsageError(f"{kind} takes cells{''.join(f', {name}' for name in known)}: there are too many arguments")
    given = dict(zip(known, rest, strict=False)) | given
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, 1) or known
            instead = f"Did you mean {close[0]}?" if close else "It takes cells alone."
            raise UsageError(f"{kind} has no parameter {name!r}", hint=instead)
    missing = [name for name in made.required() if name not in given]
    if missing:
        raise UsageError(f"{kind} needs {' and '.join(missing)}")
    slots = cells.slots(named[0] if len(named) == 1 else named)
    return made.build(slots, given, values.number_of)


def checked_domains(cells: Cells, values: Values, domains: Mapping[Any, Any]) -> Mapping[int, frozenset[int]]:
    """By slot, the numbers that it may hold; raises UsageError."""
    if not isinstance(domains, Mapping):
        raise UsageError(f"domains={shown(domains)}: give {{cell: values}}")
    found: dict[int, frozenset[int]] = {}
    for name, allowed in domains.items():
        if not isinstance(allowed, Iterable) or isinstance(allowed, Mapping):
            raise UsageError(f"domains: {shown(allowed)} for {name} is no list of values")
        listed = Values.of(allowed).natives if isinstance(allowed, str) else allowed
        numbers = [values.read(value) for value in listed]
        if not numbers or None in numbers:
            wrong = f"{shown(allowed)} for {name} leaves one open" if numbers else f"{name} is left without values"
            raise UsageError(f"domains: {wrong}")
        for slot in cells.slots(name):
            found[slot] = frozenset(number for number in numbers if number is not None)
    return MappingProxyType({slot: held for slot, held in found.items() if len(held) < len(values)})
