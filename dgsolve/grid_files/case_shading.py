"""Cases of puzzle collections that shade cells, 1 for a shaded one, and maps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.case_board import Rules, areas, around, board, cells, clues, number, plain, touching
from dgsolve.grid_files.tatham.pieces import OPEN

Case = Mapping[str, Any]
_SHADES: dict[str, int | str] = {"B": 1, "W": 0, "": OPEN}


def _shaded(rows: list[list[str]]) -> list[list[int | str]]:
    strange = next((sign for row in rows for sign in row if sign not in _SHADES), None)
    if strange is not None:
        raise PuzzleError(f"{strange!r} is none of B and W", key="board")
    return [[_SHADES[sign] for sign in row] for row in rows]


def _takuzu(case: Case, *, unique: bool) -> dict[str, Any]:
    rows = board(case)
    record: dict[str, Any] = {"kind": "takuzu", "height": len(rows), "width": len(rows[0]), "givens": _shaded(rows)}
    record |= {"unique_lines": True} if unique else {}
    for key, down, across in (("arith_rows", 0, 1), ("arith_cols", 1, 0)):
        if key in case:
            marks = board(case, key, (len(rows) - down, len(rows[0]) - across))
            for sign, option in (("=", "equal"), ("x", "unequal")):
                found = [(r, c) for r, row in enumerate(marks) for c, mark in enumerate(row) if mark == sign]
                record.setdefault(option, []).extend(cells((at, (at[0] + down, at[1] + across))) for at in found)
    return {key: value for key, value in record.items() if value != []}


def _nonograms(case: Case) -> dict[str, Any]:
    for key in ("side", "top"):
        lines = case.get(key)
        if not isinstance(lines, list) or not all(isinstance(line, list) for line in lines):
            raise PuzzleError("this must be a list of the runs of each line", key=key)
    sides = [[[number(run, key, 0, 999) for run in line] for line in case[key]] for key in ("side", "top")]
    return {"kind": "nonogram", "row_clues": sides[0], "col_clues": sides[1]}


def _stars(case: Case) -> dict[str, Any]:
    """So many stars in every row, column and region, none touch; without regions B is a cell that holds none."""
    rows = board(case)
    shape = (len(rows), len(rows[0]))
    stars = number(case.get("star_count", 1), "star_count", 1, 99)
    shapeless = {sign for row in rows for sign in row} <= {"", "B"}
    held = [[0 if sign else OPEN for sign in row] for row in rows] if shapeless else None
    every = {} if shapeless else {"regions": areas(case, "board", shape)[0]}
    rules: Rules = [
        {"type": "count", "values": [1], "times": stars, "rows": True, "cols": True, **every},
        {"type": "at_most", "value": 1, "each": touching(shape)},
    ]
    return plain(shape, (0, 1), rules, held)


def _mosaic(case: Case) -> dict[str, Any]:
    """A number counts the shaded cells around it and its own."""
    rows = board(case)
    shape = (len(rows), len(rows[0]))
    each = [
        {"cells": cells(list(around(r, c, shape))), "times": number(sign, "board", 0, 9)}
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign
    ]
    return plain(shape, (0, 1), [{"type": "count", "values": [1], "each": each}])


def _kakurasu(case: Case) -> dict[str, Any]:
    """The places, from 1, of the shaded cells of a line add up to its clue."""
    counts = [len(case[key]) if isinstance(case.get(key), list) else 0 for key in ("side", "bottom")]
    if not (0 < counts[0] <= 99 and 0 < counts[1] <= 99):
        raise PuzzleError("this must be a list of clues", key="bottom" if counts[0] else "side")
    rules: Rules = []
    for line, key, own, length in (("r", "side", counts[0], counts[1]), ("c", "bottom", counts[1], counts[0])):
        for at, clue in enumerate(clues(case, key, own), 1):
            if clue is not None:
                weights = list(range(1, length + 1))
                rules.append({"type": "sum", "cells": f"{line}{at}", "total": clue, "weights": weights})
    return plain((counts[0], counts[1]), (0, 1), rules)


def _map(case: Case) -> dict[str, Any]:
    """{region: "{2, 3}"}: its neighbours; colours are letters."""
    regions, fixed = case.get("regions"), case.get("fixed_colors", {})
    if not isinstance(regions, Mapping) or not isinstance(fixed, Mapping):
        raise PuzzleError("this must be a table of regions and their neighbours", key="regions")
    near = {str(region): re.findall(r"[0-9]+", str(told)) for region, told in regions.items()}
    names = list(dict.fromkeys([*near, *(other for told in near.values() for other in told)]))
    edges = dict.fromkeys(tuple(sorted((region, other))) for region, told in near.items() for other in told)
    grid: dict[str, Any] = {"cells": names, "values": ["R", "G", "B", "Y"]}
    grid |= {"givens": dict(fixed)} if fixed else {}
    return {"grid": grid, "rule": [{"type": "not_equal", "each": [list(edge) for edge in edges]}]}


def _singles(case: Case) -> dict[str, Any]:
    rows = board(case)
    numbers = [[number(sign, "board", 1, 99) for sign in row] for row in rows]
    return {"kind": "hitori", "board": [" ".join(map(str, row)) for row in numbers]}


SHADING: dict[str, Callable[[Case], dict[str, Any]]] = {
    "binairo": lambda case: _takuzu(case, unique=True),
    "binairo_plus": lambda case: _takuzu(case, unique=False),
    "unruly": lambda case: _takuzu(case, unique=False),
    "nonograms": _nonograms,
    "star_battle": _stars,
    "n_queens": _stars,
    "mosaic": _mosaic,
    "kakurasu": _kakurasu,
    "map": _map,
    "singles": _singles,
}
