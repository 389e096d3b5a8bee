"""What the constraints of the Interactive Sudoku Solver are read onto: a grid, and the rules found so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from math import isqrt
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.letters import letter_lines
from dgsolve.grid_files.machines import NothingFitsError
from dgsolve.grid_files.tatham.pieces import name, names
from dgsolve.shortened import shown

_CELL = re.compile(r"[Rr]([1-9A-Ga-g])[Cc]([1-9A-Ga-g])")
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~([0-9]{1,2})(?:-([0-9]{1,2}))?)?(~Raw)?")
_BASE = 17  # rows and columns are 1 to 9, a to g
_LARGEST = 16
_MOST_BEYOND = 256  # cells beside the rectangle


class Board:
    """rows x cols cells, their values, and what has been asked of them; cells are numbers from 0, row by row.

    Cells beyond the rectangle, which have names, lie below it, each group of them after a row of holes.
    """

    def __init__(self, rows: int, cols: int, values: range, *, houses: bool = True) -> None:
        self.rows, self.cols, self.values = rows, cols, values
        self.houses, self.boxes = houses, houses  # whether no value comes twice in a row or column; in a box
        self.beyond: dict[str, int] = {}
        self.bottom = rows  # row after the last that has cells
        self.moved = (0, 0)  # rows and columns between a cell that is named and the one that is meant
        self.pieces: list[list[int]] = []  # of a jigsaw
        self.box_size = max(rows, cols)
        self.ties = ""  # of ranks
        self.domains: dict[int, set[int]] = {}
        self.rules: list[tuple[dict[str, Any], list[list[int]]]] = []  # what each says, and of which cells
        self.dots: set[frozenset[int]] = set()  # neighbours that a Kropki dot joins
        self.letters: set[frozenset[int]] = set()  # neighbours that an X or a V joins
        self.late: list[Callable[[Board], None]] = []  # rules about what is not marked

    @classmethod
    def of(cls, arguments: Sequence[str]) -> Board:
        """From the arguments of Shape: 9x9, 6x6~9 (values 1 to 9), 9x9~0-8; Raw where no house is understood."""
        found = _SHAPE.fullmatch("~".join(arguments))
        rows, cols = (int(found[1]), int(found[2])) if found else (0, 0)
        if found is None or not (1 <= rows <= _LARGEST and 1 <= cols <= _LARGEST):
            raise PuzzleError(f"Shape: {shown('~'.join(arguments))} is no size", hint="Sizes are 1x1 to 16x16.")
        first, last = (int(found[3]), int(found[4])) if found[4] else (1, int(found[3] or max(rows, cols)))
        if first > last:
            raise PuzzleError(f"Shape: values from {first} to {last} are none")
        return cls(rows, cols, range(first, last + 1), houses=not found[5])

    def part(self, down: int = 0, right: int = 0) -> Board:
        """The same cells, of which nothing has been asked; those that are named are meant so far from there."""
        found = copy(self)
        found.domains, found.rules, found.late, found.dots, found.letters = {}, [], [], set(), set()
        found.moved = (self.moved[0] + down, self.moved[1] + right)
        return found

    def merge(self, part: Board) -> None:
        """What has been asked of a part is asked here too."""
        for written, each in part.rules:
            for cells in each:
                self.add(written["type"], cells, **{key: said for key, said in written.items() if key != "type"})
        for cell, held in part.domains.items():
            self.restrict(cell, held)

    def add_cells(self, prefix: str, count: int, width: int) -> list[int]:
        """Cells beyond the rectangle: A1, A2 and so on, `width` of them beside each other; one alone is A."""
        if f"{prefix}1" in self.beyond or prefix in self.beyond or len(self.beyond) + count > _MOST_BEYOND:
            twice = "there are such cells already" if count <= _MOST_BEYOND else "these are too many cells"
            raise PuzzleError(f"{shown(prefix)}: {twice}")
        places = [divmod(at, width) for at in range(count)]
        cells = [(self.bottom + 1 + row) * self.cols + col for row, col in places]
        self.beyond |= {prefix if count == 1 else f"{prefix}{at}": cell for at, cell in enumerate(cells, 1)}
        self.bottom += 1 + -(-count // width)
        return cells

    def cell(self, text: str) -> int:
        """The number of R1C1, or of a cell beyond the rectangle."""
        found = _CELL.fullmatch(text)
        if found is None and text in self.beyond and self.moved == (0, 0):
            return self.beyond[text]
        row, col = (int(found[1], _BASE) - 1, int(found[2], _BASE) - 1) if found else (-_LARGEST, -_LARGEST)
        row, col = row + self.moved[0], col + self.moved[1]
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            there = f", {self.moved[0]} rows and {self.moved[1]} columns on," if any(self.moved) else ""
            raise PuzzleError(f"{shown(text)}{there} is no cell of a grid of {self.rows}x{self.cols}")
        return row * self.cols + col

    def line(self, texts: Iterable[str], fewest: int = 1) -> list[int]:
        """Several cells, none twice."""
        found = [self.cell(text) for text in texts]
        if len(set(found)) < len(found) or len(found) < fewest:
            twice = "names a cell twice" if len(set(found)) < len(found) else f"needs {fewest} cells or more"
            raise PuzzleError(f"this {twice}")
        return found

    def lines(self, texts: Iterable[str]) -> list[list[int]]:
        """Lines of cells, parted by empty texts; a name of a line begins with _."""
        lines: list[list[int]] = [[]]
        for text in texts:
            if not text:
                lines.append([])
            elif not text.startswith("_"):
                lines[-1].append(self.cell(text))
        return [line for line in lines if line]

    def place(self, cell: int) -> tuple[int, int]:
        """Row and column, from 0."""
        return divmod(cell, self.cols)

    def neighbours(self, cells: Sequence[int]) -> list[tuple[int, int]]:
        """The pairs among some cells that share an edge, in their order."""
        pairs = ((a, b) for at, a in enumerate(cells) for b in cells[at + 1 :])
        return [(a, b) for a, b in pairs if self.apart(a, b) in ((0, 1), (1, 0))]

    def all_neighbours(self) -> list[tuple[int, int]]:
        """All pairs of cells that share an edge."""
        return [
            (cell, cell + step)
            for cell in range(self.rows * self.cols)
            for step, inside in ((1, (cell + 1) % self.cols), (self.cols, cell + self.cols < self.rows * self.cols))
            if inside
        ]

    def apart(self, one: int, other: int) -> tuple[int, int]:
        """How many rows and columns lie between two cells."""
        (a, b), (c, d) = self.place(one), self.place(other)
        return abs(a - c), abs(b - d)

    def number(self, text: str, least: int = 0) -> int:
        """A whole number as an argument."""
        if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) < least:
            raise PuzzleError(f"{shown(text)} is no whole number from {least}")
        return int(text)

    def value(self, text: str) -> int:
        """One of the grid's values as an argument."""
        number = self.number(text)
        if number not in self.values:
            raise PuzzleError(f"{number} is no value from {self.values[0]} to {self.values[-1]}")
        return number

    def add(self, kind: str, cells: Sequence[int], **parameters: Any) -> None:
        """One more rule; the same rule about other cells stands in one table with it."""
        written = {"type": kind, **parameters}
        if not self.rules or self.rules[-1][0] != written:
            self.rules.append((written, []))
        self.rules[-1][1].append(list(cells))

    def weigh(self, cells: Sequence[int], weights: Sequence[int], total: int) -> None:
        """Each value times its weight adds up to the total; a cell named twice counts with both its weights."""
        weight_of: dict[int, int] = {}
        for cell, weight in zip(cells, weights, strict=True):
            weight_of[cell] = weight_of.get(cell, 0) + weight
        plain = set(weight_of.values()) == {1}
        parameters = {} if plain else {"weights": list(weight_of.values())}
        self.add("sum", list(weight_of), total=total, **parameters)

    def pairs(self, pairs: Iterable[tuple[int, int]], allowed: Callable[[int, int], bool]) -> None:
        """A rule on pairs of values for each pair of cells."""
        tuples = [[a, b] for a in self.values for b in self.values if allowed(a, b)]
        for pair in pairs:
            self.add("table", pair, tuples=tuples)

    def restrict(self, cell: int, values: Iterable[int]) -> None:
        """The values that a cell may hold, besides what was said before."""
        kept = self.domains.get(cell, set(self.values)) & set(values)
        if not kept:
            raise NothingFitsError(f"{name(cell, self.cols)} is left without values")
        self.domains[cell] = kept

    def box_cells(self) -> list[list[int]]:
        """The cells of every box; none where no box of that size fits."""
        for low in range(isqrt(self.box_size), 1, -1):
            for height, width in ((low, self.box_size // low), (self.box_size // low, low)):
                if height * width == self.box_size and not (self.rows % height or self.cols % width):
                    return self.blocks(height, width)
        return []

    def boxes_kept(self) -> list[list[int]]:
        """The boxes in which no value comes twice."""
        return self.box_cells() if self.boxes else []

    def areas(self) -> list[list[int]]:
        """The cells of every box, and of every piece of a jigsaw."""
        return [*self.boxes_kept(), *self.pieces]

    def blocks(self, height: int, width: int, gap: int = 0) -> list[list[int]]:
        """The cells of blocks side by side, `gap` lines around each."""
        tops = range(gap, self.rows - height + 1 - gap, height + gap)
        lefts = range(gap, self.cols - width + 1 - gap, width + gap)
        return [
            [(top + row) * self.cols + left + col for row in range(height) for col in range(width)]
            for top in tops
            for left in lefts
        ]

    def lines_of_cells(self) -> list[list[int]]:
        """The cells of every row, then of every column."""
        rows = [list(range(start, start + self.cols)) for start in range(0, self.rows * self.cols, self.cols)]
        return [*rows, *map(list, zip(*rows, strict=True))]

    def record(self) -> dict[str, Any]:
        """The tables of a grid file."""
        for rule in self.late:
            rule(self)
        fixed = {cell: next(iter(held)) for cell, held in self.domains.items() if len(held) == 1}
        held = {name(cell, self.cols): sorted(held) for cell, held in self.domains.items() if len(held) > 1}
        grid: dict[str, Any] = {"rows": self.bottom, "cols": self.cols, "values": list(self.values)}
        if self.beyond:
            within = {*range(self.rows * self.cols), *self.beyond.values()}
            grid["holes"] = names(sorted({*range(self.bottom * self.cols)} - within), self.cols).split()
        if fixed:
            grid["givens"] = {name(cell, self.cols): value for cell, value in fixed.items()}
        if held:
            grid["domains"] = held
        rules = [{**said, "each": [names(cells, self.cols) for cells in each]} for said, each in self.rules]
        return {"grid": grid, "rule": [*self._house_rules(), *rules]}

    def _house_rules(self) -> list[dict[str, Any]]:
        """No value twice in rows, columns and boxes."""
        if not self.houses:
            return []
        boxes = self.boxes_kept()
        if self.beyond:  # whose cells lie in the columns too
            return [{"type": "all_different", "each": [names(c, self.cols) for c in (*self.lines_of_cells(), *boxes)]}]
        of_cell = {cell: number for number, inside in enumerate(boxes) for cell in inside}
        letters = letter_lines([of_cell[cell] for cell in range(self.rows * self.cols)], self.cols) if boxes else []
        return [{"type": "all_different", "rows": True, "cols": True, **({"regions": letters} if boxes else {})}]


Constraint = Callable[[Board, list[str]], None]
