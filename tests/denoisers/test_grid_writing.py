"""Grids as a language model writes them: row by row, without their holes."""

from __future__ import annotations

from types import SimpleNamespace

import dgsolve
from dgsolve.denoisers.grid_writing import written

BREAK, SYMBOLS, PAD = 9, [5, 6], 0
TEXT = SimpleNamespace(turn_end=7, pad_id=PAD)


def test_rows_end_with_a_break_and_holes_take_no_slot() -> None:
    whole = written(dgsolve.Grid(2, 2, values="12").grid(), SYMBOLS, TEXT, 8, BREAK)  # type: ignore[arg-type]
    assert (whole.places.tolist(), whole.tokens.tolist()) == ([0, 1, 3, 4], [0, 0, BREAK, 0, 0, 7, PAD, PAD])
    grid = dgsolve.Grid(3, 2, values="12", givens=".# ## ..")
    holey = written(grid.grid(), SYMBOLS, TEXT, 8, BREAK)  # type: ignore[arg-type]
    assert (holey.places.tolist(), holey.tokens.tolist()) == ([0, 3, 4], [0, BREAK, BREAK, 0, 0, 7, PAD, PAD])
    assert written(grid.grid(), SYMBOLS, TEXT, 8).places.tolist() == [0, 1, 2]  # type: ignore[arg-type]
