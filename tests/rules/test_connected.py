"""Cells in one piece: what is cut off is named, and propagation leaves exactly what brute force finds."""

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.certify import SolutionCount, certify, solutions
from dgsolve.errors import UsageError
from tests.rules.meaning import is_one_piece


def grid(rows: int, cols: int, **given: object) -> dgsolve.Grid:
    made = dgsolve.Grid(rows, cols, values=(0, 1), **given)
    made.connected(made.names, value=0, width=cols)
    return made


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([{0}, {1}, {0, 1}, {0, 1}]), min_size=12, max_size=12), st.sampled_from([2, 3, 4, 12]))
@example([{0}, {0, 1}, {0}, *[{1}] * 9], 3)
@example([{0, 1}] * 12, 4)
def test_propagation_is_exact(domains: list[set[int]], width: int) -> None:
    (rule,) = grid(12 // width, width).rules
    right = [
        numbers
        for numbers in itertools.product(*domains)
        if is_one_piece({divmod(at, width) for at, number in enumerate(numbers) if number == 0})
    ]
    left = [set(held) for held in zip(*right, strict=True)]
    assert rule.propagate([set(domain) for domain in domains]) == (left or None)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (3, 3)])
def test_every_answer_is_found_once(shape: tuple[int, int]) -> None:
    puzzle = grid(*shape)
    found = [puzzle.decode(values) for values in solutions(puzzle)]
    every = itertools.product((0, 1), repeat=shape[0] * shape[1])
    right = {held for held in every if is_one_piece({divmod(at, shape[1]) for at, n in enumerate(held) if n == 0})}
    assert len(found) == len(right) and set(found) == right


def test_a_piece_that_is_cut_off_is_named_with_what_is_around_it() -> None:
    (fault,) = grid(3, 3).check("010 100 000").faults
    assert fault.message == "r1c1 holds 0, cut off from other cells with 0"
    assert set(fault.scope) == {"r1c1", "r1c2", "r2c1"}
    (fault,) = grid(1, 4, givens="0.10").given_faults()
    assert set(fault.scope) == {"r1c3", "r1c4"}


def test_open_cells_may_still_join_pieces() -> None:
    assert not grid(1, 4, givens="0..0").given_faults()
    assert grid(1, 4, givens="0..0").candidates() == (frozenset({0}),) * 4
    assert grid(1, 4, givens="0.1.").candidates()[3] == frozenset({1})


def test_a_long_way_round_is_found() -> None:
    """The one path along a spiral of walls, where distances are long."""
    lines = [["1"] * 9 for _ in range(9)]
    for row in range(0, 9, 2):
        lines[row] = ["."] * 9
    for row, end in ((1, 8), (3, 0), (5, 8), (7, 0)):
        lines[row][end] = "."
    lines[0][0] = lines[8][8] = "0"
    found = certify(grid(9, 9, givens=lines))
    assert found.status is SolutionCount.ONE and sum(place == 0 for place in found.solutions[0]) == 49


def test_rows_that_do_not_fit_are_refused() -> None:
    made = dgsolve.Grid(2, 3, values=(0, 1))
    with pytest.raises(UsageError, match="6 cells are no rows of 4"):
        made.connected(made.names, value=0, width=4)
