"""Puzzle files and texts: find the family, stream its entries."""

from __future__ import annotations

import io
import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files.base import Context, FileFormat, Line, PuzzleEntry
from dgsolve.puzzle_files.csv_file import CsvFile
from dgsolve.puzzle_files.decoding import NO_TEXT_HINT, lines_of_bytes, lines_of_text
from dgsolve.puzzle_files.json_file import JsonFile
from dgsolve.puzzle_files.json_puzzle import entries_of_value, nested_lists
from dgsolve.puzzle_files.opensudoku import OpenSudokuFile
from dgsolve.puzzle_files.text_file import TextFile
from dgsolve.shortened import shown

FORMATS: tuple[FileFormat, ...] = (OpenSudokuFile(), JsonFile(), CsvFile(), TextFile())

_FORMS = "Write 81 characters on a line, . for an open cell, or n rows of n cells."


def read_puzzles(
    path: str | os.PathLike[str], *, box: str | Sequence[int] | None = None, symbols: str | Sequence[str] | None = None
) -> Iterator[PuzzleEntry]:
    """The puzzles of a file ("-": standard input) as they are read; memory does not grow with a file of lines.

    A puzzle that cannot be read is an entry that carries a PuzzleError. A file that cannot be opened or holds no puzzle
    at all raises PuzzleError when the first entry is asked for; a bad `box` or `symbols` raises UsageError at once.
    """
    try:
        name = os.fsdecode(path)
    except TypeError as error:
        raise UsageError(f"{shown(path)} is not a path", hint="Write the name of a file, or - for stdin.") from error
    context = Context.of(name, box, symbols)
    return _checked(_opened(context), context)


def parse_puzzles(
    text: str | bytes, *, box: str | Sequence[int] | None = None, symbols: str | Sequence[str] | None = None
) -> Iterator[PuzzleEntry]:
    """The puzzles of a text, as `read_puzzles` has them."""
    if not isinstance(text, str | bytes):
        raise UsageError(f"{shown(text)} is not text", hint="Sudoku.from_rows reads lists of rows and arrays.")
    context = Context.of(None, box, symbols)
    lines = lines_of_text(text) if isinstance(text, str) else lines_of_bytes(io.BufferedReader(io.BytesIO(text)))
    return _checked(lines, context)


def puzzle_from_rows(
    rows: Any, *, box: str | Sequence[int] | None = None, symbols: str | Sequence[str] | None = None
) -> Sudoku:
    """One puzzle from lists of rows or an array; raises PuzzleError."""
    entries = list(entries_of_value(nested_lists(rows), Context.of(None, box, symbols), 0))
    return single_puzzle(iter(entries), "the rows")


def single_puzzle(entries: Iterator[PuzzleEntry], where: str) -> Sudoku:
    """The only puzzle; raises PuzzleError where there are more, with their number."""
    entry = next(entries)
    more = sum(1 for _ in entries)
    if more:
        raise PuzzleError(
            f"{where} holds {more + 1} puzzles, not one",
            hint="Read them all with dgsolve.read_puzzles(...), or run `dgsolve sudoku FILE`.",
        )
    if isinstance(entry.puzzle, PuzzleError):
        raise entry.puzzle
    return entry.puzzle


def puzzle_of_text(text: str, context: Context, line: int) -> Sudoku:
    """The one puzzle of a text inside another file; errors name the line of that file."""
    lines = (Line(line, part.text) for part in lines_of_text(text))
    entries = list(TextFile().entries(lines, context))
    if len(entries) != 1:
        raise context.error(
            f"this text holds {len(entries) or 'no'} puzzles, not one" if entries else "this text holds no puzzle", line
        )
    return single_puzzle(iter(entries), "this text")


def _opened(context: Context) -> Iterator[Line]:
    if context.file == "-":
        # a second buffer around a pipe would wait until it is full
        stdin = sys.stdin.buffer
        yield from lines_of_bytes(
            stdin if isinstance(stdin, io.BufferedReader) else io.BufferedReader(io.BytesIO(stdin.read()))
        )
        return
    if "\0" in (context.file or ""):
        raise context.error("no file has a NUL in its name", hint="Check the path.")
    try:
        with open(context.file or "", "rb") as stream:
            yield from lines_of_bytes(stream)
    except OSError as error:
        reason = error.strerror or str(error)
        raise context.error(
            f"the file cannot be read: {reason}", hint="Check the path; - reads standard input."
        ) from error


def _checked(lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
    """The entries of the family that the first line tells; raises PuzzleError where there is none."""
    try:
        first = next((line for line in lines if line.text.strip()), None)
        if first is None:
            raise context.error(
                "there is nothing to read: the file is empty" if context.file else "the text is empty", hint=_FORMS
            )
        if first.text.startswith('{"trace":'):
            raise context.error("this file is a trace, not a puzzle", first.number, hint=NO_TEXT_HINT)
        family = next(family for family in FORMATS if family.sniff(first.text))
        found = False
        for entry in family.entries(itertools.chain([first], lines), context):
            found = True
            yield entry
    except PuzzleError as error:
        if error.file is None and context.file is not None:
            error.file = context.file
        raise
    if not found:
        raise context.error("no puzzle found", first.number, hint=_FORMS)
