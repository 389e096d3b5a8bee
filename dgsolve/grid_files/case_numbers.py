"""Cases of puzzle collections that put numbers into cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.case_board import Rules, areas, board, cells, clues, givens, number, plain, touching
from dgsolve.grid_files.machines import machine
from dgsolve.grid_files.tatham.pieces import OPEN
from dgsolve.problems.sudoku_symbols import usual_box

Case = Mapping[str, Any]
_LATIN = {"type": "all_different", "rows": True, "cols": True}


def _square(case: Case) -> tuple[list[list[str]], int]:
    rows = board(case)
    if len(rows) != len(rows[0]):
        raise PuzzleError(f"the board has {len(rows)} rows of {len(rows[0])}, it must be a square", key="board")
    return rows, len(rows)


def _line(size: int, side: str, at: int) -> str:
    """The cells of a line as a clue at a side sees them."""
    first, last = {
        "top": (f"r1c{at}", f"r{size}c{at}"),
        "bottom": (f"r{size}c{at}", f"r1c{at}"),
        "left": (f"r{at}c1", f"r{at}c{size}"),
        "right": (f"r{at}c{size}", f"r{at}c1"),
    }[side]
    return f"{first}:{last}"


def sudoku(case: Case) -> dict[str, Any]:
    rows, size = _square(case)
    rules: Rules = [dict(_LATIN)]
    if case.get("constrain_blocks", True):
        box = case.get("block_size")
        high, wide = box if isinstance(box, list) and len(box) == 2 else usual_box(size)
        rules.append({"type": "all_different", "boxes": f"{high}x{wide}"})
    if "jigsaw" in case:
        rules.append({"type": "all_different", "regions": areas(case, "jigsaw", (size, size))[0]})
    if case.get("unique_diagonal"):
        rules.append({"type": "all_different", "diagonals": True})
    if "sandwich" in case:
        rules += _sandwiches(case["sandwich"], size)
    if "killer" in case:
        rules.append(_cages(case["killer"], size))
    return plain((size, size), range(1, size + 1), rules, givens(rows, 1, size))


def _sandwiches(told: Any, size: int) -> Rules:
    if not isinstance(told, Mapping):
        raise PuzzleError("this must be a table of side and bottom", key="sandwich")
    lines = (("r", "side"), ("c", "bottom"))
    each = [
        {"cells": f"{line}{at}", "total": total}
        for line, key in lines
        for at, total in enumerate(clues(told, key, size), 1)
        if total is not None
    ]
    return [{"type": "sandwich", "between": [1, size], "each": each}]


def _cages(told: Any, size: int) -> dict[str, Any]:
    if not isinstance(told, list) or len(told) != 2 or not isinstance(told[1], Mapping):
        raise PuzzleError("this must be a map of cages and a table of their sums", key="killer")
    _, inside = areas({"killer": told[0]}, "killer", (size, size))
    sums = told[1]
    missing = next((cage for cage in inside if cage not in sums), None)
    if missing is not None:
        raise PuzzleError(f"the cage {missing} has no sum", key="killer")
    totals = {cage: number(sums[cage], "killer", 0, 9999) for cage in inside}
    each = [{"cells": cells(places), "total": totals[cage]} for cage, places in inside.items()]
    return {"type": "sum", "distinct": True, "each": each}


def kakuro(case: Case) -> dict[str, Any]:
    if "characters" in case:
        raise PuzzleError("sums of letters that stand for digits cannot be read", key="characters")
    rows = board(case)
    right = _sums(rows, case, "row_sums")
    below = _sums([list(column) for column in zip(*rows, strict=True)], case, "col_sums")
    framed = [["#"] * (len(rows[0]) + 1), *(["#", *row] for row in rows)]
    clues = [
        [f"{below.get((c, r), '')}\\{right.get((r, c), '')}" if sign == "#" else OPEN for c, sign in enumerate(line)]
        for r, line in enumerate(framed)
    ]
    return {"kind": "kakuro", "clues": clues}


def _sums(lines: list[list[str]], case: Case, key: str) -> dict[tuple[int, int], int]:
    """The sum of every run of open cells, by its line, from 1, and the place in it of the cell before the run."""
    found: dict[tuple[int, int], int] = {}
    told = case.get(key)
    if not isinstance(told, list) or len(told) != len(lines):
        raise PuzzleError(f"this must be the sums of {len(lines)} lines", key=key)
    for at, (line, sums) in enumerate(zip(lines, told, strict=True), 1):
        starts = [start for start, pair in enumerate(pairwise(["#", *line])) if pair[0] == "#" != pair[1]]
        if not isinstance(sums, list) or len(sums) != len(starts):
            raise PuzzleError(f"line {at} has {len(starts)} runs of open cells, but other sums", key=key)
        found |= {(at, start): number(total, key, 1, 45) for start, total in zip(starts, sums, strict=True)}
    return found


def unequal(case: Case) -> dict[str, Any]:
    rows, width = _square(case)
    if width % 2 == 0:
        raise PuzzleError("cells and the signs between them make an odd number of rows", key="board")
    size = (width + 1) // 2
    held = [row[::2] for row in rows[::2]]
    zero = size == 10 or any(sign == "0" for row in held for sign in row)  # values 0 to size - 1: ten digits for ten
    values = range(size) if zero else range(1, size + 1)
    marks: dict[str, list[str]] = {"less_than": [], "adjacent": [], "apart": []}
    for one, other, sign in _signs(rows, size):
        marks["apart" if not sign else "adjacent"].append(cells((one, other)))
        if sign in ("<", ">", "V", "v", "^", "\u2227"):
            marks["less_than"].append(cells((other, one) if sign in (">", "V", "v") else (one, other)))
    rules: Rules = [dict(_LATIN)]
    if case.get("adjacent_mode"):
        rules += [{"type": "adjacent", "each": marks["adjacent"]}]
        rules += [{"type": "adjacent", "never": True, "each": marks["apart"]}]
    else:
        rules.append({"type": "less_than", "each": marks["less_than"]})
    kept = [rule for rule in rules if rule.get("each", True)]
    return plain((size, size), values, kept, givens(held, values[0], values[-1]))


def _signs(rows: list[list[str]], size: int) -> list[tuple[tuple[int, int], tuple[int, int], str]]:
    """Every two neighbours, and what stands between them."""
    cells_of = [(row, column) for row in range(size) for column in range(size)]
    right = [((r, c), (r, c + 1), rows[2 * r][2 * c + 1]) for r, c in cells_of if c + 1 < size]
    return right + [((r, c), (r + 1, c), rows[2 * r + 1][2 * c]) for r, c in cells_of if r + 1 < size]


def towers(case: Case) -> dict[str, Any]:
    rows, size = _square(case)
    each = [
        {"cells": _line(size, side, at), "visible": clue}
        for side in ("top", "bottom", "left", "right")
        for at, clue in enumerate(clues(case, side, size), 1)
        if clue is not None
    ]
    return plain((size, size), range(1, size + 1), [_LATIN, {"type": "visible", "each": each}], givens(rows, 1, size))


def sumscrapers(case: Case) -> dict[str, Any]:
    """The numbers that are seen from a side add up to its clue."""
    rows, size = _square(case)
    rules: Rules = [dict(_LATIN)]
    for side in ("top", "bottom", "left", "right"):
        for at, clue in enumerate(clues(case, side, size), 1):
            if clue is not None:
                rules.append({"type": "regular", "cells": _line(size, side, at), **_seen_sum(size, clue)})
    return plain((size, size), range(1, size + 1), rules, givens(rows, 1, size))


def _seen_sum(size: int, total: int) -> dict[str, Any]:
    def step(state: tuple[int, int], place: int, value: int) -> tuple[int, int] | None:
        high, added = state
        if value > high:
            high, added = value, added + value
        return (high, added) if added <= total else None

    return machine(range(1, size + 1), size, (0, 0), step, lambda state: state[1] == total)


def kropki(case: Case) -> dict[str, Any]:
    rows, size = _square(case)
    right, below = board(case, "horiz_board", (size, size - 1)), board(case, "vert_board", (size - 1, size))
    dots: dict[str, list[str]] = {"W": [], "B": [], "": []}
    for table, (down, across) in ((right, (0, 1)), (below, (1, 0))):
        for r, signs in enumerate(table):
            for c, sign in enumerate(signs):
                if sign not in dots:
                    raise PuzzleError(f"{sign!r} is no dot W or B", key="horiz_board" if across else "vert_board")
                dots[sign].append(cells(((r, c), (r + down, c + across))))
    rules: Rules = [dict(_LATIN), {"type": "adjacent", "each": dots["W"]}, {"type": "ratio", "each": dots["B"]}]
    rules += [{"type": kind, "never": True, "each": dots[""]} for kind in ("adjacent", "ratio")]
    return plain((size, size), range(1, size + 1), [r for r in rules if r.get("each", True)], givens(rows, 1, size))


def suguru(case: Case) -> dict[str, Any]:
    """Regions of n cells hold 1 to n; equal numbers do not touch."""
    rows = board(case, "num_board")
    shape = (len(rows), len(rows[0]))
    lines, inside = areas(case, "id_board", shape)
    record = _regions(shape, lines, inside, givens(rows, 1, max(map(len, inside.values())), "num_board"))
    record["rule"].append({"type": "not_equal", "each": touching(shape)})
    return record


def ripple_effect(case: Case) -> dict[str, Any]:
    """Regions of n cells hold 1 to n; two n in a line have n cells or more between them."""
    rows = board(case)
    shape = (len(rows), len(rows[0]))
    lines, inside = areas(case, "id_board", shape)
    most = max(map(len, inside.values()))
    record = _regions(shape, lines, inside, givens(rows, 1, most))
    for apart in range(1, most + 1):
        pairs = [((r, c), (r, c + apart)) for r in range(shape[0]) for c in range(shape[1] - apart)]
        pairs += [((r, c), (r + apart, c)) for r in range(shape[0] - apart) for c in range(shape[1])]
        if pairs:
            tuples = [[value, value] for value in range(apart, most + 1)]
            record["rule"].append(
                {"type": "table", "forbidden": True, "tuples": tuples, "each": [cells(p) for p in pairs]}
            )
    return record


def _regions(shape: tuple[int, int], lines: list[str], inside: dict[str, Any], held: Any) -> dict[str, Any]:
    most = max(map(len, inside.values()))
    record = plain(shape, range(1, most + 1), [{"type": "all_different", "regions": lines}], held)
    short = {cells(places): list(range(1, len(places) + 1)) for places in inside.values() if len(places) < most}
    if short:
        record["grid"]["domains"] = short
    return record


def tenner_grid(case: Case) -> dict[str, Any]:
    """Rows hold 0 to 9, columns add up, equal numbers do not touch."""
    rows = board(case)
    shape = (len(rows), len(rows[0]))
    totals = clues(case, "goal", shape[1])
    each = [{"cells": f"c{at}", "total": total} for at, total in enumerate(totals, 1) if total is not None]
    rules: Rules = [
        {"type": "all_different", "rows": True},
        {"type": "not_equal", "each": touching(shape)},
        {"type": "sum", "each": each},
    ]
    return plain(shape, range(10), rules, givens(rows, 0, 9))


NUMBERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    made.__name__: made
    for made in (sudoku, kakuro, unequal, towers, sumscrapers, kropki, suguru, ripple_effect, tenner_grid)
}
