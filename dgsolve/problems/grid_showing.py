"""A grid as people and programs see it: a sentence, a picture, a line, a field of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dgsolve.plural import counted
from dgsolve.problem import GridLayout
from dgsolve.problems import grid_text
from dgsolve.problems.grid_parts import GridParts

if TYPE_CHECKING:
    from rich.text import Text


class GridShowing(GridParts):
    """The parts of a grid, shown."""

    def describe(self) -> str:
        shape = f"{self.cells.rows}x{self.cells.cols} grid" if self.cells.rows else counted(len(self.cells), "cell")
        rules, givens = counted(len(self._rules), "rule"), counted(len(self.givens), "given")
        return f"{self.title or shape}, {rules}, {givens}"

    def grid(self) -> GridLayout | None:
        cells = self.cells
        if cells.rows * cells.cols != len(cells):
            return None
        return GridLayout(cells.rows, cells.cols, cells.rows, cells.cols, self.values.symbols, self.givens)

    def given_text(self, slot: int) -> str:
        number = self._held[slot]
        if number is not None:
            return f"{self.cell(slot)} = {self.value(number)}"
        allowed = sorted(self._domains.get(slot, ()), key=self.values.place.__getitem__)
        return f"{self.cell(slot)} of {{{' '.join(map(self.value, allowed))}}}"

    def picture(self, answer: Any = None) -> Text:
        held = self._held if answer is None else grid_text.read_held(self.cells, self.values, answer)
        return grid_text.picture(self.cells, self.values, held, self.givens)

    def line(self, answer: Any = None) -> str:
        held = self._held if answer is None else grid_text.read_held(self.cells, self.values, answer)
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

    def __rich__(self) -> Text:
        return self.picture()
