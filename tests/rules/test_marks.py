"""What rules draw, and that what does not lie as a mark needs is left out."""

from __future__ import annotations

from typing import Any

import pytest

import dgsolve
from dgsolve.drawing.arrangement import DOWN, RIGHT, Arrangement, arranged
from dgsolve.drawing.listing import listed
from dgsolve.drawing.marks import Cage, EdgeClue, Mark, Queens, Shade, Sign, Thermo, Total
from dgsolve.rules import rule_kinds

ROW = ("r1c1", "r1c2", "r1c3")


def marks_of(kind: str, *cells: Any, **given: Any) -> tuple[Mark, ...]:
    grid = dgsolve.Grid(3, 3, values="1-9")
    getattr(grid, kind)(*cells, **given)
    return grid.rules[0].marks(grid)


@pytest.mark.parametrize(
    ("made", "drawn"),
    [
        (marks_of("sum", ROW, 15, distinct=True), (Total((0, 1, 2), "15"),)),
        (marks_of("sum", ROW, [4, 6]), (Total((0, 1, 2), "4-6+"),)),
        (marks_of("product", ROW, 24), (Cage((0, 1, 2), "24×"),)),
        (marks_of("difference", "r1c1", "r2c1", difference=3), (Cage((0, 3), "3−"),)),
        (marks_of("difference", "r1c1", "r2c1", difference=[5, 8]), (Cage((0, 3), "5-8−"),)),
        (marks_of("difference", "r1c1", "r2c1", never=True), ()),
        (marks_of("difference", *ROW), ()),
        (marks_of("ratio", "r1c1", "r2c1"), (Cage((0, 3), "2÷"),)),
        (marks_of("ratio", "r1c1", "r2c1", never=True), ()),
        (marks_of("less_than", "r1c1", "r1c2"), (Sign((0, 1), "<"),)),
        (marks_of("less_than", *ROW), (Thermo((0, 1, 2)),)),
        (marks_of("less_than", *ROW, strict=False), (Sign((0, 1), "≤"), Sign((1, 2), "≤"))),
        (marks_of("adjacent", *ROW), (Sign((0, 1), "○"), Sign((1, 2), "○"))),
        (marks_of("adjacent", *ROW, never=True), ()),
        (marks_of("equal", "r1c1", "r1c2"), (Sign((0, 1), "="),)),
        (marks_of("not_equal", "r1c1", "r1c2"), (Sign((0, 1), "≠"),)),
        (marks_of("visible", ROW[::-1], 2), (EdgeClue((2, 1, 0), "2"),)),
        (marks_of("sandwich", ROW, 20, between=[1, 9]), (EdgeClue((0, 1, 2), "20"),)),
        (marks_of("regular", ROW, runs=[1, 1]), (EdgeClue((0, 1, 2), "1 1"), Shade((0, 1, 2), "1"))),
        (marks_of("regular", ROW, runs=[]), (EdgeClue((0, 1, 2), "0"), Shade((0, 1, 2), "1"))),
        (marks_of("regular", ROW, transitions=[[0, 1, 0]], accepting=[0]), ()),
        (marks_of("all_different", ROW), (Cage((0, 1, 2)),)),
        (marks_of("all_different", ROW, offsets=[0, 1, 2]), (Queens((0, 1, 2)),)),
        (marks_of("all_different", ROW, offsets=[3, 2, 1]), (Queens((0, 1, 2)),)),
        (marks_of("all_different", ROW, offsets=[0, 1, 3]), ()),
        (marks_of("count", ROW, [1], 2), ()),
    ],
)
def test_marks(made: tuple[Mark, ...], drawn: tuple[Mark, ...]) -> None:
    assert made == drawn and list(map(type, made)) == list(map(type, drawn))


def test_every_kind_says_what_it_draws() -> None:
    drawing = {kind for kind, made in rule_kinds().items() if "marks" in vars(made)}
    assert drawing >= {"sum", "product", "difference", "ratio", "less_than", "adjacent", "equal", "not_equal"}
    assert drawing >= {"visible", "sandwich", "regular", "all_different"}


