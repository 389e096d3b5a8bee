"""A small right puzzle of every kind, with every option that can stand beside the others."""

from typing import Any

BASES: dict[str, dict[str, Any]] = {
    "coloring": {"colours": 3, "edges": ["a b", "b c"], "nodes": ["a", "b", "c", "d"], "givens": {"a": 1}},
    "futoshiki": {"size": 3, "givens": {"r1c1": 1}, "greater": ["r1c2 r1c1"], "adjacent": ["r2c1 r2c2"]},
    "hitori": {"board": ["1 1 2", "2 3 1", "3 2 2"], "givens": {"r1c1": 0}},
    "kakuro": {"clues": ["#  4/  3/", "/3  .  .", "/4  .  ."], "givens": {"r2c2": 1}},
    "kenken": {
        "size": 2,
        "cages": [{"cells": "r1c1 r1c2", "op": "+", "target": 3}, {"cells": "r2", "op": "/", "target": 2}],
        "givens": {"r1c1": 1},
    },
    "latin": {"size": 3, "givens": {"r1c1": "A"}, "values": "ABC", "diagonals": False},
    "magic_square": {"size": 3, "givens": {"r1c1": 2}},
    "map": {"regions": ["AAB", "CCB", "CDD"], "colours": ["red", "green", "blue"], "givens": {"A": "red"}},
    "n_queens": {"size": 4, "givens": {"row1": 2}},
    "nonogram": {"row_clues": [[1, 1], [3], []], "col_clues": [[2], [1], [2]], "givens": {"r1c1": 1}},
    "skyscrapers": {
        "size": 3,
        "top": [1, 2, 0],
        "bottom": [0, 0, 0],
        "left": [0, 3, 0],
        "right": ["", 0, 0],
        "givens": {"r1c1": 3},
    },
    "sudoku": {
        "size": 4,
        "box": [2, 2],
        "givens": {"r1c1": 1},
        "cages": [{"cells": "r1c1 r1c2", "sum": 3}, {"cells": "r4c1 r4c2"}],
        "thermos": ["r1c1 r1c2"],
        "bars": ["r1c1 r1c2"],
        "sandwich_rows": [0, -1, -1, -1],
        "sandwich_cols": [-1, -1, 2, -1],
    },
    "takuzu": {
        "height": 2,
        "width": 4,
        "givens": {"r1c1": 0},
        "unique_lines": True,
        "equal": ["r1c1 r1c2"],
        "unequal": ["r1c1 r2c1"],
    },
}
