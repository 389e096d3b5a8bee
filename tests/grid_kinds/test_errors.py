"""What is wrong with an option is told with its line, its key and what to do."""

import json
from typing import Any

import pytest

import dgsolve
from dgsolve.errors import PuzzleError
from dgsolve.grid_kinds import grid_kinds
from tests.grid_kinds.bases import BASES

OPTIONS = [(kind, option) for kind, made in grid_kinds().items() for option in made.options()]
REQUIRED = [(kind, option) for kind, made in grid_kinds().items() for option in made.required()]


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(held)}" for key, held in value.items()) + "}"
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, list) else json.dumps(value)


def wrong(kind: str, **changes: Any) -> PuzzleError:
    """The error of the base of a kind with changes; its line is the line of its key, and it has a hint."""
    record = {"kind": kind, **BASES[kind], **changes}
    lines = [f"{key} = {toml(value)}" for key, value in record.items() if value is not None]
    with pytest.raises(PuzzleError) as caught:
        dgsolve.Grid.parse("\n".join(lines))
    error = caught.value
    assert error.key and error.hint, error
    keys = [line.partition(" ")[0] for line in lines]
    assert error.line == keys.index(error.key.partition("[")[0]) + 1
    return error


@pytest.mark.parametrize("kind", grid_kinds())
def test_the_base_is_right(kind: str) -> None:
    assert not dgsolve.Grid.from_dict({"kind": kind, **BASES[kind]}).given_faults()


@pytest.mark.parametrize(("kind", "option"), OPTIONS)
@pytest.mark.parametrize("junk", [1.5, {"x": 1}, [1.5], [{"x": 1}]], ids=str)
def test_a_wrong_type(kind: str, option: str, junk: Any) -> None:
    assert wrong(kind, **{option: junk}).key.partition("[")[0] == option


@pytest.mark.parametrize(("kind", "option"), REQUIRED)
def test_a_missing_option(kind: str, option: str) -> None:
    error = wrong(kind, **{option: None})
    assert error.key == "kind" and f"needs {option}" in error.message and option in error.hint


@pytest.mark.parametrize("kind", grid_kinds())
def test_an_unknown_option(kind: str) -> None:
    first = next(iter(grid_kinds()[kind].options()))
    assert f"Did you mean {first}?" in wrong(kind, **{f"{first}x": 1}).hint
    assert "Known here: " in wrong(kind, zzz=1).hint


