"""Killer Sudokus on one line: SumoCue's numbers, and the short form of arrows."""

from __future__ import annotations

import re
import string
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, LineForm, Written
from dgsolve.grid_files.tatham.pieces import name, names

_SUMO = re.compile(r"\s*([0-9]+x[0-9]+):([a-z]*):([a-z]?):(.*)")  # and colons at its end
_ARROWS = {
    "<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1),
}  # fmt: skip
_SUMS = string.digits + string.ascii_uppercase + string.ascii_lowercase[:10]  # 0 to 45
_SHORT = re.compile(r"\s*[<>^v`',.0-9A-Za-j]{70,90}\s*")


class SumoCueLine(LineForm):
    """`3x3:d:k:3841:...`: 81 numbers, each 256 times its cage's sum and the cage's number; d asks for diagonals.

    A cell whose number is below 256 is in no cage. Source: the SudoCue forum, as SumoCue and JSudoku write it.
    """

    def claims(self, text: str) -> bool:
        return _SUMO.fullmatch(text) is not None

    def read(self, text: str, context: GridContext) -> Written:
        found = _SUMO.fullmatch(text)
        assert found is not None  # claims() asked
        if found[1] != "3x3" or found[3] not in ("", "k") or found[2] not in ("", "d"):
            hint = "Lines of SumoCue begin with 3x3::k: or 3x3:d:k:."
            raise PuzzleError(f"{text[: found.start(4)].strip()!r} begins no Sudoku that is read here", hint=hint)
        fields = found[4].rstrip().rstrip(":").split(":")
        if len(fields) != 81:
            raise PuzzleError(f"this line has {len(fields)} numbers of cells, expected 81")
        cages: dict[int, tuple[int, list[int]]] = {}
        at = found.start(4) + 1
        for cell, field in enumerate(fields):
            if not re.fullmatch(r"[0-9]{1,5}", field):
                raise PuzzleError(f"{field[:9]!r} for {name(cell, 9)} is no number of a cage", column=at)
            total, number = divmod(int(field), 256)
            at += len(field) + 1
            if not total:
                continue
            told = cages.setdefault(number, (total, []))
            if told[0] != total:
                where = f"{name(told[1][0], 9)} and {name(cell, 9)}"
                raise PuzzleError(
                    f"{where} are of one cage, but sums {told[0]} and {total}", column=at - len(field) - 1
                )
            told[1].append(cell)
        return Written(_record(list(cages.values()), diagonals=found[2] == "d"))


class ArrowKillerLine(LineForm):
    """81 characters: a sum (0-9, A-Z, a-j for 0 to 45) in the head of each cage, arrows towards it elsewhere.

    The arrows are < > ^ v, and ` ' , . for up left, up right, down left, down right; 0 is a cell in no cage.
    """

    def claims(self, text: str) -> bool:
        return bool(_SHORT.fullmatch(text)) and any(sign in text for sign in "<>^")

    def read(self, text: str, context: GridContext) -> Written:
        before, text = len(text) - len(text.lstrip()), text.strip()
        if len(text) != 81:
            raise PuzzleError(f"this line of cages has {len(text)} cells, expected 81")
        cages: dict[int, list[int]] = {}
        for cell in range(81):
            cages.setdefault(_head(text, cell, before), []).append(cell)
        sums = [(_SUMS.index(text[head]), inside) for head, inside in cages.items()]
        return Written(_record([pair for pair in sums if pair[0]]))


def _head(text: str, start: int, before: int) -> int:
    """The cell with the sum that the arrows from a cell lead to."""
    cell = start
    for _ in range(81):
        if text[cell] not in _ARROWS:
            return cell
        row, column = (a + b for a, b in zip(divmod(cell, 9), _ARROWS[text[cell]], strict=True))
        if not (0 <= row < 9 and 0 <= column < 9):
            message = f"the arrow {text[cell]} in {name(cell, 9)} leaves the grid"
            raise PuzzleError(message, column=before + cell + 1)
        cell = row * 9 + column
    raise PuzzleError(f"the arrows from {name(start, 9)} lead in a circle", column=before + start + 1)


def _record(cages: list[tuple[int, list[int]]], *, diagonals: bool = False) -> dict[str, Any]:
    listed = [{"cells": names(inside, 9), "sum": total} for total, inside in cages]
    record: dict[str, Any] = {"kind": "sudoku", "size": 9, "cages": listed}
    return record | ({"diagonals": True} if diagonals else {})
