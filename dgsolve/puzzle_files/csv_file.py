"""Tables with a header: Kaggle's and others'."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import SIZE_OF_SQUARE, digits_first
from dgsolve.puzzle_files.base import Cell, Context, FileFormat, Line, PuzzleEntry
from dgsolve.puzzle_files.cells import puzzle_of_cells, quick_values, solution_of_cells
from dgsolve.puzzle_files.names import NAME_NAMES, PUZZLE_NAMES, RATING_NAMES, SOLUTION_NAMES
from dgsolve.puzzle_files.plain_line import wrong_length

_LONGEST = 20_000
_EXPONENT = re.compile(r"[0-9.,]+[eE]\+?[0-9]+")


class CsvFile(FileFormat):
    """A header names the columns, in any order; fields are text, never numbers."""

    def sniff(self, first: str) -> bool:
        names = column_names(first)
        return len(names) > 1 and any(name in PUZZLE_NAMES for name in names)

    def entries(self, lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
        header = next(lines)
        delimiter, names = _delimiter(header.text), column_names(header.text)
        for line in lines:
            if line.text.strip():
                try:
                    yield self._entry(line, delimiter, names, context)
                except PuzzleError as error:
                    yield context.failed(error)

    def _entry(self, line: Line, delimiter: str, names: Sequence[str], context: Context) -> PuzzleEntry:
        if len(line.text) > _LONGEST:
            raise context.error(f"this line has {len(line.text)} characters: no puzzle is so long", line.number)
        fields = _fields(line.text, delimiter)
        place = next(index for index, name in enumerate(names) if name in PUZZLE_NAMES)
        if len(fields) <= place:
            raise context.error(f"this line has {len(fields)} fields, the puzzle is in field {place + 1}", line.number)
        puzzle = _puzzle(fields[place], line, context)
        return PuzzleEntry(
            puzzle,
            _solution(_named(fields, names, SOLUTION_NAMES), puzzle, line, context),
            _named(fields, names, RATING_NAMES),
            context.file,
            line.number,
            _named(fields, names, NAME_NAMES),
        )


def _puzzle(field: str, line: Line, context: Context) -> Sudoku:
    values = quick_values(field) if 9 in context.sizes and context.symbols is None else None
    if values is not None:
        return Sudoku(values, *context.box_of(9), digits_first(9), source=context.source(line.number))
    cells = _cells(field, line)
    if len(cells) not in {size * size for size in context.sizes}:
        raise _wrong_length(field, line, context)
    return puzzle_of_cells(cells, SIZE_OF_SQUARE[len(cells)], context)


def _solution(field: str | None, puzzle: Sudoku, line: Line, context: Context) -> tuple[int, ...] | None:
    if field is None:
        return None
    values = quick_values(field) if puzzle.symbols == digits_first(9) else None
    return values if values and 0 not in values else solution_of_cells(_cells(field, line), puzzle, context)


def _wrong_length(field: str, line: Line, context: Context) -> PuzzleError:
    if _EXPONENT.fullmatch(field.strip()):
        hint = "A spreadsheet turned the digits into a number: keep the column as text."
        return context.error(f"{field.strip()!r} is a rounded number, not a puzzle", line.number, hint=hint)
    return wrong_length(field, line.number, context, len(_cells(field, line)))


def _delimiter(text: str) -> str:
    return max(",;\t", key=text.count)


def _fields(text: str, delimiter: str) -> list[str]:
    return next(csv.reader([text], delimiter=delimiter, skipinitialspace=True), [])


def column_names(header: str) -> list[str]:
    """The names in a header, in small letters."""
    return [name.strip().lower() for name in _fields(header[:_LONGEST], _delimiter(header))]


def _named(fields: Sequence[str], names: Sequence[str], wanted: frozenset[str]) -> str | None:
    found = [field.strip() for field, name in zip(fields, names, strict=False) if name in wanted]
    return found[0] if found and found[0] else None


def _cells(field: str, line: Line) -> list[Cell]:
    start = max(line.text.find(field), 0) + 1
    return [Cell(char.strip(), line.number, start + place) for place, char in enumerate(field)]
