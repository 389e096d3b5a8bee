"""Unequal: Futoshiki; in its adjacent mode marks between neighbours that differ by 1."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dgsolve.grid_files.tatham.base import Game, GameId, Piece
from dgsolve.grid_files.tatham.pieces import names, rows

_CELL = re.compile(r"([0-9]{1,3})([URDL]*)")
_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


class Unequal(Game):
    """`4:0,0R,3UL,...`: a number (0: open) for each cell and the sides on which it is greater; `4a:` are neighbours."""

    names: ClassVar[tuple[str, ...]] = ("unequal", "futoshiki")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})a?(?:d[a-z])?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]+[URDL]*(?:,[0-9]+[URDL]*)+,?")

    def record(self, game_id: GameId) -> dict[str, Any]:
        (size,) = self.numbers(game_id)
        if not 3 <= size <= 32:
            raise game_id.params.wrong(f"an unequal game has 3 to 32 rows, not {size}")
        written = [piece for piece in game_id.description.split(",") if piece.text]
        if len(written) != size * size:
            raise game_id.description.wrong(f"there are {len(written)} cells, expected {size * size}")
        values: list[int | None] = []
        marks: list[tuple[int, int]] = []
        for cell, piece in enumerate(written):
            part = _CELL.fullmatch(piece.text)
            if part is None or int(part[1]) > size:
                raise piece.wrong(f"{piece.text[:9]!r} is no value from 0 to {size} and signs of U R D L")
            values.append(int(part[1]) or None)
            marks += [(cell, _beside(cell, sign, size, piece)) for sign in part[2]]
        record: dict[str, Any] = {"kind": "futoshiki", "size": size, "givens": rows(values, size)}
        if "a" in game_id.params.text:
            pairs = sorted({(min(pair), max(pair)) for pair in marks})
            return record | {"adjacent": [names(pair, size) for pair in pairs], "all_marked": True}
        return record | {"greater": [names(pair, size) for pair in sorted(marks)]}


def _beside(cell: int, sign: str, size: int, piece: Piece) -> int:
    row, column = divmod(cell, size)
    down, right = _STEPS[sign]
    if not (0 <= row + down < size and 0 <= column + right < size):
        raise piece.wrong(f"{sign} points out of the grid")
    return (row + down) * size + column + right
