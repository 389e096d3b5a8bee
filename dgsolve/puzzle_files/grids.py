"""Lines that together hold one or more grids, a row on each line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dgsolve.errors import PuzzleError
from dgsolve.plural import counted
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import BLANKS
from dgsolve.puzzle_files.base import Cell, Context, Line, PuzzleEntry
from dgsolve.puzzle_files.cells import puzzle_of_cells
from dgsolve.puzzle_files.readings import READINGS, Reading, characters, stands_apart, tokens

_DRAWN = re.compile(r"[-=_+|*.:'` \t]*")
_STROKE = re.compile(r"[-=_+*]{3}|[-=_]\s[-=_]")
SMALL_LINE = re.compile(r"[0-4.*_?xX-]{16}")


@dataclass(frozen=True)
class Found:
    """An entry read from rows; `cells` are the grid's own, empty where they could not be read."""

    entry: PuzzleEntry
    cells: tuple[Cell, ...] = ()
    size: int = 0


def is_rule(text: str) -> bool:
    """A line that may be drawn between rows: dashes, crossings and the like."""
    return _DRAWN.fullmatch(text) is not None and _STROKE.search(text) is not None


def is_surely_rule(text: str) -> bool:
    """A rule that cannot be a row of open cells written as dashes."""
    return is_rule(text) and any(char in text for char in "+=*")


def width(rows: Sequence[Line], context: Context) -> tuple[int, Reading]:
    """The number of cells that the rows seem to be meant to have, 0 if none fits, and the reading that gives it."""
    votes: Counter[tuple[int, int]] = Counter()
    for row in rows:
        for place, reading in enumerate(READINGS):
            if (count := len(reading(row))) in context.sizes:
                votes[count, -place] += 1
    if not votes:
        return 0, characters
    (size, place), most = max(votes.items(), key=lambda item: (item[1], item[0][1]))
    if 2 * most < len(rows) and any(square := [key for key in votes if key[0] == len(rows)]):
        size, place = square[0]
    return size, READINGS[-place]


def fits(rows: Sequence[Line], context: Context) -> tuple[int, Reading, list[Line]] | None:
    """The size, the reading and the rows (rules left out) if these lines are whole grids, one after another."""
    drawn = [row for row in rows if not is_rule(row.text)]
    readings = [(reading, len(reading(drawn[0]))) for reading in READINGS] if drawn else []
    for whole in (True, False):
        for dashes_are_cells in (False, True):
            for reading, size in readings:
                if size not in context.sizes:
                    continue
                chosen = [row for row in rows if len(reading(row)) == size] if dashes_are_cells else drawn
                even = all(len(reading(row)) == size for row in drawn)
                if even and (len(chosen) == size if whole else len(chosen) % size == 0):
                    return size, reading, chosen
    return None


def grids_of_rows(rows: Sequence[Line], context: Context, name: str | None) -> Iterator[Found]:
    """The grids that these lines hold; what cannot be read becomes an entry that carries the error."""
    if all(is_rule(row.text) for row in rows):
        return
    if small := _small_lines(rows, context):
        yield from (_small_grid(row, context, name) for row in small)
        return
    found = fits(rows, context)
    if found is None:
        yield Found(context.failed(_misfit(rows, context)))
        return
    size, reading, chosen = found
    for start in range(0, len(chosen), size):
        yield _grid(chosen[start : start + size], size, reading, context, name)


def _small_lines(rows: Sequence[Line], context: Context) -> list[Line]:
    """The lines, if each is a 4x4 grid of 16 characters, or meant as one, rather than a row of a 16x16 grid."""
    lines = [row for row in rows if not is_rule(row.text)]
    texts = ["".join(cell.text for cell in characters(row)) for row in lines]
    whole = sum(len(text) == 16 for text in texts)
    if 4 not in context.sizes or 2 * whole < len(lines) or any(len(tokens(row)) > 8 for row in lines):
        return []
    small = sum(SMALL_LINE.fullmatch(text) is not None for text in texts)
    open_grid = set("".join(texts)) <= BLANKS  # sixteen open rows are one open grid
    most = small == 16 and not open_grid if len(lines) == 16 else 2 * small > whole
    return lines if most or (whole == len(lines) and 16 not in context.sizes) else []


def _small_grid(row: Line, context: Context, name: str | None) -> Found:
    if (count := len(characters(row))) != 16:
        message, hint = f"this line has {counted(count, 'cell')}, expected 16", context.length_hint(count, 16)
        return Found(context.failed(context.error(message, row.number, hint=hint)))
    return _grid([row], 4, characters, context, name)


def _grid(rows: Sequence[Line], size: int, reading: Reading, context: Context, name: str | None) -> Found:
    cells = tuple(cell for row in rows for cell in reading(row))
    try:
        puzzle: Sudoku | PuzzleError = puzzle_of_cells(cells, size, context, apart=stands_apart(reading))
    except PuzzleError as error:
        puzzle = error
    return Found(PuzzleEntry(puzzle, file=context.file, line=rows[0].number or None, name=name), cells, size)


def _misfit(rows: Sequence[Line], context: Context) -> PuzzleError:
    """What is wrong with lines that are no grid: the row that is too short or long, or the number of rows."""
    drawn = [row for row in rows if not is_rule(row.text)]
    size, reading = width(drawn, context)
    first = drawn[0]
    if not size:
        count = len(characters(first))
        sizes = ", ".join(str(size) for size in sorted(context.sizes))
        return context.error(
            f"this row has {counted(count, 'cell')}",
            first.number,
            hint=f"A row of a grid has as many cells as the grid has rows: {sizes}.",
        )
    for place, row in enumerate(drawn, 1):
        if (count := len(reading(row))) != size:
            hint = "Spaces at the end of a line may have been lost; write . for an open cell." if count < size else ""
            return context.error(f"row {place} has {counted(count, 'cell')}, expected {size}", row.number, hint=hint)
    whole = "If this line is a whole puzzle: 4x4 needs 16 cells, 9x9 needs 81; write . for an open cell."
    return context.error(
        f"the grid has {counted(len(drawn), 'row')} of {size} cells, expected {size} rows",
        first.number,
        hint=whole if len(drawn) == 1 else "",
    )
