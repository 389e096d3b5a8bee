"""Grid files and texts: find the format, stream its entries."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from itertools import chain

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files.base import GridContext, GridEntry, GridFormat
from dgsolve.grid_files.dimacs import DimacsFile
from dgsolve.grid_files.game_id import game_called
from dgsolve.grid_files.json_file import JsonFile
from dgsolve.grid_files.lines_file import LinesFile
from dgsolve.grid_files.sudoku_files import SudokuRows, SudokuTables
from dgsolve.grid_files.toml_file import TomlFile
from dgsolve.problems.grid import Grid
from dgsolve.puzzle_files.base import Line
from dgsolve.puzzle_files.decoding import NO_TEXT_HINT, lines_of_bytes, lines_of_text
from dgsolve.shortened import shown

_COMMENT = re.compile(r"\s*(?:#|//)")
FORMATS: tuple[GridFormat, ...] = (
    JsonFile(),
    LinesFile(),
    TomlFile(),
    DimacsFile(),
    SudokuTables(),
    SudokuRows(),
)

_FORMS = "Write TOML with a table [grid] or kind = ..., or JSON with the same keys; docs/grid_formats.md has more."


def read_grids(
    path: str | os.PathLike[str], *, allow_python: bool = False, game: str | None = None, colours: int | None = None
) -> Iterator[GridEntry]:
    """The grids of a file ("-": standard input) as they are read.

    game: of game ids that may be of several, such as "towers". colours: of graphs whose file names no number.

    A grid that cannot be read is an entry that carries a PuzzleError. A file that cannot be opened, or in no format
    known, raises PuzzleError when the first entry is asked for.
    """
    try:
        name = os.fsdecode(path)
    except TypeError as error:
        raise UsageError(f"{shown(path)} is not a path", hint="Write the name of a file, or - for stdin.") from error
    context = _context(name, allow_python, game, colours)
    return _entries(_opened(context), context)


def parse_grids(
    text: str, *, allow_python: bool = False, game: str | None = None, colours: int | None = None
) -> Iterator[GridEntry]:
    """The grids of a text, as `read_grids` has them."""
    if not isinstance(text, str):
        raise UsageError(f"{shown(text)} is not text")
    context = _context(None, allow_python, game, colours)
    return _entries(lines_of_text(text), context)


def single_grid(entries: Iterator[GridEntry], where: str) -> Grid:
    """The only grid; raises PuzzleError where there are more, with their number."""
    entry = next(entries)
    more = sum(1 for _ in entries)
    if more:
        raise PuzzleError(f"{where} holds {more + 1} grids, not one", hint="Run `dgsolve grid FILE`.")
    if isinstance(entry.puzzle, PuzzleError):
        raise entry.puzzle
    return entry.puzzle


def _context(file: str | None, allow_python: bool, game: str | None, colours: int | None) -> GridContext:
    if game is not None:
        game_called(game)
    if colours is not None and (isinstance(colours, bool) or not isinstance(colours, int) or colours < 1):
        raise UsageError(f"colours={shown(colours)} must be a whole number from 1")
    return GridContext(file, allow_python, game, colours)


def _opened(context: GridContext) -> Iterator[Line]:
    try:
        if context.file == "-":
            stdin = sys.stdin.buffer
            ready = stdin if isinstance(stdin, io.BufferedReader) else io.BufferedReader(io.BytesIO(stdin.read()))
            yield from lines_of_bytes(ready)
        else:
            with open(context.file or "", "rb") as stream:
                yield from lines_of_bytes(stream)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        hint = "Check the path; - reads standard input."
        raise context.error(f"the file cannot be read: {reason}", hint=hint) from error


def _entries(lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
    """By the family that the first line tells which is neither blank nor a comment."""
    first = next((line for line in lines if line.text.strip() and not _COMMENT.match(line.text)), None)
    if first is None:
        raise context.error("there is nothing to read: the file is empty", hint=_FORMS)
    if first.text.startswith('{"trace":'):
        raise context.error("this file is a trace, not a grid", first.number, hint=NO_TEXT_HINT)
    family = next(family for family in FORMATS if family.sniff(first.text))
    found = False
    for entry in family.entries(chain([first], lines), context):
        found = True
        yield entry
    if not found:
        raise context.error(f"{shown(first.text.strip())} begins no file of a grid", first.number, hint=_FORMS)
