"""Where the parts of a grid stand on a page of characters: columns of cells and edges, lines of rows and edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate

from rich.cells import cell_len

from dgsolve.drawing.arrangement import DOWN, RIGHT, arranged
from dgsolve.drawing.lattice import lattice
from dgsolve.drawing.places import Place
from dgsolve.problem import GridLayout


class TextPlan:
    """The plan of a layout. roomy: cells stand apart from each other and from walls; else they stand close.

    Edges that nothing is drawn on in their whole length take no line, and only the gap between cells as a column;
    `even` gives all edges the same room where walls are crooked or signs stand on some.
    """

    def __init__(self, layout: GridLayout, *, roomy: bool, even: bool) -> None:
        self.rows, self.cols, self.roomy, self._may_even = layout.rows, layout.cols, roomy, even
        self._layout, self._found, self._lattice = layout, arranged(layout), lattice(layout)
        self.inside = {place: clues for place, clues in self._found.clues.items() if self._is_inside(place)}
        self.pad = int(roomy and not self._found.shades)
        signs, room = self._found.growth | self._found.signs, 1 + 2 * self.pad
        self.signs = {edge: sign for edge, sign in signs.items() if len(sign) <= room}
        self.listed_signs = {edge: sign for edge, sign in signs.items() if len(sign) > room}

    def _is_inside(self, place: Place) -> bool:
        return 0 <= place[0] < self.rows and 0 <= place[1] < self.cols

    @cached_property
    def symbol_width(self) -> int:
        """Columns of the widest symbol."""
        return max(map(cell_len, self._layout.symbols))

    @cached_property
    def inner(self) -> int:
        """Columns of a cell without its pads: the symbol, and what stands above it or in its corner."""
        if self._found.prints:
            return max(self._over + 1, _longest(self._found.prints.values()) + 2)
        if not self.roomy:
            return self.symbol_width if self.is_crowded else max(self.symbol_width, self._over)
        if self._found.shades:
            return max(self._over + 1, self.symbol_width, 2)
        held = _longest([*self._found.labels.values(), *map(hole_text, self.inside.values())])
        return max(self.symbol_width, self._over, held - 2)

    @cached_property
    def _over(self) -> int:
        """Columns of the longest clue above or below a column."""
        return _longest(item for items in [*self.top.values(), *self.bottom.values()] for item in items)

    @property
    def is_crowded(self) -> bool:
        """Whether clues above neighbouring columns would run together."""
        return not self.roomy and self._over > 1 and self.symbol_width == 1

    # Clues outside the grid

    @cached_property
    def top(self) -> dict[int, list[str]]:
        """Above a column, from the top down, one line each."""
        return self._outside(-1)

    @cached_property
    def bottom(self) -> dict[int, list[str]]:
        """Below a column."""
        return self._outside(self.rows)

    def _outside(self, row: int) -> dict[int, list[str]]:
        clues = {c: said for (r, c), said in self._found.clues.items() if r == row and 0 <= c < self.cols}
        return {column: " ".join(said.values()).split() for column, said in clues.items()}

    @cached_property
    def left(self) -> dict[int, str]:
        """Before a row; rows -1 and the last one are the corners."""
        return {r: " ".join(said.values()) for (r, c), said in self._found.clues.items() if c == -1}

    @cached_property
    def right(self) -> dict[int, str]:
        """After a row."""
        return {r: " ".join(said.values()) for (r, c), said in self._found.clues.items() if c == self.cols}

    # Columns

    @cached_property
    def _even(self) -> bool:
        """Whether all edges take as much room: what is drawn on them is no straight line from end to end."""
        columns = Counter(c for _, c in self._lattice.before if 0 < c < self.cols)
        rows = Counter(r for r, _ in self._lattice.above if 0 < r < self.rows)
        straight = {*columns.values()} <= {self.rows} and {*rows.values()} <= {self.cols}
        return self._may_even and bool(not straight or self.signs or self._found.slants)

    @cached_property
    def _walled(self) -> list[bool]:
        """Of the edges before each column, and after the last: whether something is drawn on them."""
        drawn = {c for _, c in self._lattice.before} | {c + 1 for (_, c), step in self.signs if step == RIGHT}
        drawn |= {c for _, c in self._found.slants}
        with_holes = self.roomy and bool(self.inside)  # whose clues need the pads of their cells
        return [with_holes or column in drawn or self._is_even(column, self.cols) for column in range(self.cols + 1)]

    def _is_even(self, number: int, last: int) -> bool:
        return self._even and 0 < number < last

    @cached_property
    def margin(self) -> int:
        """Columns on the left of the grid."""
        return _longest(self.left.values()) + bool(self.left)

    def edge_width(self, column: int) -> int:
        """Columns of the edge before a column, its pads not counted."""
        gap = int(self.pad > 0 or self.symbol_width > 1)
        return 1 if self._walled[column] else gap if 0 < column < self.cols else 0

    def pads(self, column: int) -> tuple[int, int]:
        """Columns between a cell and the walls on its left and right."""
        return self.pad * self._walled[column], self.pad * self._walled[column + 1]

    def cell_width(self, column: int) -> int:
        """Columns of a cell with its pads."""
        return self.inner + sum(self.pads(column))

    @cached_property
    def _starts(self) -> list[int]:
        widths = [self.edge_width(column) + self.cell_width(column) for column in range(self.cols)]
        return list(accumulate(widths, initial=self.margin))

    def edge(self, column: int) -> int:
        """Where the edge before a column stands; of the column after the last, the last edge."""
        return self._starts[column]

    def cell(self, column: int) -> int:
        """Where a cell with its pads begins."""
        return self._starts[column] + self.edge_width(column)

    @cached_property
    def end(self) -> int:
        """The column after the grid."""
        return self._starts[-1] + self.edge_width(self.cols)

    @property
    def width(self) -> int:
        """Columns of all."""
        return self.end + _longest(self.right.values()) + bool(self.right)

    # Lines

    @cached_property
    def header(self) -> int:
        """Lines above the grid."""
        top = [] if self.is_crowded else [len(items) for items in self.top.values()]
        return max([int(-1 in self.left or -1 in self.right), *top])

    def is_ruled(self, row: int) -> bool:
        """Whether the edges above a row take a line."""
        return row in self._drawn_above or self._is_even(row, self.rows)

    @cached_property
    def _drawn_above(self) -> set[int]:
        below = {r + 1 for (r, _), step in self.signs if step == DOWN}
        return below | {r for r, _ in self._lattice.above} | {r for r, _ in self._found.slants}

    @cached_property
    def _lines(self) -> list[int]:
        heights = [1 + self.is_ruled(row) for row in range(self.rows)]
        return list(accumulate(heights, initial=self.header))

    def rule(self, row: int) -> int:
        """The line of the edges above a row, or below the last."""
        return self._lines[row]

    def row(self, row: int) -> int:
        """The line of a row; row -1 is the line above the grid, the one after the last the line below it."""
        if not 0 <= row < self.rows:
            return self.header - 1 if row < 0 else self._lines[-1] + self.is_ruled(self.rows)
        return self._lines[row] + self.is_ruled(row)


def hole_text(clues: dict[Place, str]) -> str:
    """The clues of a hole: of the line down, and of the line to the right."""
    down, right = clues.get(DOWN, ""), clues.get(RIGHT, "")
    return f"{down}\\{right}" if down or right else ""


def _longest(words: Iterable[str]) -> int:
    return max(map(cell_len, words), default=0)
