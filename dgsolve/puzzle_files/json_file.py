"""JSON: one puzzle, a list of them, or one to a line."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import SIZES
from dgsolve.puzzle_files.base import Context, FileFormat, Line, PuzzleEntry
from dgsolve.puzzle_files.json_puzzle import entries_of_value
from dgsolve.puzzle_files.text_file import TextFile


class JsonFile(FileFormat):
    """Lines stream where each is a document of its own; any other document is read whole."""

    def sniff(self, first: str) -> bool:
        text = first.lstrip()
        if _is_row(text):
            return False
        return re.match(r"\{|\[\s*(?:$|[\[{\"'0-9]|null|-1)", text) is not None

    def entries(self, lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
        first = next(lines)
        lines = itertools.chain([first], lines)
        if not _is_document(first.text):
            yield from _document(lines, context)
            return
        for line in lines:
            if line.text.strip():
                yield from _read_line(line, context)


def _is_row(text: str) -> bool:
    """A row of a grid, one list to a line: [5, 3, null, ...]."""
    cells = text.strip(" \t,").removeprefix("[").removesuffix("]").split(",", 26)
    return len(cells) in SIZES and all(len(cell.strip()) <= 6 and not set("[]{}") & set(cell) for cell in cells)


def _is_document(text: str) -> bool:
    """Whether a line stands alone; an object that closes is meant to, even with a mistake in it."""
    try:
        _loads(text)
    except ValueError:
        return text.lstrip().startswith("{") and text.rstrip().endswith("}")
    return True


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _document(lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
    """A document over many lines; lists as other languages print them are read as rows of text."""
    listed = list(lines)
    try:
        value = _loads("\n".join(line.text for line in listed))
    except ValueError as error:
        printed = list(TextFile().entries(iter(listed), context))
        read = printed and all(isinstance(entry.puzzle, Sudoku) for entry in printed)
        yield from printed if read else [context.failed(_broken(error, listed[0].number, context))]
        return
    yield from entries_of_value(value, context, listed[0].number)


def _read_line(line: Line, context: Context) -> Iterator[PuzzleEntry]:
    try:
        value = _loads(line.text)
    except ValueError as error:
        yield context.failed(_broken(error, line.number, context))
        return
    yield from entries_of_value(value, context, line.number)


def _broken(error: ValueError, first: int, context: Context) -> PuzzleError:
    line = first + getattr(error, "lineno", 1) - 1
    return context.error(f"this is not JSON: {getattr(error, 'msg', error)}", line, getattr(error, "colno", 0))
