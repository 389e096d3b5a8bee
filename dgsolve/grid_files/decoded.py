"""Decoded game ids: objects of `game`, its clues as plain lists, and the solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import Written
from dgsolve.grid_files.letters import SIGNS, letter_lines
from dgsolve.grid_files.tatham.pieces import OPEN, names
from dgsolve.shortened import shown

Object = Mapping[str, Any]


def is_decoded(record: Any) -> bool:
    """Whether a JSON value is such an object rather than the tables of a grid file."""
    return isinstance(record, Mapping) and "game" in record and "kind" not in record and "grid" not in record


def written_of_decoded(record: Object) -> Written:
    """`{"game": "kenken", "size": 4, "cages": [...], "solution": [...]}`; raises PuzzleError with the key."""
    game = record["game"]
    if not isinstance(game, str) or game not in _GAMES:
        raise PuzzleError(f"{shown(game)} is no game", key="game", hint=f"Known: {', '.join(_GAMES)}.")
    name = record.get("id")
    solution = record.get("solution")
    if solution is not None:
        solution = numbers(record, "solution")
    return Written(_GAMES[game](record), solution, name if isinstance(name, str) else None)


def whole(record: Object, key: str) -> int:
    """A size under a key."""
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100:
        raise PuzzleError(f"this must be a number from 1 to 100, not {shown(value)}", key=key)
    return value


def numbers(record: Object, key: str, count: int | None = None) -> list[int]:
    """A flat list of whole numbers under a key."""
    value = record.get(key)
    if not isinstance(value, list) or not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
        raise PuzzleError(f"this must be a list of whole numbers, not {shown(value)}", key=key)
    if count is not None and len(value) != count:
        raise PuzzleError(f"there are {len(value)} numbers here, expected {count}", key=key)
    return value


def _givens(record: Object, width: int, height: int, blank: int) -> list[list[int | str]]:
    flat = numbers(record, "clues", width * height)
    signs = [OPEN if value == blank else value for value in flat]
    return [signs[start : start + width] for start in range(0, len(signs), width)]


def _cells(record: Object, key: str, size: int, *, count: int | None = None) -> str:
    """Cells as numbers from 0, as a rule names them."""
    listed = numbers(record, key, count)
    if not all(0 <= cell < size * size for cell in listed):
        raise PuzzleError(f"cells are numbers from 0 to {size * size - 1}, not {shown(listed)}", key=key)
    return names(listed, size)


def _pairs(record: Object, key: str, size: int) -> list[str]:
    listed = record.get(key)
    if not isinstance(listed, list):
        raise PuzzleError(f"this must be a list of pairs of cells, not {shown(listed)}", key=key)
    return [_cells({key: pair}, key, size, count=2) for pair in listed]


def _order(pair: str, size: int) -> list[int]:
    """The numbers of cells that have names."""
    places = {name: place for place, name in enumerate(names(range(size * size), size).split())}
    return [places[name] for name in pair.split()]


def _cages(record: Object, size: int, each: Callable[[Object], dict[str, Any]]) -> list[dict[str, Any]]:
    listed = record.get("cages")
    if not isinstance(listed, list) or not all(isinstance(cage, Mapping) for cage in listed):
        raise PuzzleError(f"this must be a list of cages, not {shown(listed)}", key="cages")
    return [{"cells": _cells(cage, "cells", size), **each(cage)} for cage in listed]


def _sudoku(record: Object) -> dict[str, Any]:
    size = whole(record, "size")
    found: dict[str, Any] = {"kind": "sudoku", "size": size}
    if record.get("variant_jigsaw"):
        regions = numbers(record, "regions", size * size)
        if len(set(regions)) > len(SIGNS):
            raise PuzzleError(f"there are {len(set(regions))} regions, expected {size}", key="regions")
        found["regions"] = letter_lines(regions, size)
    elif "box_rows_cols" in record:
        found["box"] = list(numbers(record, "box_rows_cols", 2))
    found["givens"] = _givens(record, size, size, 0)
    if record.get("diagonal"):
        found["diagonals"] = True
    if record.get("cages"):
        found["cages"] = _cages(record, size, lambda cage: {"sum": cage.get("sum")})
    return found


def _kenken(record: Object) -> dict[str, Any]:
    size = whole(record, "size")
    cages = _cages(record, size, lambda cage: {key: cage[key] for key in ("op", "target") if key in cage})
    return {"kind": "kenken", "size": size, "cages": cages}


def _futoshiki(record: Object) -> dict[str, Any]:
    size = whole(record, "size")
    greater = sorted(_pairs(record, "greater", size), key=lambda pair: _order(pair, size))
    return {"kind": "futoshiki", "size": size, "givens": _givens(record, size, size, 0), "greater": greater}


def _adjacent(record: Object) -> dict[str, Any]:
    size = whole(record, "size")
    pairs = sorted({tuple(sorted(_order(pair, size))) for pair in _pairs(record, "adjacent_pairs", size)})
    found = {"kind": "futoshiki", "size": size, "givens": _givens(record, size, size, 0)}
    return found | {"adjacent": [names(pair, size) for pair in pairs], "all_marked": True}


def _skyscrapers(record: Object) -> dict[str, Any]:
    size = whole(record, "size")
    sides = {side: numbers(record, side, size) for side in ("top", "bottom", "left", "right")}
    givens = {"givens": _givens(record, size, size, 0)} if "clues" in record else {}
    return {"kind": "skyscrapers", "size": size, **sides, **givens}


def _nonogram(record: Object) -> dict[str, Any]:
    clues = {}
    for key, ours, side in (("rows", "row_clues", "h"), ("cols", "col_clues", "w")):
        lines, count = record.get(key), whole(record, side)
        if not isinstance(lines, list) or len(lines) != count:
            raise PuzzleError(f"this must be a list of the clues of {count} lines", key=key)
        clues[ours] = [[run for run in numbers({key: line}, key) if run] for line in lines]
    return {"kind": "nonogram", **clues}


def _takuzu(record: Object) -> dict[str, Any]:
    width, height = whole(record, "w"), whole(record, "h")
    return {"kind": "takuzu", "height": height, "width": width, "givens": _givens(record, width, height, -1)}


def _hitori(record: Object) -> dict[str, Any]:
    width, height = whole(record, "w"), whole(record, "h")
    flat: Sequence[int] = numbers(record, "clues", width * height)
    return {
        "kind": "hitori",
        "board": [" ".join(map(str, flat[start : start + width])) for start in range(0, len(flat), width)],
    }


_GAMES: dict[str, Callable[[Object], dict[str, Any]]] = {
    "sudoku": _sudoku,
    "kenken": _kenken,
    "futoshiki": _futoshiki,
    "adjacent": _adjacent,
    "skyscrapers": _skyscrapers,
    "nonogram": _nonogram,
    "takuzu": _takuzu,
    "hitori": _hitori,
}
