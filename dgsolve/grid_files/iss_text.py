"""Constraint strings of the Interactive Sudoku Solver: `.Shape~6x6.~R1C1_5.Thermo~R1C1~R1C2...`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, LineForm, Written
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.iss_counts import COUNTS
from dgsolve.grid_files.iss_global import GLOBALS
from dgsolve.grid_files.iss_lines import LINES
from dgsolve.grid_files.iss_nfa import NFA
from dgsolve.grid_files.iss_outside import OUTSIDE
from dgsolve.grid_files.iss_pairs import PAIRS
from dgsolve.grid_files.iss_regex import REGEX
from dgsolve.shortened import shown

_CONSTRAINTS = re.compile(r"\.+[A-Za-z]*~.*|(?:\.+[A-Za-z]{2,})+\.*(?:~.*)?")
_ADDRESS = re.compile(r"\s*\S*Interactive-Sudoku-Solver\S*[?&]q=([^&\s]+)\S*\s*")
_NEEDING = {*LINES, *OUTSIDE, *COUNTS, *PAIRS, *REGEX, *NFA, "Jigsaw", "RegionSize"} - {"", "Given"}
_UNTOLD = {"", "Given", "Shape"}  # what a grid holds, not what kind of puzzle it is
_RULES: dict[str, Constraint] = {**GLOBALS, **LINES, **OUTSIDE, **COUNTS, **PAIRS, **REGEX, **NFA}


class IssText(LineForm):
    """A dot and a name before each constraint, ~ before each of its arguments; the address of a puzzle there too."""

    def claims(self, text: str) -> bool:
        text = text.strip()
        return bool(_ADDRESS.fullmatch(text) or _CONSTRAINTS.fullmatch(text))

    def kind(self, text: str) -> str:
        """The constraints by name; without any it is a Sudoku."""
        return " + ".join(sorted({item.name for item in _items(_constraints(text))} - _UNTOLD)) or "sudoku"

    def read(self, text: str, context: GridContext) -> Written:
        address = _ADDRESS.fullmatch(text)
        items = list(_items(_constraints(text)))
        shape = next((item for item in items if item.name == "Shape"), None)
        board = Board.of(shape.arguments) if shape else Board(9, 9, range(1, 10))
        unknown = sorted({item.name for item in items if item.name not in _RULES})
        if unknown:
            hint = "Grids here have no rule that says it." if len(unknown) == 1 else "Grids here have no such rules."
            column = 0 if address else next(item.column for item in items if item.name in unknown)
            raise PuzzleError(f"{', '.join(map(_shown, unknown))} cannot be read", column=column or None, hint=hint)
        for item in items:
            try:
                if item.name in _NEEDING and not item.arguments:
                    raise PuzzleError("this needs cells", hint="Write ~ and the name of a cell, such as ~R1C1.")
                _RULES[item.name](board, item.arguments)
            except PuzzleError as error:
                error.message = f"{item.name or 'the values'}: {error.message}"
                error.args = (error.message,)
                error.column = None if address else item.column
                raise
        return Written(board.record(), kind=self.kind(text))


def _constraints(text: str) -> str:
    address = _ADDRESS.fullmatch(text)
    return unquote(address[1]) if address else text


def _shown(name: str) -> str:
    return name if len(name) < 30 and name.isprintable() else shown(name, 30)


class _Item(NamedTuple):
    name: str
    arguments: list[str]
    column: int


def _items(text: str) -> Iterator[_Item]:
    """The constraints; what is between two dots is one, and white space means nothing."""
    column = text.index(".") + 2 if "." in text else 1
    for part in text.strip().split(".")[1:]:
        name, *arguments = "".join(part.split()).split("~")
        if name or arguments:
            yield _Item(name, arguments, column)
        column += len(part) + 1
