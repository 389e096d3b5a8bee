"""The seam that a puzzle file format fills, and what comes out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.sudoku import Source, Sudoku
from dgsolve.problems.sudoku_symbols import SIZES, expand_symbols, read_box, usual_box

_FEW_CELLS = 9  # off by more, another size may be meant


@dataclass(frozen=True)
class PuzzleEntry:
    """One puzzle of a file, or the error that stands where a puzzle should: the rest of the file is still read.

    solution: values from 1, where the file gives them. line counts from 1. argument: which one, from 1, where the
    puzzle was typed among several arguments.
    """

    puzzle: Sudoku | PuzzleError
    solution: tuple[int, ...] | None = None
    rating: str | None = None
    file: str | None = None
    line: int | None = None
    name: str | None = None
    argument: int | None = None


class Line(NamedTuple):
    """A line of a file without its line feed; the number counts from 1, 0 where the text came without lines.

    text has plain signs for those that stand in their place; typed: the line as it was, where that is another.
    """

    number: int
    text: str
    typed: str | None = None


class Cell(NamedTuple):
    """What stands in one cell, and where; "" is an open cell."""

    text: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Context:
    """What the caller said about a file: its name, and the boxes and symbols of its puzzles where they were given."""

    file: str | None = None
    box: tuple[int, int] | None = None
    symbols: tuple[str, ...] | None = None

    @classmethod
    def of(cls, file: str | None, box: str | Sequence[int] | None, symbols: str | Sequence[str] | None) -> Context:
        """Checked; raises UsageError."""
        context = cls(file, read_box(box), expand_symbols(symbols))
        needed = context.box[0] * context.box[1] if context.box else 0
        if context.symbols and needed and needed != len(context.symbols):
            raise UsageError(f"box={box!r} needs {needed} symbols, symbols={symbols!r} names {len(context.symbols)}")
        return context

    @property
    def sizes(self) -> frozenset[int]:
        """The sizes n that a puzzle here may have."""
        if self.box:
            return frozenset((self.box[0] * self.box[1],))
        return frozenset((len(self.symbols),)) if self.symbols else SIZES

    def length_hint(self, count: int, expected: int) -> str:
        """What to do about `count` cells where a grid has `expected`."""
        size = isqrt(count)
        if size * size == count and size in SIZES - self.sizes:
            return f"{count} cells are a {size}x{size} grid: leave out --box and --symbols, or give those of it."
        off = abs(count - expected)
        if self.box:
            asked = f"--box {self.box[0]}x{self.box[1]} asks for {expected} cells; "
        else:
            asked = "4x4 needs 16 cells, 6x6 needs 36, 9x9 needs 81; " if off > _FEW_CELLS else ""
        number = "one cell is" if off == 1 else f"{off} cells are"
        told = f"{number} missing" if count < expected else f"{number} too many"
        hint = f"{asked}{told}: write . for every open cell, one puzzle per line."
        return hint[0].upper() + hint[1:]

    def box_of(self, size: int) -> tuple[int, int]:
        """The boxes of a puzzle of this size."""
        return self.box or usual_box(size)

    def source(self, line: int) -> Source:
        """A place in this file."""
        return Source(self.file, line or None)

    def error(self, message: str, line: int = 0, column: int = 0, *, hint: str = "") -> PuzzleError:
        """An error at a place in this file."""
        return PuzzleError(message, file=self.file, line=line or None, column=column or None, hint=hint)

    def failed(self, error: PuzzleError) -> PuzzleEntry:
        """The entry that stands for an error."""
        return PuzzleEntry(error, file=self.file, line=error.line)


class FileFormat(ABC):
    """A family of whole files."""

    @abstractmethod
    def sniff(self, first: str) -> bool:
        """Whether the first line that is not blank starts a file of this family."""

    @abstractmethod
    def entries(self, lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
        """The puzzles, as soon as each is read."""


class LineFormat(ABC):
    """A way to write one whole puzzle on one line."""

    @abstractmethod
    def entry(self, line: Line, context: Context) -> PuzzleEntry | None:
        """The puzzle, None where the line is not meant this way; raises PuzzleError where it is and cannot be read."""
