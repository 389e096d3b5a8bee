"""Files of Sudokus in every form that `dgsolve sudoku` reads, and the two that only grids can say: jigsaw, samurai."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, GridEntry, GridFormat, Written
from dgsolve.grid_files.entries import entry_of
from dgsolve.grid_files.letters import letter_lines
from dgsolve.grid_files.samurai import samurai_record, sheet_record
from dgsolve.grid_files.sudoku_record import written_of_sudoku
from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import PuzzleEntry
from dgsolve.puzzle_files.base import Context, FileFormat, Line
from dgsolve.puzzle_files.csv_file import CsvFile
from dgsolve.puzzle_files.grids import Found
from dgsolve.puzzle_files.opensudoku import OpenSudokuFile
from dgsolve.puzzle_files.refusals import is_region_map, is_samurai, is_samurai_sheet
from dgsolve.puzzle_files.text_file import TextFile

_TABLES: tuple[FileFormat, ...] = (OpenSudokuFile(), CsvFile())


class SudokuTables(GridFormat):
    """XML of OpenSudoku, and CSV with a header."""

    def sniff(self, first: str) -> bool:
        return any(table.sniff(first) for table in _TABLES)

    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        first = next(lines)
        table = next(table for table in _TABLES if table.sniff(first.text))
        for entry in table.entries(_again(first, lines), Context(context.file)):
            yield grid_entry(entry, context)


class SudokuRows(GridFormat):
    """Rows of cells, a grid after another: a map of regions after a grid makes it a jigsaw, five grids a samurai."""

    def sniff(self, first: str) -> bool:
        return True

    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        found = TextFile().found(lines, Context(context.file))
        held = list(islice(found, 5))
        grids = [item.entry.puzzle.givens for item in held if isinstance(item.entry.puzzle, Sudoku)]
        if len(held) == 5 and is_samurai(grids):
            yield entry_of(Written(samurai_record(grids)), held[0].entry.line or 0, context)
            held = []
        yield from _with_regions(_chained(held, found), context)


def _again(first: Line, lines: Iterator[Line]) -> Iterator[Line]:
    yield first
    yield from lines


def _chained(held: list[Found], found: Iterator[Found]) -> Iterator[Found]:
    yield from held
    yield from found


def _with_regions(found: Iterator[Found], context: GridContext) -> Iterator[GridEntry]:
    """One entry a grid; a map of regions belongs to the grid before it."""
    last: Found | None = None
    for item in found:
        if item.size and is_region_map(item.cells, item.size) and last is not None and last.size == item.size:
            yield _jigsaw(last, item, context)
            last = None
            continue
        if last is not None:
            yield _entry(last, context)
        last = item
    if last is not None:
        yield _entry(last, context)


def _entry(item: Found, context: GridContext) -> GridEntry:
    if item.size and is_samurai_sheet(item.cells, item.size):
        return entry_of(Written(sheet_record([cell.text for cell in item.cells])), item.entry.line or 0, context)
    return grid_entry(item.entry, context)


def _jigsaw(cells: Found, regions: Found, context: GridContext) -> GridEntry:
    puzzle, size = cells.entry.puzzle, cells.size
    if isinstance(puzzle, PuzzleError):
        return grid_entry(cells.entry, context)
    record = dict(written_of_sudoku(PuzzleEntry(puzzle)).record)
    del record["box"]
    record["regions"] = letter_lines([cell.text for cell in regions.cells], size)
    return entry_of(Written(record, name=cells.entry.name), cells.entry.line or 0, context)


def grid_entry(entry: PuzzleEntry, context: GridContext) -> GridEntry:
    """A Sudoku, or the error in its place, as an entry of a file of grids."""
    if isinstance(entry.puzzle, PuzzleError):
        return context.failed(entry.puzzle, entry.line or 0)
    return entry_of(written_of_sudoku(entry), entry.line or 0, context)
