"""Unruly: Takuzu, also called Binairo."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dgsolve.grid_files.tatham.base import Game, GameId
from dgsolve.grid_files.tatham.pieces import rows


class Unruly(Game):
    """`6x6:aCeG...`: a letter passes over some open cells to the next given, 0 where it is small, else 1."""

    names: ClassVar[tuple[str, ...]] = ("unruly", "takuzu", "binairo")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:x([0-9]{1,2}))?u?(?:d[a-z])?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[a-zA-Z]+")

    def record(self, game_id: GameId) -> dict[str, Any]:
        width, height = self.numbers(game_id)
        height = height or width
        if width % 2 or height % 2 or min(width, height) < 2:
            raise game_id.params.wrong(f"a grid of {width}x{height}: both must be even")
        values: list[int | None] = [None] * (width * height)
        place, text = -1, game_id.description.text
        for at, sign in enumerate(text):
            place += 25 if sign in "zZ" else ord(sign.lower()) - ord("a") + 1
            if place > len(values) or (place == len(values) and at + 1 < len(text)):
                raise game_id.description.wrong(f"there are more than {len(values)} cells here", at)
            if sign not in "zZ" and place < len(values):
                values[place] = int(sign.isupper())
        if place != len(values):
            message = f"there are {place + 1} cells here, expected {len(values)}"
            raise game_id.description.wrong(message, len(text), hint="The last letter passes over the last open cells.")
        record = {"kind": "takuzu", "height": height, "width": width, "givens": rows(values, width)}
        return record | ({"unique_lines": True} if "u" in game_id.params.text else {})
