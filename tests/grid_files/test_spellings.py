"""Two names that are read as one are refused, in every format that has names; one name in one spelling is read."""

import json

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from dgsolve.problems.grid import Grid

TWO_EDGES = {"kind": "coloring", "colours": 2}


@pytest.mark.parametrize(
    "text",
    [
        'kind = "coloring"\ncolours = 2\nedges = ["a-b c", "a–b d"]',
        'kind = "coloring"\ncolours = 2\nedges = ["a–b c", "a—b d"]',
        'kind = "coloring"\ncolours = 2\nedges = [["New York", "c"], ["New\u00a0York", "d"]]',
        json.dumps({**TWO_EDGES, "edges": [["１", "c"], ["1", "d"]]}, ensure_ascii=False),
        json.dumps({**TWO_EDGES, "edges": [["a-b", "c"], ["a–b", "d"]]}, ensure_ascii=False, indent=1),
        '{"grid": {"cells": ["a-b", "c"], "values": "1-2", "givens": {"a-b": 1, "a–b": 2}}}',
        '{"grid": {"cells": ["a–b", "a-b"], "values": "1-2"}}',
        'kind = "coloring"\ncolours = 2\nedges = ["a–b d"]  # a—b',  # a comment counts too
    ],
)
def test_two_spellings_of_a_name_are_refused(text: str) -> None:
    (entry,) = parse_grids(text)
    assert isinstance(entry.puzzle, PuzzleError) and entry.puzzle.line
    said = ("are read as one name", "two cells are called", "this key stands here again")
    assert any(words in entry.puzzle.message for words in said)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('kind = "coloring"\ncolours = 2\nedges = ["a–b c", "a–b d"]', ("a-b", "c", "d")),
        ('kind = "coloring"\ncolours = 2\nedges = ["a–b–c d", "a–b e"]', ("a-b-c", "d", "a-b", "e")),
        (json.dumps({**TWO_EDGES, "edges": [["a–b", "c"], ["a-b", "d"]]}), ("a–b", "c", "a-b", "d")),
        ('title = "a—b"\ngrid = {rows = 1, cols = 2, values = "1–2"}\n[[rule]]\ntype = "equal"\ncells = "r1"', ()),
    ],
)
def test_one_spelling_is_read(text: str, names: tuple[str, ...]) -> None:
    (entry,) = parse_grids(text)
    assert isinstance(entry.puzzle, Grid) and entry.puzzle.names == (names or ("r1c1", "r1c2"))
