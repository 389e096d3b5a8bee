"""Numbers locked where two rules of different values cross: brute force is the oracle."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.rules.crossing import crossings

NUMBERS = (1, 2, 3, 4)
ROW, BOX = (0, 1, 2, 3), (0, 1, 4, 5)


def crossed(size: int = 4) -> dgsolve.Grid:
    """A row and a box that share two cells, of six."""
    grid = dgsolve.Grid(1, 6, values=range(1, size + 1))
    for line in (ROW, BOX):
        grid.all_different([grid.names[slot] for slot in line])
    return grid


def right(domains: list[set[int]]) -> list[tuple[int, ...]]:
    every = itertools.product(*domains)
    return [held for held in every if all(len({held[slot] for slot in line}) == 4 for line in (ROW, BOX))]


@settings(max_examples=200, deadline=None)
@given(domains=st.lists(st.sets(st.sampled_from(NUMBERS), min_size=1), min_size=6, max_size=6))
def test_no_answer_is_lost(domains: list[set[int]]) -> None:
    answers = right(domains)
    for crossing in crossings(crossed().rules, NUMBERS):
        narrowed = crossing.propagate([domains[slot] for slot in crossing.cells])
        if narrowed is None:
            assert not answers
        for held in answers:
            assert all(held[slot] in left for slot, left in zip(crossing.cells, narrowed, strict=True))


def test_a_number_locked_in_the_crossing_leaves_the_rest_of_the_other_line() -> None:
    grid = crossed()
    permitted = np.ones((6, 4), dtype=bool)
    permitted[2:4, 0] = False  # in the row, 1 has a place where the box crosses it alone
    narrowed = grid.narrowed(permitted)
    assert not narrowed[4:, 0].any()
    assert narrowed[:2].all() and narrowed[2:, 1:].all()


def test_a_number_without_a_place_leaves_nothing() -> None:
    (first, _) = crossings(crossed().rules, NUMBERS)
    assert first.propagate([{2, 3, 4}] * 4 + [set(NUMBERS)] * 2) is None


def test_both_lines_are_heard_where_they_have_a_cell_for_each_number() -> None:
    assert [crossing.heard for crossing in crossings(crossed().rules, NUMBERS)] == [ROW, BOX]
    assert not list(crossings(crossed(5).rules, range(1, 6)))


@pytest.mark.parametrize("offsets", [(0, 1, 2, 3), (1, 0, 0, 0)])
def test_numbers_that_are_moved_lock_nothing(offsets: tuple[int, ...]) -> None:
    grid = dgsolve.Grid(1, 6, values=NUMBERS)
    grid.all_different([grid.names[slot] for slot in ROW], offsets=offsets)
    grid.all_different([grid.names[slot] for slot in BOX])
    assert not list(crossings(grid.rules, NUMBERS))
