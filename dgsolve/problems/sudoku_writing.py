"""A Sudoku as text: lines, rows, JSON, a picture for people, and answers read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dgsolve.problems.sudoku_symbols import digits_first

if TYPE_CHECKING:
    from dgsolve.problems.sudoku import Sudoku


def blank(puzzle: Sudoku) -> str:
    """The sign of an open cell: 0 where only it tells 1-9A-G from 0-9A-F when the file is read again, else a dot."""
    return "0" if puzzle.size > 9 and puzzle.symbols == digits_first(puzzle.size) else "."


def line(puzzle: Sudoku, values: Sequence[int]) -> str:
    """All cells on one line; symbols of several characters stand apart."""
    return _gap(puzzle).join(_symbols(puzzle, values))


def rows(puzzle: Sudoku, values: Sequence[int]) -> str:
    """One row per line, no line feed at the end."""
    shown = _symbols(puzzle, values)
    size = puzzle.size
    return "\n".join(_gap(puzzle).join(shown[start : start + size]) for start in range(0, size * size, size))


def _gap(puzzle: Sudoku) -> str:
    return " " if any(len(symbol) > 1 for symbol in puzzle.symbols) else ""


def _symbols(puzzle: Sudoku, values: Sequence[int]) -> list[str]:
    return [puzzle.symbols[value - 1] if value else blank(puzzle) for value in values]


def as_json(puzzle: Sudoku) -> str:
    """One JSON object on one line."""
    size = puzzle.size
    givens = [list(puzzle.givens[start : start + size]) for start in range(0, size * size, size)]
    record: dict[str, Any] = {
        "size": size,
        "box": [puzzle.box_rows, puzzle.box_cols],
        "symbols": list(puzzle.symbols),
        "givens": givens,
    }
    if puzzle.pencilmarks is not None:
        record["pencilmarks"] = [sorted(marks) for marks in puzzle.pencilmarks]
    return json.dumps(record)


def read_answer(puzzle: Sudoku, answer: Any) -> list[int | None]:
    """The values of an answer in any of the forms `Sudoku.check` takes; None where there is none."""
    if not _has_members(answer):
        return []
    if isinstance(answer, str):
        values = {symbol: value for value, symbol in enumerate(puzzle.symbols, 1)}
        spaced = any(len(symbol) > 1 for symbol in puzzle.symbols)
        return [values.get(cell) for cell in (answer.split() if spaced else "".join(answer.split()))]
    return [_whole_number(cell) for cell in _flat(answer)]


def _flat(answer: Iterable[Any]) -> Iterable[Any]:
    for cell in answer:
        if isinstance(cell, str) or not _has_members(cell):
            yield cell
        else:
            yield from cell


def _has_members(value: Any) -> bool:
    """Whether it can be iterated over: an array without dimensions cannot, though it has the method."""
    return hasattr(value, "__iter__") and getattr(value, "ndim", 1) > 0


def _whole_number(cell: Any) -> int | None:
    if isinstance(cell, str):
        return int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 4 else None
    number = cell.item() if hasattr(cell, "item") else cell  # of numpy
    if isinstance(number, float) and number.is_integer():  # arrays of floats hold whole numbers too
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int):
        return None
    return number if abs(number) < _MOST else None


_MOST = 10**9  # far beyond any value; a longer number could not even be shown
