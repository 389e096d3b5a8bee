"""Cells into a puzzle: which alphabet, which value, and what is wrong where."""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import lru_cache

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import BLANKS, digits_first, letters, numbers, span_text, zero_first
from dgsolve.puzzle_files.base import Cell, Context
from dgsolve.puzzle_files.decoding import BAD_BYTE
from dgsolve.shortened import shortened

_QUICK = bytes(  # an ASCII code -> the value of the cell, 255 for what is none
    int(char) if char in string.digits else 0 if char in ".*_-?xX" else 255 for char in map(chr, range(256))
)
_DIGITS = frozenset(string.digits)
_SMALL_BLANKS = BLANKS | {"x", "X"}
_WORD_BLANKS = frozenset(("-1", "00", "None", "none", "null", "nan", "NaN"))


def quick_values(text: str) -> tuple[int, ...] | None:
    """The values of 81 digits and blanks, None for any other text."""
    cells = text.strip()
    if len(cells) != 81 or not cells.isascii():
        return None
    values = cells.encode().translate(_QUICK)
    return tuple(values) if max(values) <= 9 else None


def puzzle_of_cells(cells: Sequence[Cell], size: int, context: Context, *, apart: bool = False) -> Sudoku:
    """The puzzle that size * size cells spell; `apart` where separators stand between all cells. Raises PuzzleError."""
    if size in context.sizes:
        box = context.box_of(size)
    else:
        wanted = next(iter(context.sizes)) if len(context.sizes) == 1 else 0
        raise context.error(
            f"the grid is {size}x{size}, " + (f"{wanted}x{wanted} was asked for" if wanted else "a size without boxes"),
            cells[0].line,
            hint="Leave out --box and --symbols, or give those of this grid." if wanted else "",
        )
    symbols = alphabet(cells, size, context, apart)
    source = context.source(cells[0].line)
    if (
        size <= 9
        and context.symbols is None
        and any(len(cell.text) > 1 and cell.text not in _WORD_BLANKS for cell in cells)
    ):
        marks = _pencil_marks(cells, size, context)
        givens = tuple(next(iter(held)) if len(held) == 1 else 0 for held in marks)
        return Sudoku(givens, *box, symbols, marks, source=source)
    return Sudoku(tuple(values_of_cells(cells, symbols, context)), *box, symbols, source=source)


def values_of_cells(cells: Sequence[Cell], symbols: Sequence[str], context: Context) -> list[int]:
    """The value of each cell in these symbols, 0 for an open one."""
    table = _values(tuple(symbols))
    values = [table.get(cell.text, -1) for cell in cells]
    if -1 in values:
        raise _stranger(cells[values.index(-1)], symbols, context)
    return values


@lru_cache(maxsize=64)
def _values(symbols: tuple[str, ...]) -> dict[str, int]:
    """What may stand in a cell -> its value; symbols in either case, unless both cases are symbols."""
    table = dict.fromkeys(_SMALL_BLANKS if len(symbols) <= 9 else BLANKS, 0) | dict.fromkeys(_WORD_BLANKS, 0)
    for case in (str.swapcase, str):
        table |= {case(symbol): value for value, symbol in enumerate(symbols, 1)}
    return table


def _stranger(cell: Cell, symbols: Sequence[str], context: Context) -> PuzzleError:
    if BAD_BYTE in cell.text:
        return context.error(
            "a byte here is not text in UTF-8 or UTF-16", cell.line, cell.column, hint="Save the file as UTF-8."
        )
    other = 'Give the grid\'s own symbols in the order of their values, such as --symbols "ABCDEFGHI".'
    blanks = "An open cell is one of . 0 _ * - ?" + (" x" if len(symbols) <= 9 else "")
    return context.error(
        f"{shortened(cell.text, 15)!r} is not one of the values {span_text(symbols)}",
        cell.line,
        cell.column,
        hint=f"{blanks}\n{other}" if cell.text.isalpha() else blanks,
    )


def alphabet(cells: Sequence[Cell], size: int, context: Context, apart: bool) -> tuple[str, ...]:
    """The symbols that these cells are written in; raises PuzzleError where two readings fit."""
    if context.symbols is not None:
        return context.symbols
    if size <= 9:
        return digits_first(size)
    texts = {cell.text for cell in cells}
    words = texts - BLANKS - _WORD_BLANKS
    if words and (apart or any(len(word) > 1 for word in words)) and all(set(word) <= _DIGITS for word in words):
        return _number_alphabet(cells, texts, size, context)
    return _letter_alphabet(cells, {text.upper() for text in texts}, size, context)


def _number_alphabet(cells: Sequence[Cell], texts: set[str], size: int, context: Context) -> tuple[str, ...]:
    if "0" in texts and texts & (BLANKS - {"0"}) and str(size) not in texts:
        raise context.error(
            "both 0 and another sign could stand for an open cell",
            cells[0].line,
            hint=f"Write the values as 1 to {size}, and one sign for open cells.",
        )
    return numbers(size)


def _letter_alphabet(cells: Sequence[Cell], used: set[str], size: int, context: Context) -> tuple[str, ...]:
    filled = used - BLANKS
    if filled and not filled & _DIGITS:
        return letters(size)
    if not filled or digits_first(size)[-1] in filled:
        return digits_first(size)
    if "0" in used:  # a value where another sign marks the open cells, else the open cell itself
        return zero_first(size) if used & (BLANKS - {"0"}) else digits_first(size)
    one, zero = span_text(digits_first(size)), span_text(zero_first(size))
    raise context.error(
        f"the values may be {one} or {zero}: neither {digits_first(size)[-1]} nor 0 occurs",
        cells[0].line,
        hint=f'Say which with --symbols "{one}" or --symbols "{zero}".',
    )


def _pencil_marks(cells: Sequence[Cell], size: int, context: Context) -> tuple[frozenset[int], ...]:
    """The candidates of each cell, groups of digits; a group of one is a given, also with `u` before it (SudoCue)."""
    marks = []
    for cell in cells:
        digits = cell.text.removeprefix("u")
        held = frozenset(ord(char) - ord("0") for char in digits)
        if not digits or len(held) != len(digits) or not held <= set(range(1, size + 1)):
            raise context.error(
                f"{cell.text[:12]!r} is not a list of candidates from 1 to {size}",
                cell.line,
                cell.column,
                hint="In a grid of candidates every cell lists its own, such as 1567; a solved cell has one.",
            )
        marks.append(held)
    return tuple(marks)


def solution_of_cells(cells: Sequence[Cell], puzzle: Sudoku, context: Context) -> tuple[int, ...]:
    """A full grid in the puzzle's symbols; raises PuzzleError."""
    if len(cells) != len(puzzle.givens):
        place = cells[0] if cells else Cell("")
        raise context.error(
            f"the solution has {len(cells)} cells, expected {len(puzzle.givens)}", place.line, place.column
        )
    values = values_of_cells(cells, puzzle.symbols, context)
    if 0 in values:
        cell = cells[values.index(0)]
        raise context.error("the solution has an open cell", cell.line, cell.column)
    return tuple(values)
