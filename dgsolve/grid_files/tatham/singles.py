"""Singles: Hitori."""

from __future__ import annotations

import re
import string
from typing import Any, ClassVar

from dgsolve.grid_files.tatham.base import Game, GameId

_SIGNS = string.digits + string.ascii_letters


class Singles(Game):
    """`5x5:11353...`: a number for each cell, letters from 10 on."""

    names: ClassVar[tuple[str, ...]] = ("singles", "hitori")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:x([0-9]{1,2}))?(?:d[a-z])?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[0-9a-zA-Z]+")

    def record(self, game_id: GameId) -> dict[str, Any]:
        width, height = self.numbers(game_id)
        height = height or width
        text, most = game_id.description.text, max(width, height)
        if len(text) != width * height:
            raise game_id.description.wrong(f"there are {len(text)} cells here, expected {width * height}")
        numbers = [_SIGNS.index(sign) for sign in text]
        strange = next((at for at, number in enumerate(numbers) if not 1 <= number <= most), None)
        if strange is not None:
            raise game_id.description.wrong(f"{text[strange]!r} is no number from 1 to {most}", strange)
        board = [numbers[start : start + width] for start in range(0, len(numbers), width)]
        return {"kind": "hitori", "board": [" ".join(map(str, row)) for row in board]}
