"""Candidates and exactly-one groups."""

import numpy as np
import pytest

from dgsolve.factor_graph import Factor, FactorGraph
from dgsolve.problems import sudoku_rules

TWO = FactorGraph.from_houses(3, 2, [(0, 1), (2, 1)])


def test_slots_then_each_house_with_each_value():
    assert TWO.groups == ((0, 1), (2, 3), (4, 5), (0, 2), (1, 3), (4, 2), (5, 3))


def test_candidate_groups_list_every_membership_and_pad():
    assert TWO.candidate_groups.tolist() == [[0, 3, -1], [0, 4, -1], [1, 3, 5], [1, 4, 6], [2, 5, -1], [2, 6, -1]]


@pytest.mark.parametrize("house", [(0,), (0, 0), (0, 1, 2)])
def test_a_house_of_another_size_is_refused(house):
    with pytest.raises(ValueError, match="a house must hold 2 different slots"):
        FactorGraph.from_houses(3, 2, [house])


def test_equal_graphs_are_one_key():
    again = FactorGraph.from_houses(3, 2, [[0, 1], [2, 1]])
    assert again == TWO and hash(again) == hash(TWO)


@pytest.mark.parametrize(("box_rows", "box_cols"), [(2, 2), (2, 3), (3, 3), (4, 4)])
def test_each_sudoku_candidate_is_in_a_cell_a_row_a_column_and_a_box(box_rows, box_cols):
    graph, size = sudoku_rules.factor_graph(box_rows, box_cols), box_rows * box_cols
    assert (graph.slots, graph.values, len(graph.groups)) == (size**2, size, 4 * size**2)
    assert all(len(set(group)) == size for group in graph.groups)
    table = graph.candidate_groups
    assert table.shape == (size**3, 4) and table.min() == 0
    back = [set() for _ in graph.groups]
    for candidate, groups in enumerate(table):
        for group in groups:
            back[group].add(candidate)
    assert back == [set(group) for group in graph.groups]
    assert np.bincount(table.ravel()).tolist() == [size] * (4 * size**2)


def test_plain_are_exactly_one_groups_alone_as_many_for_every_candidate():
    assert sudoku_rules.factor_graph(2, 3).plain
    square = [tuple(line) for line in np.arange(16).reshape(4, 4)]
    houses = [*square, *zip(*square, strict=True)]
    assert FactorGraph.from_houses(16, 4, houses).plain
    assert not FactorGraph.from_houses(16, 4, [*houses, (0, 5, 10, 15)]).plain  # a diagonal
    assert not FactorGraph.from_groups(2, 2, [], [(0, 2)]).plain
    factor = Factor("sum", (0, 1), 3, (np.array([[0, 0, 0]]), np.array([[0, 1, 0]])), (1, 1, 1))
    assert not FactorGraph.from_groups(2, 2, [], [], [factor]).plain
