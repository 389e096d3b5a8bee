"""Puzzles with rules beyond rows, columns and boxes: known, named, and refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dgsolve.errors import PuzzleError
from dgsolve.puzzle_files.base import Cell, Context, Line, LineFormat

_CAGED_LINE = re.compile(r"(?:SumoCue|\s*[0-9]+x[0-9]+:[a-z]*:[a-z]?:)", re.IGNORECASE)
_ARROW_LINE = re.compile(r"[<>^v`',.0-9A-Za-z]{81}")


def refusal(kind: str, line: int, context: Context) -> PuzzleError:
    """The error that names the kind."""
    return context.error(
        f"{kind} puzzles have rules beyond rows, columns and boxes",
        line,
        hint="`dgsolve sudoku` reads puzzles whose rules are rows, columns and boxes of equal shape.",
    )


class OtherRules(LineFormat):
    """Killer lines (SumoCue; the short form with arrows) and jigsaw lines (81 givens, then 81 regions)."""

    def entry(self, line: Line, context: Context) -> None:
        if kind := self._kind(line.text.strip()):
            raise refusal(kind, line.number, context)

    def _kind(self, text: str) -> str | None:
        if _CAGED_LINE.match(text) or (any(char in text for char in "<>^") and _ARROW_LINE.fullmatch(text)):
            return "killer"
        if len(text) == 162 and not any(char.isspace() for char in text):
            return "jigsaw" if is_region_map([Cell(char) for char in text[81:]], 9) else None
        return None


def is_region_map(cells: Sequence[Cell], size: int) -> bool:
    """Whether a full grid names regions: every name n times, and some row holds a name twice."""
    counts = Counter(cell.text for cell in cells)
    if len(counts) != size or set(counts.values()) != {size}:
        return False
    rows = [[cell.text for cell in cells[start : start + size]] for start in range(0, len(cells), size)]
    return any(len(set(row)) < size for row in rows)


def is_samurai(grids: Sequence[Sequence[int]]) -> bool:
    """Whether five 9x9 grids (top left, top right, centre, bottom left, bottom right) agree where they overlap."""
    if len(grids) != 5 or any(len(grid) != 81 for grid in grids):
        return False
    corners = [(grids[index], box) for index, box in ((0, 8), (1, 6), (3, 2), (4, 0))]
    shared = [(_box(grid, box), _box(grids[2], 8 - box)) for grid, box in corners]
    return all(ours == theirs for ours, theirs in shared) and any(any(ours) for ours, _ in shared)


def _box(grid: Sequence[int], box: int) -> list[int]:
    top, left = box // 3 * 3, box % 3 * 3
    return [grid[(top + row) * 9 + left + column] for row in range(3) for column in range(3)]


def is_samurai_sheet(cells: Sequence[Cell], size: int) -> bool:
    """Whether a 21x21 grid is five overlapping 9x9 grids: nothing but blanks in the gaps, values up to 9."""
    if size != 21 or any(cell.text not in "123456789.0 *_-?xX" for cell in cells):
        return False
    gaps = [cells[row * 21 + column].text for row in range(21) for column in range(21) if _in_gap(row, column)]
    return not any(text in "123456789" and text for text in gaps) and len({text for text in gaps}) == 1


def _in_gap(row: int, column: int) -> bool:
    """The four notches between the corner grids, outside the centre grid."""
    aside, across = 9 <= column <= 11, 9 <= row <= 11
    return (aside and (row < 6 or row > 14)) or (across and (column < 6 or column > 14))
