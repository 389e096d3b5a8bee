"""Pattern: nonograms."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dgsolve.grid_files.tatham.base import Game, GameId, Piece
from dgsolve.grid_files.tatham.pieces import rows


class Pattern(Game):
    """`5x5:4/4/1.2/...`: runs of the columns, then of the rows, parted by dots; perhaps cells known after a comma."""

    names: ClassVar[tuple[str, ...]] = ("pattern", "nonogram")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[0-9./]*/[0-9./]*(?:,[a-zA-Z]*)?")

    def record(self, game_id: GameId) -> dict[str, Any]:
        width, height = self.numbers(game_id)
        height = height or width
        if not (width and height):
            raise game_id.params.wrong("a pattern game has rows and columns")
        runs, *known = game_id.description.split(",")
        lines = runs.split("/")
        if len(lines) != width + height:
            raise runs.wrong(f"there are clues of {len(lines)} lines, expected {width} columns and {height} rows")
        columns = [_runs(line, height) for line in lines[:width]]
        record = {"kind": "nonogram", "row_clues": [_runs(line, width) for line in lines[width:]], "col_clues": columns}
        return record | ({"givens": rows(_known(known[0], width * height), width)} if known else {})


def _runs(line: Piece, length: int) -> list[int]:
    runs = []
    for part in line.split(".") if line.text else []:
        if not 1 <= len(part.text) <= 3:
            raise part.wrong(f"{part.text[:9]!r} is no length of a run")
        runs.append(int(part.text))
    runs = [run for run in runs if run]
    if sum(runs) + len(runs) - 1 > length:
        raise line.wrong(f"runs of {' '.join(map(str, runs))} do not fit a line of {length} cells")
    return runs


def _known(piece: Piece, count: int) -> list[int | None]:
    found: list[int | None] = []
    for at, sign in enumerate(piece.text):
        run = 25 if sign in "zZ" else ord(sign.lower()) - ord("a")
        found += [None] * run
        if sign not in "zZ" and len(found) < count:
            found.append(int(sign.isupper()))
        if len(found) > count:
            raise piece.wrong(f"there are more than {count} cells here", at)
    if len(found) != count:
        raise piece.wrong(f"there are {len(found)} cells here, expected {count}", len(piece.text))
    return found
