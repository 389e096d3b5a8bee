"""The cells of a grid: a rectangle, perhaps with holes, or cells with names; and the ways to name some of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_whole

MOST_CELLS = 10_000
_NAME = re.compile(r"r([0-9]{1,4})c([0-9]{1,4})")
_LINE = re.compile(r"([rc])([0-9]{1,4})")


@dataclass(frozen=True)
class Cells:
    """names: of every slot, in order. rows, cols: of the rectangle, 0 where the cells have names of their own.

    In a rectangle the cells are r1c1, r1c2 ... row by row, without the holes.
    """

    names: tuple[str, ...]
    rows: int = 0
    cols: int = 0

    @classmethod
    def rectangle(cls, rows: int, cols: int, holes: Iterable[tuple[int, int]] = ()) -> Cells:
        """rows x cols cells; holes are (row, column), counted from 0."""
        for name, count in (("rows", rows), ("cols", cols)):
            if not is_whole(count):
                raise UsageError(f"{name}={shown(count)} must be a whole number")
        rows, cols = int(rows), int(cols)
        if rows < 1 or cols < 1 or rows * cols > MOST_CELLS:
            size = f"{shown(rows)}x{shown(cols)}"
            raise UsageError(f"a grid of {size} cells: give rows and cols from 1, {MOST_CELLS} cells at most")
        without = set(holes)
        names = tuple(cell_name(r, c) for r in range(rows) for c in range(cols) if (r, c) not in without)
        if not names:
            raise UsageError("a grid of holes alone has no cells")
        return cls(names, rows, cols)

    @classmethod
    def named(cls, names: Sequence[str]) -> Cells:
        """Cells with names of their own, such as the countries of a map."""
        if isinstance(names, str | Mapping) or not isinstance(names, Iterable):
            raise UsageError(f"cells={shown(names)}: give a list of names", hint='For instance ["A", "B"].')
        names = tuple(names)
        if len(names) > MOST_CELLS:
            raise UsageError(f"there are {len(names)} cells, {MOST_CELLS} at most")
        for name in names:
            if not isinstance(name, str) or not name.strip() or name != name.strip():
                raise UsageError(
                    f"{shown(name)} is no name of a cell", hint="Write names as texts without outer spaces."
                )
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None or not names:
            raise UsageError(f"two cells are called {shown(twice)}" if names else "a grid needs cells")
        return cls(names)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def index(self) -> dict[str, int]:
        """The slot of each name."""
        return {name: slot for slot, name in enumerate(self.names)}

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The row and column of each slot, counted from 0; empty where the cells have names of their own."""
        return tuple(_place(name) for name in self.names) if self.rows else ()

    def line(self, places: Iterable[tuple[int, int]]) -> tuple[str, ...]:
        """The names of the cells at these places, without holes."""
        return tuple(name for name in (cell_name(r, c) for r, c in places) if name in self.index)

    def slots(self, cells: Any) -> tuple[int, ...]:
        """The slots that `cells` names: a text, a (row, column) pair counted from 0, or several of these.

        A text holds names with spaces or commas between them; "r1c1:r3c3" is the rectangle between two corners, read
        from the first to the second; "r2" is a row and "c5" a column. Raises UsageError for what names no cell.
        """
        if isinstance(cells, str):
            if cells in self.index:
                return (self.index[cells],)
            return tuple(slot for part in re.split(r"[\s,]+", cells.strip()) if part for slot in self._part(part))
        if isinstance(cells, tuple) and len(cells) == 2 and all(map(is_whole, cells)):
            return (self._slot(cell_name(*cells)),)
        if not isinstance(cells, Iterable) or isinstance(cells, Mapping):
            raise UsageError(f"{shown(cells)} names no cells", hint='Write "r1c1 r1c2", or a list of names.')
        return tuple(slot for part in cells for slot in self.slots(part))

    def _part(self, part: str) -> tuple[int, ...]:
        if part in self.index:
            return (self.index[part],)
        first, colon, last = part.partition(":")
        if colon and self.rows and _NAME.fullmatch(first) and _NAME.fullmatch(last):
            return self._between(_place(first), _place(last))
        whole = _LINE.fullmatch(part)
        if whole and self.rows:
            axis, number = "rc".index(whole[1]), int(whole[2]) - 1
            if number < (self.rows, self.cols)[axis]:
                return tuple(slot for slot, place in enumerate(self.places) if place[axis] == number)
        return (self._slot(part),)

    def _between(self, first: tuple[int, int], last: tuple[int, int]) -> tuple[int, ...]:
        for place in (first, last):
            if not (place[0] < self.rows and place[1] < self.cols):
                self._slot(cell_name(*place))
        rows, cols = (range(a, b + 1) if a <= b else range(a, b - 1, -1) for a, b in zip(first, last, strict=True))
        return tuple(self.index[name] for name in self.line((r, c) for r in rows for c in cols))

    def _slot(self, name: str) -> int:
        if name in self.index:
            return self.index[name]
        place = _NAME.fullmatch(name)
        if self.rows and place:
            inside = 1 <= int(place[1]) <= self.rows and 1 <= int(place[2]) <= self.cols
            raise UsageError(f"{name} is {'a hole' if inside else f'outside the {self.rows}x{self.cols} grid'}")
        close = get_close_matches(name, self.names, 1)
        instead = f"Did you mean {close[0]}?" if close else "Write r1c1 for the cell in row 1, column 1."
        raise UsageError(f"{shown(name)} is not the name of a cell", hint=instead)


def cell_name(row: int, column: int) -> str:
    """r1c1 for (0, 0)."""
    return f"r{row + 1}c{column + 1}"


def _place(name: str) -> tuple[int, int]:
    row, column = name[1:].split("c")
    return int(row) - 1, int(column) - 1
