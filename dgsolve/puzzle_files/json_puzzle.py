"""Parsed JSON values, lists and arrays into puzzles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import isqrt
from typing import Any

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.plural import counted
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_rules import houses
from dgsolve.problems.sudoku_symbols import SIZE_OF_SQUARE, cell_name, digits_first, expand_symbols, read_box
from dgsolve.puzzle_files.base import Cell, Context, PuzzleEntry
from dgsolve.puzzle_files.cells import puzzle_of_cells, solution_of_cells
from dgsolve.puzzle_files.names import MANY_NAMES, NAME_NAMES, PUZZLE_NAMES, RATING_NAMES, SOLUTION_NAMES
from dgsolve.puzzle_files.plain_line import wrong_length
from dgsolve.puzzle_files.refusals import refusal
from dgsolve.shortened import shown

_DEEPEST = 8
_OTHER_RULES = {
    **dict.fromkeys(("cages", "killer", "killercage"), "killer"),
    **dict.fromkeys(("jigsaw", "variant_jigsaw"), "jigsaw"),
    **dict.fromkeys(("diagonal", "diagonals", "unique_diagonal", "diagonal+", "diagonal-"), "Sudoku X (diagonals)"),
    **dict.fromkeys(("sandwich", "sandwichsum"), "sandwich"),
    **{
        kind: kind for kind in ("thermometer", "arrow", "kropki", "antiknight", "antiking", "nonconsecutive", "windoku")
    },
}


def entries_of_value(value: Any, context: Context, line: int, depth: int = 0) -> Iterator[PuzzleEntry]:
    """The puzzles in a JSON value: a grid, an object that holds one, or a list of either."""
    try:
        if depth > _DEEPEST:
            raise context.error("these lists are nested too deeply for a puzzle", line)
        inner = _many(value, context)
        if inner is None:
            yield _entry(value, context, line)
            return
    except PuzzleError as error:
        yield context.failed(error)
        return
    for number, item in enumerate(inner, 1):
        for entry in entries_of_value(item, context, line, depth + 1):
            yield _numbered(entry, number) if len(inner) > 1 and depth == 0 else entry


def _numbered(entry: PuzzleEntry, number: int) -> PuzzleEntry:
    """The entry of one puzzle of a list, called by its number unless it has a name; an error says the number too."""
    name = entry.name or f"puzzle {number}"
    if isinstance(entry.puzzle, Sudoku):
        return replace(entry, name=name)
    error = entry.puzzle
    told = PuzzleError(
        f"puzzle {number}: {error.message}", file=error.file, line=error.line, column=error.column, hint=error.hint
    )
    return replace(entry, puzzle=told, name=name)


def _many(value: Any, context: Context) -> list[Any] | None:
    """The members if the value is a list of puzzles, None if it is one puzzle."""
    if isinstance(value, dict):
        held = _first(value, MANY_NAMES)
        if (
            held is None
            and isinstance(held := _first(value, PUZZLE_NAMES), list | dict)
            and _many(held, context) is None
        ):
            return [held] if isinstance(held, dict) else None
        return held if isinstance(held, list) else [held] if isinstance(held, dict) else None
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(item, str) for item in value):
        lengths = Counter(map(len, value))
        rows = len(value) in context.sizes and lengths.most_common(1)[0][0] <= 25
        return None if rows or lengths.most_common(1)[0][0] <= 2 else value
    if all(isinstance(item, list) for item in value):
        return None if all(_is_cell(cell) for row in value for cell in row) and max(map(len, value)) <= 25 else value
    return value if all(isinstance(item, dict | list) for item in value) else None


def _is_cell(value: Any) -> bool:
    return not isinstance(value, list | str) or (isinstance(value, str) and len(value) <= 12)


def _first(record: dict[str, Any], names: frozenset[str]) -> Any:
    return next((held for key, held in record.items() if key.lower() in names and held is not None), None)


def _entry(value: Any, context: Context, line: int) -> PuzzleEntry:
    if not isinstance(value, dict):
        return PuzzleEntry(_puzzle(value, context, line), file=context.file, line=line or None)
    context = _told(value, context, line)
    _refuse_other_rules(value, context, line)
    grid = _first(value, PUZZLE_NAMES)
    if grid is None:
        keys = ", ".join(map(str, list(value)[:6]))
        raise context.error(f"no puzzle among the keys {keys or '(none)'}", line, hint='Call it "puzzle".')
    puzzle = _puzzle(grid, context, line)
    if (marks := value.get("pencilmarks")) is not None:
        puzzle = replace(puzzle, pencilmarks=_marks(marks, puzzle, context, line))
    solution, rating, name = (_first(value, names) for names in (SOLUTION_NAMES, RATING_NAMES, NAME_NAMES))
    return PuzzleEntry(
        puzzle,
        _solution(solution, puzzle, context, line) if solution else None,
        str(rating)[:80] if rating is not None else None,
        context.file,
        line or None,
        str(name)[:80] if name is not None else None,
    )


def _told(record: dict[str, Any], context: Context, line: int) -> Context:
    """With the boxes and symbols that the record itself names, unless the caller did."""
    box = record.get("box") or record.get("box_rows_cols") or record.get("block_size")
    symbols = record.get("symbols")
    try:
        told_box = read_box(box) if isinstance(box, str | list) else None
        told_symbols = expand_symbols(symbols) if isinstance(symbols, str | list) else None
    except (UsageError, TypeError) as error:
        raise context.error(f"box or symbols of this puzzle: {error}", line) from error
    return replace(context, box=context.box or told_box, symbols=context.symbols or told_symbols)


def _refuse_other_rules(record: dict[str, Any], context: Context, line: int) -> None:
    game = record.get("game", "sudoku")
    if game != "sudoku":
        raise refusal(str(game)[:40], line, context)
    for key, kind in _OTHER_RULES.items():
        if record.get(key):
            raise refusal(kind, line, context)
    regions, clues = record.get("regions"), _first(record, PUZZLE_NAMES)
    if isinstance(regions, list) and isinstance(clues, list) and not _are_boxes(regions, context):
        raise refusal("jigsaw", line, context)


def _are_boxes(regions: list[Any], context: Context) -> bool:
    flat = [cell for row in regions for cell in row] if all(isinstance(row, list) for row in regions) else regions
    size = SIZE_OF_SQUARE.get(len(flat), 0)
    if size not in context.sizes:
        return False
    boxes = houses(*context.box_of(size))[2 * size :]
    return all(len({repr(flat[slot]) for slot in box}) == 1 for box in boxes) and len(set(map(repr, flat))) == size


def _puzzle(value: Any, context: Context, line: int) -> Sudoku:
    if isinstance(value, str):
        if len(value) > 100_000:
            raise context.error(f"this text has {len(value)} characters: no puzzle is so long", line)
        from dgsolve.puzzle_files.reader import puzzle_of_text

        return puzzle_of_text(value, context, line)
    rows = _rows(value, context, line)
    cells = [cell for row in rows for cell in row]
    size = len(rows)
    if all(isinstance(cell, int) for cell in cells):  # numbers are values; texts are symbols
        return _of_numbers(cells, size, context, line)
    return puzzle_of_cells([Cell(str(cell), line) for cell in cells], size, context)


def _of_numbers(cells: list[Any], size: int, context: Context, line: int) -> Sudoku:
    blank = puzzle_of_cells([Cell("", line)] * len(cells), size, context)
    for slot, value in enumerate(cells):
        if not -1 <= value <= size:
            raise context.error(
                f"row {slot // size + 1}, column {slot % size + 1} holds {shown(value)}, not a value from 1 to {size}",
                line,
            )
    return replace(blank, givens=tuple(max(value, 0) for value in cells), symbols=context.symbols or digits_first(size))


def _rows(value: Any, context: Context, line: int) -> list[list[int | str]]:
    """Rows of equal length, each cell a number from -1 or a short text."""
    rows = list(value) if isinstance(value, list) else []
    if not rows:
        raise context.error(f"{shown(value)} is not a grid", line, hint="A grid is a list of rows, or a text.")
    if all(not isinstance(row, list | str) or (isinstance(row, str) and len(row) <= 2) for row in rows):
        size = isqrt(len(rows))
        if size * size != len(rows):
            raise wrong_length("0" * min(len(rows), 9999), line, context)
        rows = [rows[start : start + size] for start in range(0, len(rows), size)]
    if not all(isinstance(row, list | str) for row in rows):
        raise context.error("some rows of this grid are no lists", line)
    size = Counter(map(len, rows)).most_common(1)[0][0]
    for number, row in enumerate(rows, 1):
        if len(row) != size:
            raise context.error(f"row {number} has {counted(len(row), 'cell')}, expected {size}", line)
    if len(rows) != size:
        shape = f"{counted(len(rows), 'row')} of {counted(size, 'cell')}"
        raise context.error(f"the grid has {shape}, expected {counted(size, 'row')}", line)
    return [[_cell(cell, context, line) for cell in row] for row in rows]


def _cell(value: Any, context: Context, line: int) -> int | str:
    if isinstance(value, dict):
        value = value.get("value")
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return 0
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return value.strip() or 0 if value.strip() not in (".", "0") else 0
    if isinstance(value, bool) or not isinstance(value, int):
        raise context.error(f"{shown(value)} is not a value of a cell", line)
    return value


def _marks(marks: Any, puzzle: Sudoku, context: Context, line: int) -> tuple[frozenset[int], ...]:
    fits = isinstance(marks, list) and len(marks) == len(puzzle.givens)
    if not fits or not all(isinstance(held, list) and all(isinstance(value, int) for value in held) for held in marks):
        raise context.error(f"pencilmarks must be {len(puzzle.givens)} lists of values", line)
    size = len(puzzle.symbols)
    for slot, held in enumerate(marks):
        if not set(held) <= set(range(1, size + 1)):
            raise context.error(f"the pencilmarks of {cell_name(slot, size)} are not values from 1 to {size}", line)
    return tuple(frozenset(held) for held in marks)


def _solution(value: Any, puzzle: Sudoku, context: Context, line: int) -> tuple[int, ...]:
    if isinstance(value, str):
        return solution_of_cells([Cell(char, line) for char in "".join(value.split())], puzzle, context)
    rows = value if isinstance(value, list) else []
    flat = [cell for row in rows for cell in (row if isinstance(row, list | str) else [row])]
    cells = [_cell(cell, context, line) for cell in flat]
    if all(isinstance(cell, int) for cell in cells):
        symbols = puzzle.symbols
        spelled = [
            Cell(symbols[cell - 1] if isinstance(cell, int) and 1 <= cell <= len(symbols) else "", line)
            for cell in cells
        ]
        return solution_of_cells(spelled, puzzle, context)
    return solution_of_cells([Cell(str(cell), line) for cell in cells], puzzle, context)


def nested_lists(rows: Any) -> list[Any]:
    """Arrays and tuples, in any nesting, as lists of plain Python values."""
    plain = _plain(rows, _DEEPEST + 2)
    if not isinstance(plain, list):
        raise PuzzleError(f"{shown(plain)} is not a list of rows")
    return plain


def _plain(value: Any, depth: int) -> Any:
    """What lies deeper than `depth` stays as it is: it is refused anyway, and a list may hold itself."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return [_plain(item, depth - 1) for item in value] if depth and isinstance(value, list | tuple) else value
