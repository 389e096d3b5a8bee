"""Ranks of whole Latin squares, and what is narrowed before they are known."""

from itertools import product
from typing import Any

import pytest

import dgsolve
from dgsolve.certify import solutions
from dgsolve.errors import UsageError
from tests.rules.meaning import is_ranked

LATER = (2, 1, 3, 3, 3, 2)  # the second and the third row
SQUARES = [(*first, *LATER) for first in product((1, 2, 3), repeat=3)]


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("tied", [True, False])
def test_a_clue_keeps_the_squares_in_which_it_is_true(side: str, tied: bool) -> None:
    some = 0
    for line, rank in product((1, 2, 3), range(1, 13)):
        grid, clue = dgsolve.Grid(3, 3, values=range(1, 4), givens="... 213 332"), dict(rank=rank, side=side, line=line)
        grid.rank(grid.names, **clue, tied=tied)
        right = {held for held in SQUARES if is_ranked(held, {**clue, "tied": tied})}
        found = [grid.decode(values) for values in solutions(grid, 100)]
        assert len(found) == len(set(found)) and set(found) == right
        assert {held for held in SQUARES if grid.check(held).valid} == right
        some += len(right)
    assert some


def test_the_least_of_all_begins_with_the_least() -> None:
    grid = dgsolve.Grid(2, 2, values=range(1, 4))
    grid.rank(grid.names, 1, side="left", line=1)
    narrowed = grid.rules[0].propagate([{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {2}])
    assert narrowed is not None and narrowed[0] == {1, 2}
    assert grid.rules[0].propagate([{3}, {1, 2, 3}, {1, 2, 3}, {2}]) is None


@pytest.mark.parametrize(
    ("cells", "clue", "said"),
    [
        (4, {"rank": 1, "side": "up", "line": 1}, "'up' is no side"),
        (4, {"rank": 1, "side": "top", "line": 3}, "has no line 3"),
        (3, {"rank": 1, "side": "top", "line": 1}, "3 cells are no square"),
        (4, {"rank": 0, "side": "top", "line": 1}, "rank must be"),
    ],
)
def test_what_is_no_rank_is_refused(cells: int, clue: dict[str, Any], said: str) -> None:
    grid = dgsolve.Grid(2, 2, values="1-3")
    with pytest.raises(UsageError, match=said):
        grid.rank(grid.names[:cells], **clue)


def test_what_it_says() -> None:
    grid = dgsolve.Grid(2, 2, values="1-3")
    grid.rank(grid.names, 2, side="right", line=1)
    said = "r1c2 and r1c1, read as a number, is number 2 of all rows and columns from the least on, without a tie"
    assert grid.rules[0].describe(grid) == said
    assert [fault.message for fault in grid.check([1, 1, 2, 2]).faults] == [f"{said}, not number 1"]
    (fault,) = grid.check([1, 2, 1, 1]).faults
    assert fault.message.startswith(said)
