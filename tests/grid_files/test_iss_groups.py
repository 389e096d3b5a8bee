"""Groups in constraint strings: alternatives, what is said together, and what is said again elsewhere."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from dgsolve.problems.grid import Grid
from tests.grid_files.iss_row import BARE, grid, kept, wanted


def seen(*values: int) -> int:
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


CASES: list[tuple[str, Callable[..., bool]]] = [
    (".Or.~R1C1_1.~R1C2_1_2.End", lambda a, b, c, d: a == 1 or b in (1, 2)),
    (".Or.Thermo~R1C1~R1C2.Thermo~R1C3~R1C4.End", lambda a, b, c, d: a < b or c < d),
    (".Or.Thermo~R1C1~R1C2~R1C3.Thermo~R1C3~R1C1~R1C2.End", lambda a, b, c, d: a < b < c or c < a < b),
    (".Or.Skyscraper~R1~2~.Skyscraper~R1~~3.End", lambda *row: seen(*row) == 2 or seen(*row[::-1]) == 3),
    (".Or.And.~R1C1_1.~R1C2_2.End.~R1C3_3.End", lambda a, b, c, d: (a, b) == (1, 2) or c == 3),
    (".Or.Cage~9~R1C3~R1C1~R1C2.Lunchbox~4~R1C1~R1C2~R1C3.End", lambda a, b, c, d: a + b + c == 9 or _mid(a, b, c, 4)),
    (".Or.Arrow~R1C1~R1C2~R1C3.Arrow~R1C2~R1C3~R1C1.End", lambda a, b, c, d: a == b + c or b == a + c),
    (".Or.XSum~R1~2~.~R1C2_4.End", lambda a, b, c, d: b == 4),  # two values that differ never add up to 2
    (".Or.Or.~R1C1_1.~R1C1_2.End.~R1C4_5.End", lambda a, b, c, d: a < 3 or d == 5),
    (".Or.WhiteDot~R1C1~R1C2.End", lambda a, b, c, d: abs(a - b) == 1),
    (".Or.~R1C1_1_2.~R1C1_1_2.End", lambda a, b, c, d: a < 3),
    (".Or.Between~R1C1~R1C2~R1C3.Between~R1C2~R1C3~R1C4.End", lambda a, b, c, d: _within(a, b, c) or _within(b, c, d)),
    (".And.Thermo~R1C1~R1C2.~R1C3_1.End", lambda a, b, c, d: a < b and c == 1),
    (".And.WhiteDot~R1C1~R1C2.End.StrictKropki", lambda a, b, c, d: False),  # no dot of the grid
    (".Replicate~H.Whisper~2~R1C1~R1C2.End", lambda *row: all(abs(a - b) > 1 for a, b in pairwise(row))),
    (".Replicate~D.Or.~R1C1_1.~R1C2_1.End.End", lambda a, b, c, d: 1 in (a, b) and 1 in (b, c)),
]


def _mid(a: int, b: int, c: int, total: int) -> bool:
    ends = sorted(((a, b, c).index(min(a, b, c)), (a, b, c).index(max(a, b, c))))
    return sum((a, b, c)[ends[0] + 1 : ends[1]]) == total


def _within(a: int, b: int, c: int) -> bool:
    return min(a, c) < b < max(a, c)


@pytest.mark.parametrize(("text", "allowed"), CASES, ids=lambda case: case if isinstance(case, str) else "")
def test_a_group_allows_what_it_says(text: str, allowed: Callable[..., bool]) -> None:
    assert kept(BARE + text) == wanted(allowed)


def test_a_group_is_moved_by_rows_and_columns() -> None:
    puzzle = grid(".Shape~3x3.NoBoxes.Replicate~R.SameValues~2~R1C1~R2C2.End")  # R is 17: the first and the fifth cell
    (first, second) = (rule for rule in puzzle.rules if rule.kind == "equal")
    assert [puzzle.cell(slot) for slot in first.cells + second.cells] == ["r1c1", "r2c2", "r2c2", "r3c3"]


def test_the_kind_names_what_is_in_groups() -> None:
    (entry,) = parse_grids(BARE + ".Or.Thermo~R1C1~R1C2.And.~R1C1_1.End.End")
    assert entry.kind == "NoBoxes + Or + Thermo"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".Or.~R1C1_1", "Or: this has no End"),
        (".~R1C1_1.End", "End: no group is open"),
        (".Or.End", "Or: there is no constraint in it"),
        (".Or~3.~R1C1_1.End", "Or: this takes no arguments"),
        (".Or.~R1C1_1~R1C2_1.~R1C3_3.End", "a value says several things at once"),
        (".Or.Skyscraper~R1~2~2.~R1C3_3.End", "Skyscraper says several things at once"),
        (".Or.Pair~EAI~R1C1~R1C2~~R1C3~R1C4.~R1C3_3.End", "Pair says several things at once"),
        (".Or.AntiKnight.~R1C1_1.End", "Or: 'AntiKnight' is about the whole grid"),
        (".And.RegionSumLine~R1C1~R1C2.End", "RegionSumLine depends on the boxes"),
        (".Or.Nonsense~R1C1.End", "Nonsense cannot be read"),
        (".Or.XSum~R1~2~.End", "no values fit this line"),
        (".Replicate.~R1C1_1.End", "Replicate: this takes the cells"),
        (".Replicate~A.~R1C1_1.End", "its cells are none of this grid"),
        (".Replicate~g.~R1C1_1.End", "its cells are none of this grid"),
        (".Replicate~!.~R1C1_1.End", "'!' is no key"),
        (".Replicate~C.Thermo~R1C3~R1C4.End", "'R1C4', 0 rows and 1 columns on, is no cell"),
        (".Replicate~B.Skyscraper~R1~2~.End", ""),
        (".Replicate~C.Skyscraper~R1~2~.End", "Skyscraper cannot be moved"),
    ],
)
def test_what_is_wrong(text: str, said: str) -> None:
    (entry,) = parse_grids(BARE + text)
    if said:
        assert isinstance(entry.puzzle, PuzzleError) and said in str(entry.puzzle) and entry.puzzle.column
    else:
        assert isinstance(entry.puzzle, Grid)
