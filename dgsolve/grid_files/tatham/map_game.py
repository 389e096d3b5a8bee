"""Map: four colours for the regions of a map."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from dgsolve.grid_files.letters import SIGNS, letter_lines
from dgsolve.grid_files.tatham.base import Game, GameId, Piece
from dgsolve.grid_files.tatham.pieces import numbered

_COLOURS = 4


class MapGame(Game):
    """`10x10n15:fabaa...,0a1c1...`: the borders of 15 regions, then the colours of some, 0 to 3."""

    names: ClassVar[tuple[str, ...]] = ("map",)
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:x([0-9]{1,2}))?n([0-9]{1,4})(?:d[a-z])?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[a-z]*,[a-z0-9]*")

    def record(self, game_id: GameId) -> dict[str, Any]:
        width, height, count = self.numbers(game_id)
        height = height or width
        borders, colours = game_id.description.split(",")
        if count > len(SIGNS):
            raise game_id.params.wrong(f"{count} regions are too many, {len(SIGNS)} at most")
        region = numbered(width * height, _joined(borders, width, height))
        if len(set(region)) != count:
            raise borders.wrong(f"the borders part {len(set(region))} regions, the size says {count}")
        givens = {SIGNS[place]: value + 1 for place, value in enumerate(_colours(colours, count)) if value is not None}
        record = {"kind": "map", "regions": letter_lines(region, width), "colours": _COLOURS}
        return record | ({"givens": givens} if givens else {})


def _joined(piece: Piece, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Neighbours without a border: runs without and with one in turn, below row by row, then right column by column.

    The first run begins one place before the first neighbours.
    """
    across, total = width * (height - 1), 2 * width * height - width - height
    place, border = -1, False
    for at, sign in enumerate(piece.text):
        for _ in range(25 if sign == "z" else ord(sign) - ord("a") + 1):
            if place == total:
                raise piece.wrong(f"there are more than {total} borders here", at)
            if place < across:
                cell, step = place, width
            else:
                column, row = divmod(place - across, height)
                cell, step = row * width + column, 1
            if not border and place >= 0:
                yield cell, cell + step
            place += 1
        border ^= sign != "z"
    if place != total:
        raise piece.wrong(f"there are {place} borders here, expected {total}", len(piece.text))


def _colours(piece: Piece, count: int) -> list[int | None]:
    found: list[int | None] = []
    for at, sign in enumerate(piece.text):
        if sign.isdigit() and int(sign) >= _COLOURS:
            raise piece.wrong(f"{sign} is no colour from 0 to {_COLOURS - 1}", at)
        found += [int(sign)] if sign.isdigit() else [None] * (ord(sign) - ord("a") + 1)
    if len(found) != count:
        raise piece.wrong(f"there are colours of {len(found)} regions, expected {count}", len(piece.text))
    return found
