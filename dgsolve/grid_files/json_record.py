"""One object of a JSON file: the tables of a grid, a decoded game, a line in another form, or a Sudoku."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, Written
from dgsolve.grid_files.decoded import is_decoded, written_of_decoded
from dgsolve.grid_files.kind_names import kind_of_record
from dgsolve.grid_files.lines_file import kind_of_text, written_of_text
from dgsolve.grid_files.sudoku_record import written_of_sudoku
from dgsolve.puzzle_files.base import Context
from dgsolve.puzzle_files.json_puzzle import entries_of_value
from dgsolve.puzzle_files.names import PUZZLE_NAMES
from dgsolve.shortened import shown


def written_of_record(record: Any, context: GridContext) -> Written:
    """What an object says; raises PuzzleError with the key."""
    if isinstance(record, list):
        return _sudoku(record)
    if not isinstance(record, Mapping) or "kind" in record or isinstance(record.get("grid"), Mapping):
        return Written(record)
    if is_decoded(record):
        return written_of_decoded(record)
    if "input" in record:
        return _line(record, context)
    if any(str(key).lower() in PUZZLE_NAMES for key in record):
        return _sudoku(record)
    return Written(record)


def told_of_record(record: Any) -> dict[str, Any]:
    """The kind and name of an object's puzzle, also of one that cannot be read, as fields of an entry."""
    if not isinstance(record, Mapping):
        return {}
    name, text = record.get("name"), record.get("input")
    kind = kind_of_record(record) or (kind_of_text(text) if isinstance(text, str) else "")
    return {"kind": kind, "name": name if isinstance(name, str) else None}


def _line(record: Mapping[str, Any], context: GridContext) -> Written:
    """`input`: a line in one of the forms; `solution`: one character a cell, none where it leaves cells out."""
    text, solution, name = record["input"], record.get("solution"), record.get("name")
    if not isinstance(text, str):
        raise PuzzleError(f"this must be a text, not {shown(text)}", key="input")
    try:
        written = written_of_text(text, context)
    except PuzzleError as error:
        error.key = "input"
        raise
    answer = None if solution is None or written.beyond else _numbers(solution, written.record)
    return Written(written.record, answer, name if isinstance(name, str) else None, written.kind)


def _numbers(solution: Any, record: Mapping[str, Any]) -> list[int]:
    """The values of a text of one character a cell: digits, or letters where a value has two digits."""
    if not isinstance(solution, str):
        raise PuzzleError(f"this must be a text of one character a cell, not {shown(solution)}", key="solution")
    if re.fullmatch("[0-9A-Za-z]*", solution) is None:
        raise PuzzleError("a solution has a digit or letter for each cell", key="solution")
    letters = solution.isalpha()
    return [ord(sign.upper()) - ord("A") + 1 if letters else int(sign, 36) for sign in solution]


def _sudoku(record: Any) -> Written:
    entries = list(entries_of_value(record, Context(), 0))
    if len(entries) != 1:
        raise PuzzleError(f"this object holds {len(entries) or 'no'} Sudokus, not one")
    if isinstance(entries[0].puzzle, PuzzleError):
        raise entries[0].puzzle
    return written_of_sudoku(entries[0])
