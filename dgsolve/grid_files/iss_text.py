"""Constraint strings of the Interactive Sudoku Solver: `.Shape~6x6.~R1C1_5.Thermo~R1C1~R1C2...`."""

from __future__ import annotations

import re
from urllib.parse import unquote

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, LineForm, Written
from dgsolve.grid_files.iss_board import Board
from dgsolve.grid_files.iss_items import items, nested
from dgsolve.grid_files.iss_rules import read_items, unread
from dgsolve.shortened import shown

_CONSTRAINTS = re.compile(r"\.+[A-Za-z]*~.*|(?:\.+[A-Za-z]{2,})+\.*(?:~.*)?")
_ADDRESS = re.compile(r"\s*\S*Interactive-Sudoku-Solver\S*[?&]q=([^&\s]+)\S*\s*")
_UNTOLD = {"", "Given", "Shape", "And", "End"}  # what a grid holds, not what kind of puzzle it is


class IssText(LineForm):
    """A dot and a name before each constraint, ~ before each of its arguments; the address of a puzzle there too."""

    def claims(self, text: str) -> bool:
        text = text.strip()
        return bool(_ADDRESS.fullmatch(text) or _CONSTRAINTS.fullmatch(text))

    def kind(self, text: str) -> str:
        """The constraints by name; without any it is a Sudoku."""
        return " + ".join(sorted({item.name for item in items(_constraints(text))} - _UNTOLD)) or "sudoku"

    def read(self, text: str, context: GridContext) -> Written:
        try:
            board = _board(_constraints(text))
            return Written(board.record(), kind=self.kind(text), beyond=len(board.beyond))
        except PuzzleError as error:
            if _ADDRESS.fullmatch(text):
                error.column = None
            raise


def _board(text: str) -> Board:
    found = nested(text)
    shape = next((item for item in found if item.name == "Shape"), None)
    board = Board.of(shape.arguments) if shape else Board(9, 9, range(1, 10))
    unknown = {item.name: item.column for item in reversed([*unread(found)])}
    if unknown:
        hint = "Grids here have no rule that says it." if len(unknown) == 1 else "Grids here have no such rules."
        raise PuzzleError(
            f"{', '.join(map(_shown, sorted(unknown)))} cannot be read", column=min(unknown.values()), hint=hint
        )
    read_items(board, found)
    return board


def _constraints(text: str) -> str:
    address = _ADDRESS.fullmatch(text)
    return unquote(address[1]) if address else text


def _shown(name: str) -> str:
    return name if len(name) < 30 and name.isprintable() else shown(name, 30)
