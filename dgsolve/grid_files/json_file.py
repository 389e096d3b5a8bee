"""JSON: one grid, a list of them, or one to a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, GridEntry, GridFormat
from dgsolve.grid_files.cases_file import cases_of, is_cases
from dgsolve.grid_files.entries import entry_of
from dgsolve.grid_files.json_record import told_of_record, written_of_record
from dgsolve.grid_files.kind_names import kind_of_record
from dgsolve.grid_files.places import json_line, repeated_key
from dgsolve.grid_files.record import grid_of_record
from dgsolve.grid_files.spellings import refuse_two_spellings
from dgsolve.problems.grid import Grid
from dgsolve.puzzle_files.base import Line
from dgsolve.whole_numbers import MOST_DIGITS


class JsonFile(GridFormat):
    """Lines stream where each is an object of its own; any other document is read whole."""

    def sniff(self, first: str) -> bool:
        text = first.replace(" ", "").replace("\t", "")
        return text.startswith(("{", "[{", "[[")) or text == "["

    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        first = next(lines)
        if _stands_alone(first.text):
            for line in chain([first], lines):
                if line.text.strip():
                    yield from _document([line], context)
            return
        yield from _document([first, *lines], context)


def _stands_alone(text: str) -> bool:
    """Whether a line is an object of its own; one that closes is meant to be, even with a mistake in it."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        closed = text.lstrip().startswith("{") and text.rstrip().endswith("}")
        return closed and text.count("{") == text.count("}")


class _RepeatedKeyError(ValueError):
    """A table of a JSON text has a key twice, of which one would be lost."""


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _RepeatedKeyError
    return made


def _broken(error: Exception, text: str, first: int, context: GridContext) -> PuzzleError:
    """What is wrong with a text that is no JSON."""
    if isinstance(error, _RepeatedKeyError):
        key, line = repeated_key(text)
        return context.error("this key stands here again", first + line - 1, key=key, hint="Leave out one of the two.")
    if isinstance(error, json.JSONDecodeError):
        return context.error(f"this is not JSON: {error.msg}", first + error.lineno - 1, column=error.colno)
    deep = isinstance(error, RecursionError)
    said = "nested too deeply" if deep else f"a number has more than {MOST_DIGITS} digits"
    return context.error(f"this is not JSON: {said}", first)


def _document(lines: list[Line], context: GridContext) -> Iterator[GridEntry]:
    """The grids of a JSON text."""
    text, first = "\n".join(line.text for line in lines), lines[0].number
    try:
        value = json.loads(text, object_pairs_hook=_table)
    except (ValueError, RecursionError) as error:
        yield context.failed(_broken(error, text, first, context))
        return
    if is_cases(value):
        for key, case in cases_of(value):
            line = first + max(json_line(text, key), 1) - 1
            made = (
                context.failed(case, line, name=key) if isinstance(case, PuzzleError) else entry_of(case, line, context)
            )
            yield replace(made, kind=key.partition("[")[0])
        return
    several = isinstance(value, list) and not any(isinstance(item, list) for item in value)
    for number, record in enumerate(value if several else [value], 1):
        inside = f"[{number}]" if several else ""
        yield _spelled(_entry(record, text, first, inside, context), lines, context)


def _spelled(made: GridEntry, lines: list[Line], context: GridContext) -> GridEntry:
    """The entry, or that of an error where two names of its cells are read as one."""
    try:
        if isinstance(made.puzzle, Grid):
            refuse_two_spellings(made.puzzle, lines)
    except PuzzleError as error:
        return context.failed(error, made.line or 0, kind=made.kind, name=made.name)
    return made


def _entry(record: Any, text: str, first: int, inside: str, context: GridContext) -> GridEntry:
    try:
        written = written_of_record(record, context)
        if written.record is not record:
            return entry_of(written, first + max(json_line(text, inside), 1) - 1, context)
        grid = grid_of_record(record, allow_python=context.allow_python)
    except PuzzleError as error:
        line = json_line(text, f"{inside}.{error.key}" if inside and error.key else error.key or inside)
        return context.failed(error, first + max(line, 1) - 1, **told_of_record(record))
    line = first + max(json_line(text, inside), 1) - 1
    return GridEntry(grid, file=context.file, line=line, kind=kind_of_record(record))
