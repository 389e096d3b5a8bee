"""One puzzle per line: 81 characters, or as many words, among other fields or before a note."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import SIZE_OF_SQUARE, digits_first
from dgsolve.puzzle_files.base import Cell, Context, Line, LineFormat, PuzzleEntry
from dgsolve.puzzle_files.cells import puzzle_of_cells, quick_values, solution_of_cells
from dgsolve.puzzle_files.readings import SEPARATED, characters, columns, tokens

_NOTE = re.compile(r"(?://|#|(?<=\s)--\s).*")
_GRID_FIELD = re.compile(r"[0-9A-Za-z.*_?-]+")
_SMALL_PAIR = re.compile(r"[0-4.*_?xX-]{16} [1-4]{16}")  # a 4x4 puzzle and its solution
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:/[0-9.]+)*")
_SPACED = re.compile(r"[1-9 ]{81}")
_LARGE_SQUARES = frozenset(square for square in SIZE_OF_SQUARE if square > 25)
_LONGEST_ROW = 25


class NinePlain(LineFormat):
    """The usual line of a large file: 81 digits and blanks, nothing else. Read without a look at single cells."""

    def entry(self, line: Line, context: Context) -> PuzzleEntry | None:
        values = quick_values(line.text) if context.symbols is None and 9 in context.sizes else None
        if values is None:
            return None
        puzzle = Sudoku(values, *context.box_of(9), digits_first(9), source=context.source(line.number))
        return PuzzleEntry(puzzle, file=context.file, line=line.number or None)


class PlainLine(LineFormat):
    """A line that alone has the cells of a grid, or a field of it has; other fields are name and rating."""

    def entry(self, line: Line, context: Context) -> PuzzleEntry | None:
        if len(line.text) <= _LONGEST_ROW:
            return None
        body = Line(line.number, without_note(line.text))
        cells = _grid_cells(body, context)
        if cells:
            puzzle = puzzle_of_cells(cells, SIZE_OF_SQUARE[len(cells)], context, apart=cells == tokens(body))
            note = line.text[len(body.text) :].strip(" \t/#-")
            return PuzzleEntry(puzzle, file=context.file, line=line.number or None, name=note or None)
        fields = _grid_fields(line.text, context)
        return _fields_entry(fields, line, context) if fields else None


def without_note(text: str) -> str:
    """The line without a note that follows the puzzle: `// ...` or `# ...`."""
    if not ("/" in text or "#" in text or " -- " in text):
        return text
    found = _NOTE.search(text)
    return text[: found.start()].rstrip() if found else text


@lru_cache(maxsize=64)
def _squares(sizes: frozenset[int]) -> frozenset[int]:
    return frozenset(size * size for size in sizes if size > 4)


def _grid_cells(line: Line, context: Context) -> list[Cell]:
    """The cells, if the whole line is one grid."""
    squares = _squares(context.sizes)
    if _SPACED.fullmatch(line.text) and 81 in squares:
        return columns(line)
    for separated in SEPARATED:
        cells = separated(line)
        if len(cells) in squares:
            return cells
    words, cells = tokens(line), characters(line)
    even = len({len(word.text) for word in words}) == 1 or len(words) not in context.sizes
    if len(words) > 1 and {word.text for word in words} == {"".join(digits_first(len(words)))}:
        return []  # a row of cells that may hold every value
    alone = len(words) == 1 or not any(len(word.text) in _LARGE_SQUARES for word in words)
    return cells if len(cells) in squares and even and alone else []


def _grid_fields(text: str, context: Context) -> list[re.Match[str]]:
    """The one or two fields of a line (puzzle, solution) that have the cells of a grid."""
    squares = _squares(context.sizes)
    every = list(re.finditer(r"[^\s,;]+", text))
    if len(every) == 2 and 4 in context.sizes and _SMALL_PAIR.fullmatch(f"{every[0][0]} {every[1][0]}"):
        return every
    fields = [field for field in every if len(_bare(field)) in squares and _GRID_FIELD.fullmatch(_bare(field))]
    likely = [field for field in fields if _is_legal(_bare(field))]  # an id of 36 or 64 characters is no grid
    return likely or fields


def _bare(field: re.Match[str]) -> str:
    return field[0].strip("\"'")


def _is_legal(text: str) -> bool:
    size = SIZE_OF_SQUARE[len(text)]
    return size > 9 or not set(text) - set("0123456789"[: size + 1]) - set(".*_-?xX")


def _fields_entry(fields: Sequence[re.Match[str]], line: Line, context: Context) -> PuzzleEntry:
    if len(fields) > 2:
        raise context.error(f"this line holds {len(fields)} grids", line.number, hint="Write one puzzle per line.")
    grids = [_characters_of(field, line) for field in fields]
    puzzle = puzzle_of_cells(grids[0], SIZE_OF_SQUARE[len(grids[0])], context)
    solution = solution_of_cells(grids[1], puzzle, context) if len(grids) == 2 else None
    before, after = line.text[: fields[0].start()], line.text[fields[-1].end() :]
    others = re.split(r"[,;\t]|(?<=\S)\s+(?=[0-9.]+$)", f"{before},{after}")
    words = [word.strip(" \t\"'/#") for word in others]
    rating = next((word for word in reversed(words) if _NUMBER.fullmatch(word)), None)
    name = next((word for word in words if word and word != rating), None)
    return PuzzleEntry(puzzle, solution, rating, context.file, line.number or None, name)


def _characters_of(field: re.Match[str], line: Line) -> list[Cell]:
    return characters(Line(line.number, " " * field.start() + field[0].replace('"', " ").replace("'", " ")))


def wrong_length(text: str, line: int, context: Context, count: int | None = None) -> PuzzleError:
    """The error for a line that is longer than any row and is not a grid either; `count` is how many cells it has."""
    words, cells = text.split(), list[Cell]()
    if count is None:
        found = Line(line, text)
        cells = tokens(found) if len(tokens(found)) > _LONGEST_ROW else characters(found)
        count = len(cells)
    sizes = context.sizes if any(char.isalpha() for char in text) else context.sizes & set(range(10)) or context.sizes
    expected = min((size * size for size in sizes), key=lambda square: abs(square - count))
    if count == expected:
        hint = "Write its cells without spaces, or in groups of one length."
        return context.error(f"the groups of this line have different lengths, {count} cells in all", line, hint=hint)
    digits = len(words) == 1 and text.strip().isdigit() and 0 < expected - count <= 9
    return context.error(
        f"this line has {count} cells, expected {expected}" + (": leading zeros lost?" if digits else ""),
        line,
        cells[expected].column if len(cells) > expected else 0,
        hint="Spreadsheets drop leading zeros: keep the column as text, or write . for an open cell."
        if digits
        else context.length_hint(count, expected),
    )
