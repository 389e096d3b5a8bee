"""Keen: KenKen."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dgsolve.grid_files.tatham.base import Game, GameId
from dgsolve.grid_files.tatham.pieces import areas, names

_CLUE = re.compile(r"([amsd])([0-9]{1,9})(?![0-9])")
_OPERATIONS = {"a": "+", "m": "*", "s": "-", "d": "/"}


class Keen(Game):
    """`4:ab__a_a__a_3a3,d2m12...`: cages, then an operation and a result for each in order of first cells."""

    names: ClassVar[tuple[str, ...]] = ("keen", "kenken")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:d[a-z])?m?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9_]*,(?:[amsd][0-9]+)*")

    def record(self, game_id: GameId) -> dict[str, Any]:
        (size,) = self.numbers(game_id)
        if not 3 <= size <= 9:
            raise game_id.params.wrong(f"a keen game has 3 to 9 rows, not {size}")
        borders, clues = game_id.description.split(",")
        area = areas(borders, size)
        cages, at = [], 0
        for number in sorted(set(area)):
            clue = _CLUE.match(clues.text, at)
            if clue is None:
                raise clues.wrong(f"the cage number {number + 1} has no clue such as a5 or m12", at)
            inside = [cell for cell, other in enumerate(area) if other == number]
            cages.append({"cells": names(inside, size), "op": _OPERATIONS[clue[1]], "target": int(clue[2])})
            at = clue.end()
        if at < len(clues.text):
            raise clues.wrong(f"there are more clues than the {len(cages)} cages", at)
        return {"kind": "kenken", "size": size, "cages": cages}