def found(add: Any, **options: Any) -> Arrangement:
    grid = dgsolve.Grid(3, 3, values="1-4", **options)
    add(grid)
    return arranged(grid.grid())


def test_what_is_no_area_is_not_walled() -> None:
    parted = found(lambda grid: grid.sum("r1c1 r3c3 r1c3", 6))
    assert not parted.cages and not parted.labels and not parted.clues
    assert parted.listed == ["r1c1 r1c3 r3c3 6+"]
    corner = found(lambda grid: grid.sum("r1c1 r2c2", 6))
    assert not corner.cages and not corner.signs and corner.listed == ["r1c1 r2c2 6+"]


def test_a_list_of_cages_leaves_out_the_middle_and_says_how_many() -> None:
    long = dgsolve.Grid(4, 4, values="1-9")
    long.sum([f"r{r}c{c}" for r in (1, 2, 4) for c in range(1, 5)], 40)
    assert arranged(long.grid()).listed == ["r1c1 r1c2 ... r4c4 40+"]
    assert listed([f"r1c{c} r9c1 {c}" for c in range(99)], 80)[-1].endswith(", and 59 more")


def test_lines_of_regions_over_other_regions_are_listed() -> None:
    wide = dgsolve.Grid(4, 4, values="1-3")
    wide.all_different("r1c1 r1c2 r2c1")
    wide.all_different("r1c1:r1c3")
    assert arranged(wide.grid()).listed == ["r1c1 r1c2 r1c3 ≠"]


def test_signs_of_cells_that_share_no_edge_are_left_out() -> None:
    assert not found(lambda grid: grid.less_than("r1c1", "r1c3")).signs
    assert not found(lambda grid: grid.not_equal("r1c1", "r2c2")).signs
    assert found(lambda grid: grid.less_than("r2c1", "r1c1")).signs == {((0, 0), DOWN): "∨"}
    assert found(lambda grid: grid.less_than("r1c2", "r1c1", strict=False)).signs == {((0, 0), RIGHT): "≥"}


def test_clues_need_a_line_that_begins_at_an_edge() -> None:
    assert not found(lambda grid: grid.visible("r1c2 r1c3", 1)).clues
    assert not found(lambda grid: grid.visible("r1c1 r1c3", 1)).clues
    diagonal = found(lambda grid: grid.sum(grid.diagonals()[1], 6)).clues
    assert diagonal == {(-1, 3): {(1, -1): "6↙"}}


def test_a_thermometer_may_go_round_corners_but_not_jump() -> None:
    bent = found(lambda grid: grid.less_than("r1c1", "r1c2", "r2c3"))
    assert bent.thermos == [((0, 0), (0, 1), (1, 2))] and bent.growth == {((0, 0), RIGHT): "<"}
    assert not found(lambda grid: grid.less_than("r1c1", "r1c3", "r2c3")).thermos


def test_areas_as_large_as_there_are_values_are_regions_and_those_over_them_windows() -> None:
    def add(grid: dgsolve.Grid) -> None:
        grid.all_different("r1")
        grid.all_different("r1c1:r2c2")
        grid.all_different("r2c2:r3c3")
        grid.all_different("r1c3 r2c3")

    arrangement = found(add)
    assert set(arrangement.regions) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert arrangement.tinted == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert set(arrangement.cages) == {(0, 2), (1, 2)} and not arrangement.labels


def test_two_rules_on_the_same_cells_are_one_cage() -> None:
    def add(grid: dgsolve.Grid) -> None:
        grid.all_different("r1c1 r1c2")
        grid.sum("r1c2 r1c1", 5)

    assert found(add).labels == {(0, 0): "5+"}


def test_a_line_of_one_cell_has_its_clue_along_the_narrow_side() -> None:
    grid = dgsolve.Grid(1, 2, values=(0, 1))
    for column in grid.cols():
        grid.regular(column, runs=[1])
    assert set(arranged(grid.grid()).clues) == {(-1, 0), (-1, 1)}
