"""Solo: Sudoku, with diagonals (x), regions (j) or cages (k)."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from dgsolve.grid_files.letters import letter_lines
from dgsolve.grid_files.tatham.base import Game, GameId, Piece
from dgsolve.grid_files.tatham.pieces import areas, cells, names, rows


class Solo(Game):
    """`3x3:a4b...`, `2x3x:...`, `9j:...,regions`, `3x3k:...,cages,sums`; boxes are 3 high and 4 wide in 3x4."""

    names: ClassVar[tuple[str, ...]] = ("solo", "sudoku")
    params: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:x([0-9]{1,2}))?((?:d[a-z]|[rm][0-9]+|[ajkx])*)")
    description: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9_,]*")

    def record(self, game_id: GameId) -> dict[str, Any]:
        found = self.params.fullmatch(game_id.params.text)
        assert found is not None  # shaped() asked
        flags = re.sub(r"d[a-z]|[rm][0-9]+", "", found[3])
        box = (int(found[1]), int(found[2] or 1))
        size = box[0] * box[1]
        if not 2 <= size <= 25 or ("j" not in flags and min(box) < 2):
            hint = "Grids are 4x4 to 25x25; a jigsaw has a j after its size, such as 9j."
            raise game_id.params.wrong(f"boxes of {box[0]}x{box[1]} make no Sudoku", hint=hint)
        givens, *rest = game_id.description.split(",")
        wanted = [*(["regions"] if "j" in flags else []), *(["cages", "sums"] if "k" in flags else [])]
        if len(rest) != len(wanted):
            told = f"then {', '.join(wanted)}" if wanted else "and nothing after them"
            raise game_id.description.wrong(f"this id needs the cells, {told}; it has {1 + len(rest)} parts")
        record: dict[str, Any] = {"kind": "sudoku", "size": size}
        if "j" in flags:
            record["regions"] = letter_lines(_regions(rest.pop(0), size), size)
        else:
            record["box"] = list(box)
        record["givens"] = rows(cells(givens, size * size, size), size)
        if "x" in flags:
            record["diagonals"] = True
        if "k" in flags:
            record["cages"] = _cages(rest[0], rest[1], size)
        return record


def _regions(piece: Piece, size: int) -> list[int]:
    found = areas(piece, size)
    for region in sorted(set(found)):
        if (count := found.count(region)) != size:
            where = names([found.index(region)], size)
            raise piece.wrong(f"the region of {where} has {count} cells, expected {size}")
    return found


def _cages(borders: Piece, totals: Piece, size: int) -> list[dict[str, Any]]:
    area = areas(borders, size)
    sums = cells(totals, size * size, size * (size + 1) // 2)
    cages: list[dict[str, Any]] = []
    for number in sorted(set(area)):
        inside = [cell for cell, other in enumerate(area) if other == number]
        told = [sums[cell] for cell in inside if sums[cell] is not None]
        if len(told) != 1:
            raise totals.wrong(f"the cage of {names(inside[:1], size)} has {len(told)} sums, expected 1")
        cages.append({"cells": names(inside, size), "sum": told[0]})
    return cages
