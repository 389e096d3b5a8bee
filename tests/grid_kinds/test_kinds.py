"""Brute force is the oracle of every kind: judge, propagation and certificate say what the puzzle means."""

import itertools
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.errors import PuzzleError
from dgsolve.grid_kinds import grid_kinds
from tests.grid_kinds.instances import KINDS, near, shape, squares
from tests.grid_kinds.meaning import truth
from tests.problems.grid_cases import assert_counted, assert_nothing_is_lost

LATIN = ("futoshiki", "kenken", "latin", "skyscrapers", "sudoku")
JUDGED = 150  # by chance of all assignments, and of those that could be answers


def assignments(kind: str, options: dict[str, Any], names: list[str], values: list[Any]) -> Sequence[tuple[Any, ...]]:
    """All that could be answers: for large boards without those that hold a value twice where none may."""
    if kind in LATIN:
        return squares(options["size"])
    if kind == "magic_square" and options["size"] == 3:
        return magic_rows()
    return list(itertools.product(values, repeat=len(names)))


@cache
def magic_rows() -> list[tuple[int, ...]]:
    return [held for held in itertools.permutations(range(1, 10)) if sum(held[:3]) == sum(held[3:6]) == sum(held[6:])]


@st.composite
def instances(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    options = KINDS[kind](draw)
    names, values = shape(kind, options)
    given_cells = draw(st.just([]) | st.lists(st.sampled_from(names), max_size=2, unique=True))
    return {**options, "givens": {cell: draw(st.sampled_from(values)) for cell in given_cells}}


def test_every_kind_is_tested() -> None:
    assert set(KINDS) == set(grid_kinds())


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_kind_means_what_it_says(kind: str, data: st.DataObject) -> None:
    options = data.draw(instances(kind))
    names, values = shape(kind, options)
    every = assignments(kind, options, names, values)
    right = {held for held in every if truth(kind, options, dict(zip(names, held, strict=True)))}
    try:
        grid = dgsolve.Grid.from_dict({"kind": kind, **options})
    except PuzzleError as error:
        assert not right, error
        return
    assert list(grid.names) == names and list(grid.values.natives) == values
    rng = Random(0)
    others = [tuple(rng.choices(values, k=len(names))) for _ in range(JUDGED)]
    for held in [*right, *others, *rng.choices(every, k=JUDGED)]:
        assert grid.check(held).valid == (held in right), held
    assert_nothing_is_lost(grid, right)
    assert_counted(grid, right)


VARIANTS: tuple[dict[str, Any], ...] = (
    *({flag: True} for flag in ("diagonals", "anti_knight")),
    {"box": [2, 2], "windoku": True},
    {"box": [2, 2]},
    {"regions": ["AABB", "ACBB", "ACCD", "CDDD"]},
    {"bars": ["r1c1 r1c2", "r3c2 r2c2"]},
    {"bars": near((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)), "all_marked": True},
    {"cages": [{"cells": "r1c1 r2c2", "sum": 6}, {"cells": "r3c1 r4c2"}]},
    {"thermos": ["r1c1 r2c2 r2c3"]},
    {"sandwich_rows": [2, -1, -1, 0], "sandwich_cols": [-1, 5, -1, -1]},
)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_variant_of_sudoku_judges_every_latin_square(options: dict[str, Any]) -> None:
    """The boxes are rows, where the variant has none of its own, so that its rule stands alone."""
    options = {"size": 4, **({} if "regions" in options else {"box": [1, 4]}), **options}
    grid, (names, _) = dgsolve.Grid.from_dict({"kind": "sudoku", **options}), shape("sudoku", options)
    right = {held for held in squares(4) if truth("sudoku", options, dict(zip(names, held, strict=True)))}
    assert {held for held in squares(4) if grid.check(held).valid} == right
    assert 0 < len(right) < len(squares(4))


MOVES = [
    ("anti_knight", 5, "not_equal", {}),
    ("anti_king", 2, "not_equal", {}),
    ("nonconsecutive", 1, "adjacent", {"never": True}),
]


@pytest.mark.parametrize(("option", "square", "kind", "parameters"), MOVES)
def test_a_variant_is_about_all_cells_a_move_apart(option: str, square: int, kind: str, parameters: Any) -> None:
    """Pair by pair: no square of order 4 keeps two of them, and of a knight's moves some follow from others."""
    grid = dgsolve.Grid.from_dict({"kind": "sudoku", "size": 4, option: True})
    pairs = itertools.combinations(enumerate(grid.cells.places), 2)
    apart = {
        frozenset((one, other)) for (one, (r, c)), (other, (y, x)) in pairs if (r - y) ** 2 + (c - x) ** 2 == square
    }
    rules = [rule for rule in grid.rules if rule.kind == kind and rule.written(grid.native) == parameters]
    assert {frozenset(rule.cells) for rule in rules} == apart
