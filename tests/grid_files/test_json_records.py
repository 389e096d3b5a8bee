"""Objects of JSON files: decoded games, lines inside of objects, cases of collections."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from dgsolve.grid_files.cases_file import cases_of, is_cases
from dgsolve.grid_files.decoded import written_of_decoded
from dgsolve.problems.grid import Grid

CASES: dict[str, Any] = {
    "towers": [
        {"board": {"board": [["", ""], ["", "1"]], "top": [1, -1], "bottom": [" ", 2], "left": [1, 2], "right": [2, 1]}}
    ],
    "star_battle": [{"board": {"board": [["1", "1"], ["2", "2"]], "star_count": 1}}],
    "kakurasu": [{"name": "two", "board": {"side": [1, 2], "bottom": [1, 2]}, "ground": [[1, 0], [0, 1]]}],
    "tenner_grid": [{"board": {"board": [["0", "1"], ["", ""]], "goal": ["3", "5"]}, "ground": [[0, 1], [3, 4]]}],
    "kakuro": [{"board": {"board": [["#", ""], ["", ""]], "row_sums": [[4], [3]], "col_sums": [[1], [6]]}}],
    "unequal": [{"board": {"board": [[" ", "<", " "], ["V", "X", " "], ["", "", ""]]}, "ground": [[1, 2], [2, 1]]}],
    "suguru": [{"board": {"id_board": [["a", "a", "b"]], "num_board": [["", "", ""]]}, "ground": [[1, 2, 1]]}],
    "mosaic": [{"board": {"board": [["1", ""], ["", ""]]}, "ground": [["B", ""], ["", ""]]}],
    "sudoku": [{"board": {"board": [[""] * 4] * 4, "sandwich": {"side": [-1, 5, -1, -1], "bottom": [0, -1, -1, -1]}}}],
    "map": [{"board": {"regions": {"0": "{1}", "1": {}}, "fixed_colors": {"0": "R"}}, "ground": {"0": "R", "1": "G"}}],
}


def test_cases_say_their_rules() -> None:
    entries = {entry.name: entry for entry in parse_grids(json.dumps(CASES, indent=1))}
    assert len(entries) == len(CASES)
    for name, entry in entries.items():
        assert isinstance(entry.puzzle, Grid), (name, entry.puzzle)
    assert entries["kakurasu two"].puzzle.check([[1, 0], [0, 1]]).valid
    assert not entries["kakurasu two"].puzzle.check([[0, 1], [1, 0]]).valid
    assert entries["tenner_grid"].puzzle.check([[0, 1], [3, 4]]).valid
    assert not entries["tenner_grid"].puzzle.check([[0, 1], [1, 6]]).valid
    assert entries["suguru"].puzzle.check([[1, 2, 1]]).valid and not entries["suguru"].puzzle.check([[2, 1, 1]]).valid
    assert entries["mosaic"].puzzle.check([[0, 0], [0, 1]]).valid
    assert entries["map"].puzzle.check({"0": "R", "1": "G"}).valid and entries["map"].solution == ("R", "G")
    assert not entries["star_battle"].puzzle.check([[1, 0], [0, 1]]).valid  # the two touch
    assert entries["kakuro"].puzzle.describe().count("4 rules")
    assert not entries["unequal"].puzzle.check([[1, 2], [2, 1]]).valid  # V: the upper one is greater


def test_a_case_that_cannot_be_read_leaves_the_others() -> None:
    cases = {**CASES, "tents": [{"board": {"board": [["T"]]}}], "towers": [{"board": {"board": [["", "9"], ["", ""]]}}]}
    entries = list(parse_grids(json.dumps(cases, indent=1)))
    errors = [entry.puzzle for entry in entries if isinstance(entry.puzzle, PuzzleError)]
    assert [error.key for error in errors] == ["towers[1].board.top", "tents[1]"] and all(e.line for e in errors)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"game": "chess"}, "'chess' is no game"),
        ({"game": "kenken", "size": 3}, "a list of cages"),
        ({"game": "kenken", "size": 3, "cages": [{"cells": [0, 9], "op": "+", "target": 3}]}, "from 0 to 8"),
        ({"game": "takuzu", "w": 2, "h": 2, "clues": [0]}, "1 numbers here, expected 4"),
        ({"game": "takuzu", "w": 2, "h": "2", "clues": [0]}, "a number from 1 to 100"),
        ({"game": "nonogram", "w": 2, "h": 2, "rows": [[1]], "cols": [[1], [1]]}, "clues of 2 lines"),
        ({"game": "futoshiki", "size": 2, "clues": [0] * 4, "greater": [[0, 1, 2]]}, "3 numbers here, expected 2"),
    ],
)
def test_what_is_wrong_with_a_decoded_game(record: dict[str, Any], said: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        written_of_decoded(record)
    assert said in str(caught.value)
    (entry,) = parse_grids(json.dumps(record))
    assert isinstance(entry.puzzle, PuzzleError) and entry.line == 1


def test_a_line_inside_of_an_object() -> None:
    text = json.dumps({"name": "t", "input": ".Shape~2x2.NoBoxes", "solution": "1221"})
    (entry,) = parse_grids(text)
    assert isinstance(entry.puzzle, Grid) and entry.solution == (1, 2, 2, 1) and entry.name == "t"
    (bad,) = parse_grids('{"input": ".Nothing~1"}')
    assert isinstance(bad.puzzle, PuzzleError) and bad.puzzle.key == "input"


JUNK = st.recursive(
    st.sampled_from([None, True, -1, 0, 3, 10**9, "", "x", "9", [], {}]), lambda inner: st.lists(inner, max_size=3)
)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(CASES)),
    st.sampled_from(["board", "side", "top", "goal", "id_board", "sandwich", "regions"]),
    JUNK,
)
def test_odd_boards_raise_nothing_but_puzzle_errors(game: str, key: str, junk: Any) -> None:
    cases = {game: copy.deepcopy(CASES[game])}
    cases[game][0]["board"][key] = junk
    for entry in parse_grids(json.dumps(cases)):
        assert isinstance(entry.puzzle, Grid | PuzzleError)
    assert not is_cases(cases) or list(cases_of(cases))


@pytest.mark.parametrize("solution", ["\u00b2" * 16, "\u00e9" * 16, "\u0663" * 16, "1" * 15 + " "])
def test_a_solution_of_signs_that_are_no_digits(solution: str) -> None:
    with pytest.raises(PuzzleError, match="a digit or letter for each cell"):
        Grid.parse(json.dumps({"input": "4:/1/////1////3//3///,m1b", "solution": solution}))
