"""The seam that a format of grid files fills, and what comes out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dgsolve.errors import DgsolveError, PuzzleError
from dgsolve.problems.grid import Grid
from dgsolve.puzzle_files.base import Line


@dataclass(frozen=True)
class GridEntry:
    """One grid of a file, or the error that stands where one should: the rest of the file is still read.

    solution: the answer, where the file gives it. line counts from 1. kind: what kind of puzzle the file says that it
    is, also of one that cannot be read; "" where nothing tells.
    """

    puzzle: Grid | PuzzleError
    solution: tuple[Any, ...] | None = None
    rating: str | None = None
    file: str | None = None
    line: int | None = None
    name: str | None = None
    argument: int | None = None
    kind: str = ""


@dataclass(frozen=True)
class GridContext:
    """What the caller said: the file's name, and whether rules may name Python functions, which then run.

    game: the game that ids are of, where more than one fits. colours: of a graph whose file names no number.
    """

    file: str | None = None
    allow_python: bool = False
    game: str | None = None
    colours: int | None = None

    def error(self, message: str, line: int = 0, *, column: int = 0, key: str = "", hint: str = "") -> PuzzleError:
        """An error at a place in this file."""
        place = {"line": line or None, "column": column or None, "key": key or None}
        return PuzzleError(message, file=self.file, hint=hint, **place)  # type: ignore[arg-type]

    def failed(self, error: DgsolveError, line: int = 0, *, kind: str = "", name: str | None = None) -> GridEntry:
        """The entry that stands for an error at a line; kind and name are those of the puzzle."""
        if not isinstance(error, PuzzleError):
            error = self.error(error.message, line, hint=error.hint)
        error.file, error.line = error.file or self.file, error.line or line or None
        return GridEntry(error, file=self.file, line=error.line, name=name, kind=kind)


@dataclass(frozen=True)
class Written:
    """A grid as the tables of a file, read from another format, with its answer and name where that gives them.

    kind: as that format calls the puzzle, "" where the tables tell. beyond: how many cells the solutions of that format
    leave out, so that they are no whole answer.
    """

    record: Mapping[str, Any]
    solution: Sequence[int] | None = None
    name: str | None = None
    kind: str = ""
    beyond: int = 0


class LineForm(ABC):
    """A way to write one whole grid on one line."""

    @abstractmethod
    def claims(self, text: str) -> bool:
        """Whether the line is meant this way, right or wrong."""

    def kind(self, text: str) -> str:
        """What kind of puzzle a claimed line is, right or wrong; "" where it does not tell."""
        return ""

    @abstractmethod
    def read(self, text: str, context: GridContext) -> Written:
        """What it says; raises PuzzleError, with the column where one is to blame."""


class GridFormat(ABC):
    """A family of whole files."""

    @abstractmethod
    def sniff(self, first: str) -> bool:
        """Whether the first line that is not blank starts a file of this family."""

    @abstractmethod
    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        """The grids, as soon as each is read."""
