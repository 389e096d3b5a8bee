"""A grid as people and programs see it: a sentence, a picture, a line, a field of JSON."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from dgsolve.drawing.marks import Name
from dgsolve.plural import counted
from dgsolve.problem import GridLayout
from dgsolve.problems import grid_text
from dgsolve.problems.grid_parts import GridParts

NAMED_WIDTH = 72  # columns that named cells may take side by side


class GridShowing(GridParts):
    """The parts of a grid, shown."""

    def describe(self) -> str:
        shape = f"{self.cells.rows}x{self.cells.cols} grid" if self.cells.rows else counted(len(self.cells), "cell")
        rules, givens = counted(len(self._rules), "rule"), counted(len(self.givens), "given")
        return f"{self.title or shape}, {rules}, {givens}"

    def grid(self) -> GridLayout:
        return self._layout if self._closed else self._laid_out()

    @cached_property
    def _layout(self) -> GridLayout:
        return self._laid_out()

    def _laid_out(self) -> GridLayout:
        """The rectangle with its holes; named cells one after the other, each with its name in the corner."""
        cells = self.cells
        marks = [*self._marks, *(mark for rule in self._rules for mark in rule.marks(self))]
        rows, cols, places = cells.rows, cells.cols, cells.places
        if not rows:
            wide = max(len(symbol) + 2 for symbol in (*self.values.symbols, *cells.names)) + 1
            rows = -(-len(cells) // max(NAMED_WIDTH // wide, 1))
            cols = -(-len(cells) // rows)
            places = tuple(divmod(slot, cols) for slot in range(len(cells)))
            marks = [*(Name((slot,), name) for slot, name in enumerate(cells.names)), *marks]
        whole = rows * cols == len(cells)
        return GridLayout(
            rows, cols, rows, cols, self.values.symbols, self.givens, () if whole else places, tuple(marks)
        )

    def given_text(self, slot: int) -> str:
        number = self._held[slot]
        if number is not None:
            return f"{self.cell(slot)} = {self.value(number)}"
        allowed = sorted(self._domains.get(slot, ()), key=self.values.place.__getitem__)
        return f"{self.cell(slot)} of {{{' '.join(map(self.value, allowed))}}}"

    def symbols_of(self, answer: Any = None) -> list[str | None]:
        return [None if number is None else self.values.symbol(number) for number in self._shown(answer)]

    def _shown(self, answer: Any) -> grid_text.Held:
        return self._held if answer is None else grid_text.read_held(self.cells, self.values, answer)

    def line(self, answer: Any = None) -> str:
        held = self._shown(answer)
        gap = " " if self.values.spaced else ""
        return gap.join(grid_text.rows_of(self.cells, self.values, held))

    def answer_field(self, answer: Any) -> Any:
        held = grid_text.read_held(self.cells, self.values, answer)
        if not self.cells.rows:
            return dict(zip(self.names, answer, strict=True))
        rows = grid_text.rows_of(self.cells, self.values, held)
        return "".join(rows) if max(self.cells.rows, self.cells.cols) <= 9 and not self.values.spaced else rows

    def __str__(self) -> str:
        return self.line()

    def __repr__(self) -> str:
        return f"<Grid: {self.describe()}>"
