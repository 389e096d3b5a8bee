"""Towers: skyscrapers."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dgsolve.grid_files.tatham.base import Game, GameId
from dgsolve.grid_files.tatham.pieces import cells, rows

_SIDES = ("top", "bottom", "left", "right")


class Towers(Game):
    """`4:/1/////1////3//3///,m1b`: what is seen from above, below, left and right, then the cells."""

    names: ClassVar[tuple[str, ...]] = ("towers", "skyscrapers")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:d[a-z])?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[0-9/]*/[0-9/]*(?:,[a-z0-9_]*)?")

    def record(self, game_id: GameId) -> dict[str, Any]:
        (size,) = self.numbers(game_id)
        if not 3 <= size <= 9:
            raise game_id.params.wrong(f"a towers game has 3 to 9 rows, not {size}")
        edge, *grid = game_id.description.split(",")
        clues = edge.split("/")
        if len(clues) != 4 * size:
            raise edge.wrong(f"there are {len(clues)} clues around the grid, expected {4 * size}")
        seen = []
        for clue in clues:
            if len(clue.text) > 2 or int(clue.text or 0) > size:
                raise clue.wrong(f"{clue.text[:9]} towers cannot be seen in a grid of {size}")
            seen.append(int(clue.text or 0))
        record: dict[str, Any] = {"kind": "skyscrapers", "size": size}
        for number, side in enumerate(_SIDES):
            record[side] = seen[number * size : (number + 1) * size]
        if grid:
            record["givens"] = rows(cells(grid[0], size * size, size), size)
        return record
