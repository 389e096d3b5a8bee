"""What kind of puzzle each format says that a grid is, whether it can be read or not."""

import json

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from dgsolve.grid_kinds import grid_kinds

CELLS = {"grid": {"rows": 1, "cols": 3, "values": [1, 2, 3]}}
RULES = [{"type": "sum", "cells": "r1", "total": 6}, {"type": "all_different", "cells": "r1"}]
SMALL = {"kind": "sudoku", "size": 4}
CAGES = [{"cells": "r1c1 r1c2", "sum": 3}]


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ('kind = "sudoku"\nsize = 4', "sudoku", True),
        (json.dumps({**SMALL, "cages": CAGES, "diagonals": True}), "sudoku + diagonals + cages", True),
        (json.dumps({**SMALL, "cages": 7}), "sudoku + cages", False),
        (json.dumps({**CELLS, "rule": RULES}), "all_different + sum", True),
        (json.dumps({**CELLS, "rule": [{"type": "odd"}]}), "odd", False),
        ('[grid]\nrows = 2\ncols = 2\nvalues = "1-2"\n[[rule]]\ntype = "odd"\nrows = true', "odd", False),
        (json.dumps({"kind": "latin", "size": 3, "rule": RULES[:1]}), "latin + sum", True),
        (json.dumps({"game": "hashi"}), "hashi", False),
        (".Shape~4x4.~R1C1_1.Thermo~R1C1~R1C2.Cage~3~R1C1~R1C2", "Cage + Thermo", True),
        (".Shape~4x4.Thermo~R1C1~R1C2.FullRank~C1~1", "FullRank + Thermo", True),
        (".Shape~4x4.~R1C1_1", "sudoku", True),
        (json.dumps({"input": ".Shape~4x4.Odd~R1C1", "name": "mine"}), "Odd", False),
        (json.dumps({"input": "Wecoc#1[modA]"}), "", False),
        (json.dumps({"input": ".Shape~4x4.Diagonal~1"}), "Diagonal", True),
        (json.dumps({"light_up": [{"name": "a", "board": {"board": [["1"]]}}]}), "light_up", False),
        ("3x3:_81", "", False),
        ("1234\n2143\n34..\n....", "sudoku", True),
    ],
)
def test_the_kind_is_what_the_file_calls_it(text: str, kind: str, read: bool) -> None:
    (entry,) = parse_grids(text)
    assert (entry.kind, not isinstance(entry.puzzle, PuzzleError)) == (kind, read), entry.puzzle


def test_a_puzzle_that_cannot_be_read_keeps_its_name() -> None:
    (entry,) = parse_grids(json.dumps([{"input": ".Shape~4x4.Odd~R1C1", "name": "mine"}]))
    assert (entry.name, isinstance(entry.puzzle, PuzzleError)) == ("mine", True)


@pytest.mark.parametrize("name", list(grid_kinds()))
def test_variants_are_options(name: str) -> None:
    made = grid_kinds()[name]
    assert set(made.variants) <= set(made.options()) - set(made.required())
