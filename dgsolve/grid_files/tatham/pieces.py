"""The codes that several games share: cells with runs of open ones, and areas by their borders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dgsolve.grid_files.tatham.base import Piece
from dgsolve.plural import counted

OPEN = "."
_CELL = re.compile(r"(_)|([a-z])|([0-9]{1,6})(?![0-9])")
_EDGE = re.compile(r"([_a-z])([0-9]{0,4})")


def cells(piece: Piece, count: int, most: int, *, least: int = 1) -> list[int | None]:
    """`count` cells of "a3_4": a letter is a run of open cells (None), `_` parts two numbers."""
    found: list[int | None] = []
    at = 0
    while at < len(piece.text):
        part = _CELL.match(piece.text, at)
        if part is None or (part[3] and not least <= int(part[3]) <= most):
            wanted = f"a number from {least} to {most}, or a letter for a run of open cells"
            raise piece.wrong(f"{piece.text[at : at + 4]!r} is not {wanted}", at)
        if part[3]:
            found.append(int(part[3]))
        elif part[2]:
            found += [None] * (ord(part[2]) - ord("a") + 1)
        if len(found) > count:
            raise piece.wrong(f"there are more than {counted(count, 'cell')} here", at)
        at = part.end()
    if len(found) != count:
        raise piece.wrong(f"there are {counted(len(found), 'cell')} here, expected {count}", len(piece.text))
    return found


def rows(flat: list[int | None], width: int) -> list[list[int | str]]:
    """The rows of a grid file, `.` for an open cell."""
    signs = [OPEN if value is None else value for value in flat]
    return [signs[start : start + width] for start in range(0, len(signs), width)]


def areas(piece: Piece, size: int) -> list[int]:
    """Of each cell of a square the number of its area, from 0 in order of first cells.

    The borders between neighbours, those to the right row by row, then those below column by column: a letter is a run
    without a border that a border ends (z: 25, without one), `_` a border at once; a number repeats what it follows.
    """
    total = 2 * size * (size - 1)
    joined, place = [], 0
    for part, at in _runs(piece):
        length = 0 if part == "_" else ord(part) - ord("a") + 1
        free = min(length, 25)
        joined += list(range(place, min(place + free, total)))
        place += free + (part != "z")
        if place > total + 1:
            raise piece.wrong(f"the areas have more than {total} borders between cells", at)
    if place != total + 1:
        missing = max(place - 1, 0)
        raise piece.wrong(f"the areas tell {missing} of {total} borders between cells", len(piece.text))
    return numbered(size * size, (_pair(edge, size) for edge in joined))


def _runs(piece: Piece) -> Iterator[tuple[str, int]]:
    at = 0
    while at < len(piece.text):
        part = _EDGE.match(piece.text, at)
        if part is None:
            raise piece.wrong(f"{piece.text[at : at + 3]!r} is not a code of areas: a to z, _ and numbers", at)
        yield from ((part[1], at) for _ in range(int(part[2] or 1)))
        at = part.end()


def _pair(edge: int, size: int) -> tuple[int, int]:
    """The two cells on the sides of a border."""
    half = size * (size - 1)
    if edge < half:
        row, column = divmod(edge, size - 1)
        return row * size + column, row * size + column + 1
    column, row = divmod(edge - half, size - 1)
    return row * size + column, (row + 1) * size + column


def numbered(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Of each of `count` cells the number of what it hangs together with by the pairs."""
    parent = list(range(count))

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for one, other in pairs:
        first, second = sorted((root(one), root(other)))
        parent[second] = first
    order: dict[int, int] = {}
    return [order.setdefault(root(cell), len(order)) for cell in range(count)]


def name(cell: int, width: int) -> str:
    """r1c1 for 0."""
    row, column = divmod(cell, width)
    return f"r{row + 1}c{column + 1}"


def names(listed: Iterable[int], width: int) -> str:
    """Cells as a rule of a grid file has them."""
    return " ".join(name(cell, width) for cell in listed)
