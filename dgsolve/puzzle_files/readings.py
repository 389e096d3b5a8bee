"""The ways in which a line of text may hold cells."""

from __future__ import annotations

import re
from collections.abc import Callable

from dgsolve.puzzle_files.base import Cell, Line

Reading = Callable[[Line], list[Cell]]

_WRAPPING = " \t[](){}\"'"


def fields_between(separator: str, *, framed: bool) -> Reading:
    """One cell between two separators, nothing being an open cell; `framed` where separators also stand outside."""

    def read(line: Line) -> list[Cell]:
        if separator not in line.text:
            return []
        cells, column = [], 0
        for part in line.text.split(separator):
            text = part.strip(_WRAPPING)
            cells.append(Cell(text, line.number, column + 1 + (part.find(text) if text else 0)))
            column += len(part) + 1
        if framed and cells and not cells[-1].text:
            cells.pop()
        if framed and cells and not cells[0].text and line.text.lstrip().startswith(separator):
            cells.pop(0)
        return cells

    return read


def tokens(line: Line) -> list[Cell]:
    """One cell per word; bars and white space part them."""
    return [
        Cell(found[0], line.number, found.start() + 1) for found in re.finditer(r"[^\s|!,;\[\](){}\"']+", line.text)
    ]


def characters(line: Line) -> list[Cell]:
    """One cell per character; bars and white space are decoration."""
    return [Cell(found[0], line.number, found.start() + 1) for found in re.finditer(r"[^\s|!,;\[\](){}\"']", line.text)]


def columns(line: Line) -> list[Cell]:
    """One cell per character, a space being an open cell; bars are decoration."""
    return [Cell(char.strip(), line.number, place) for place, char in enumerate(line.text, 1) if char not in "|!"]


def wide_columns(line: Line) -> list[Cell]:
    """Every second character is a cell, a space being an open one: "| 5 3   |   7   |", or without bars."""
    cells, start, first = [], 0, 1 if "|" in line.text else 0
    for part in line.text.split("|"):
        if part[1 - first :: 2].strip():
            return []
        cells += [Cell(part[at].strip(), line.number, start + at + 1) for at in range(first, len(part), 2)]
        start += len(part) + 1
    return cells


SEPARATED: tuple[Reading, ...] = (
    *(fields_between(separator, framed=framed) for framed in (False, True) for separator in ",;\t|"),
    tokens,
)
READINGS: tuple[Reading, ...] = (*SEPARATED, characters, columns, wide_columns)


def stands_apart(reading: Reading) -> bool:
    """Whether separators stand between all cells."""
    return reading in SEPARATED