PAIRS = ["r1c1 r1c2 r1c3", "r1c1", "r1c1 r2c2", "r1c1 r9c9", "nowhere"]
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("coloring", {"colours": 0}, "colours", "from 1"),
    ("coloring", {"colours": 1001}, "colours", "from 1"),
    ("coloring", {"edges": ["a b c"]}, "edges[1]", "joins two nodes"),
    ("coloring", {"edges": ["a b", "a a"]}, "edges[2]", "joins two nodes"),
    ("coloring", {"edges": ["a e"]}, "edges[1]", "'e' is not one of the nodes"),
    ("coloring", {"nodes": ["a", "b", "c", "a"]}, "nodes", "two cells are called 'a'"),
    ("coloring", {"dimacs": "p edge 2 1"}, "dimacs", "or else dimacs"),
    ("coloring", {"edges": None, "nodes": None}, "kind", "give edges"),
    ("coloring", {"edges": None, "nodes": None, "givens": None, "dimacs": "p edge 2 1\ne 1 3"}, "dimacs", "line 2"),
    *(
        ("coloring", {"edges": None, "nodes": None, "givens": None, "dimacs": text}, "dimacs", said)
        for text, said in (
            ("p edge 999999999 0", "10000 at most"),
            ("p edge ² 0", "line 1"),
            ("p edge 2 1\ne 1 ²", "line 2"),
        )
    ),
    ("coloring", {"givens": {"a": 4}}, "givens", "4 is no value"),
    ("coloring", {"givens": {"z": 1}}, "givens", "'z' is not the name of a cell"),
    *(("futoshiki", {"size": size}, "size", "") for size in (0, -1, 101)),
    *(("futoshiki", {option: [pair]}, f"{option}[1]", "") for option in ("greater", "adjacent") for pair in PAIRS),
    ("futoshiki", {"greater": ["r1c1 r1c2", "r1c2 r1c1"]}, "greater[2]", "another pair"),
    ("futoshiki", {"givens": ["12", "21"]}, "givens", "4 cells, the grid has 9"),
    ("hitori", {"board": ["12", "1"]}, "board[2]", "1 cell, the first has 2"),
    ("hitori", {"board": ["1.", "12"]}, "board[1]", "every cell needs a number"),
    ("hitori", {"board": " "}, "board", "lines of text"),
    ("hitori", {"givens": {"r1c1": 2}}, "givens", "2 is no value"),
    ("kakuro", {"clues": ["# 4/", "/3 . ."]}, "clues[2]", "3 cells, the first has 2"),
    ("kakuro", {"clues": ["# 4/ 3/", "/3 . 7", "/4 . ."]}, "clues[2]", "'7' is no cell"),
    ("kakuro", {"clues": ["# 4/ 3/5", "/3 . .", "/4 . ."]}, "clues[1]", "to the right of the sum 5"),
    ("kakuro", {"clues": ["# 4/ 3/", "/3 . .", "/4 . ."], "givens": {"r1c1": 1}}, "givens", "r1c1 is a hole"),
    ("kakuro", {"clues": ["# 4/ 3/", "/2 . .", "/5 . ."]}, "clues[2]", "add up to 3 to 17, not to 2"),
    ("kakuro", {"clues": ["# 4/ 3/", "/3 . .", "/5 . ."]}, "clues", "come to 7, those to the right to 8"),
    ("kakuro", {"clues": ["/45" + " ." * 10], "givens": None}, "clues[1]", "10 cells cannot hold 9 values"),
    ("kakuro", {"clues": ["##"]}, "clues", "holes alone"),
    *(("kenken", {"size": size}, "size", "") for size in (0, 101)),
    ("kenken", {"cages": [{"cells": "r1", "op": "+", "target": 3}]}, "cages", "2 cells in no cage"),
    ("kenken", {"cages": [{"cells": "r1"}]}, "cages", "number 1 has no target"),
    ("kenken", {"cages": [{"cells": "r1", "op": "x", "target": 3}]}, "cages", "op one of + - * /"),
    ("kenken", {"cages": [{"cells": "r1", "op": "+", "target": -3}]}, "cages", "from 0"),
    ("kenken", {"cages": [{"cells": "r1", "target": 3}, BASES["kenken"]["cages"][1]]}, "cages[1]", "without an op"),
    ("kenken", {"cages": [{"cells": "r1:r2", "op": "-", "target": 3}]}, "cages[1]", "not the name of a cell"),
    ("kenken", {"cages": [{"cells": "r1 c1", "op": "+", "target": 3}]}, "cages[1]", "named twice"),
    ("kenken", {"cages": [{"cells": "r1c1:r2c2", "op": "-", "target": 3}]}, "cages[1]", "of 2 cells, not of 4"),
    ("kenken", {"cages": [{"cells": "r1c1 r2c2", "op": "+", "target": 3}]}, "cages[1]", "apart from the rest"),
    *(("latin", {"size": size}, "size", "") for size in (0, 101)),
    ("latin", {"values": "AB"}, "values", "2 values, the grid needs 3"),
    ("latin", {"values": "AAB"}, "values", "stands twice"),
    ("latin", {"givens": ["A"]}, "givens", "1 cells, the grid has 9"),
    *(("magic_square", {"size": size}, "size", "") for size in (0, 21)),
    ("magic_square", {"givens": {"r1c1": 10}}, "givens", "10 is no value"),
    ("map", {"regions": ["AAB", "CC"]}, "regions[2]", "2 letters, the first has 3"),
    ("map", {"regions": ["..", "##"], "givens": None}, "regions", "no land"),
    ("map", {"colours": []}, "colours", "from 1"),
    ("map", {"colours": ["red", "red"]}, "regions", "stands twice"),
    ("map", {"givens": {"A": "pink"}}, "givens", "'pink' is no value"),
    *(("n_queens", {"size": size}, "size", "") for size in (0, 101)),
    ("n_queens", {"givens": {"row1": 5}}, "givens", "5 is no value"),
    ("n_queens", {"givens": {"row5": 1}}, "givens", "'row5' is not the name"),
    ("nonogram", {"row_clues": [[2, 1], [3], []]}, "row_clues[1]", "take 4 cells, the line has 3"),
    ("nonogram", {"row_clues": [[0, 1], [3], []]}, "row_clues[1]", "not 0 long"),
    ("nonogram", {"row_clues": [[-1], [3], []]}, "row_clues", "from 0"),
    ("nonogram", {"row_clues": []}, "row_clues", "at least 1"),
    ("nonogram", {"col_clues": [[2], [1], [1]]}, "col_clues", "columns fill 4 cells, rows fill 5"),
    *(("skyscrapers", {side: [1, 2]}, side, "2 clues for 3 lines") for side in ("top", "bottom", "left", "right")),
    *(("skyscrapers", {side: [1, 4, 2]}, f"{side}[2]", "1 to 3") for side in ("top", "bottom", "left", "right")),
    ("skyscrapers", {"top": [-1, 0, 0]}, "top", "from 0"),
    ("sudoku", {"size": 0}, "size", "from 1"),
    ("sudoku", {"size": 5, "box": None}, "size", "has no boxes"),
    ("sudoku", {"box": [2, 3]}, "box", "do not hold 4 values"),
    ("sudoku", {"box": [2]}, "box", "a list of 2"),
    ("sudoku", {"regions": ["AABB", "AABB", "CCDD", "CCDD"]}, "box", "take the place of boxes"),
    ("sudoku", {"regions": ["AABB", "AABB"], "box": None}, "regions", "8 letters, the grid has 16"),
    ("sudoku", {"regions": ["AABB", "AABB", "CCCD", "CCDD"], "box": None}, "regions", "has 5 cells, not 4"),
    ("sudoku", {"regions": ["AABB", "AABB", "AABB", "AABB"], "box": None}, "regions", "2 regions, the grid needs 4"),
    ("sudoku", {"windoku": True, "box": [1, 4]}, "windoku", "square boxes"),
    ("sudoku", {"nonconsecutive": True}, "nonconsecutive", "bars say that some do"),
    ("sudoku", {"all_marked": True, "bars": None}, "all_marked", "no bars"),
    ("sudoku", {"values": [1, 2]}, "values", "2 values, the grid needs 4"),
    *(("sudoku", {"bars": [pair]}, "bars[1]", "") for pair in PAIRS),
    ("sudoku", {"cages": [{"cells": "r1", "sum": 11}]}, "cages[1]", "add up to 10 to 10, not to 11"),
    ("sudoku", {"cages": [{"cells": "r1:r2", "sum": 11}]}, "cages[1]", "not the name of a cell"),
    ("sudoku", {"cages": [{"cells": "r1c1:r2c3"}]}, "cages[1]", "6 cells cannot hold 4 values"),
    ("sudoku", {"cages": [{"cells": "r1c1"}, {"cells": "r1c1"}]}, "cages[2]", "is in cage 1 too"),
    ("sudoku", {"cages": [{"cells": "r1c1", "target": 1}]}, "cages", "{cells, sum}"),
    ("sudoku", {"thermos": ["r1c1"]}, "thermos[1]", "2 to 4 cells, not 1"),
    ("sudoku", {"thermos": ["r1c1 r1c3"]}, "thermos[1]", "do not touch"),
    *(("sudoku", {f"sandwich_{way}": [1]}, f"sandwich_{way}", "1 clue for 4 lines") for way in ("rows", "cols")),
    *(("sudoku", {f"sandwich_{way}": [9, 0, 0, 0]}, f"sandwich_{way}[1]", "0 to 5") for way in ("rows", "cols")),
    *(("takuzu", {side: 3}, side, "half 0 and half 1") for side in ("height", "width")),
    *(("takuzu", {side: 1}, side, "from 2") for side in ("height", "width")),
    *(("takuzu", {option: [pair]}, f"{option}[1]", "") for option in ("equal", "unequal") for pair in PAIRS),
    ("takuzu", {"givens": {"r1c1": 2}}, "givens", "2 is no value"),
]


@pytest.mark.parametrize(("kind", "changes", "key", "said"), CASES)
def test_a_wrong_value(kind: str, changes: dict[str, Any], key: str, said: str) -> None:
    error = wrong(kind, **changes)
    assert error.key == key and said in error.message
