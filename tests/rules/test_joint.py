"""Rules over the same cells, read together: brute force is the oracle, and more is excluded than by each alone."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.rules.joint import Joint, joints
from tests.rules.meaning import truth

NUMBERS = (1, 2, 3, 4)


@st.composite
def lines(draw: st.DrawFn) -> tuple[dgsolve.Grid, list[tuple[str, int, dict]], list[set[int]]]:
    grid = dgsolve.Grid(1, 4, values=NUMBERS)
    clues: list[tuple[str, int, dict]] = []
    for step in draw(st.sampled_from([(1,), (-1,), (1, -1)])):
        seen = draw(st.integers(1, 3))
        grid.visible(grid.names[::step], seen)
        clues.append(("visible", step, {"visible": seen}))
    if draw(st.booleans()):
        total = draw(st.integers(4, 16))
        grid.sum(grid.names[::-1], total)
        clues.append(("sum", 1, {"total": (total, total), "distinct": False}))
    if draw(st.booleans()):
        grid.all_different(grid.names)
        clues.append(("all_different", 1, {"offsets": [0] * 4}))
    return grid, clues, [draw(st.sets(st.sampled_from(NUMBERS), min_size=1)) for _ in range(4)]


def right(clues: list[tuple[str, int, dict]], domains: list[set[int]]) -> list[tuple[int, ...]]:
    every = itertools.product(*domains)
    return [numbers for numbers in every if all(truth(kind, numbers[::step], p) for kind, step, p in clues)]


@settings(max_examples=150, deadline=None)
@given(case=lines())
def test_what_is_left_is_exactly_what_some_answer_holds(case) -> None:
    grid, clues, domains = case
    found, answers = joints(grid.rules, NUMBERS), right(clues, domains)
    if len(clues) == 1:
        assert not found
        return
    (joint,) = found
    way = 1 if joint.cells == (0, 1, 2, 3) else -1
    narrowed = joint.propagate(domains[::way])
    assert (narrowed is None) == (not answers)
    assert narrowed is None or narrowed[::way] == [set(held) for held in zip(*answers, strict=True)]


@settings(max_examples=60, deadline=None)
@given(case=lines())
def test_a_factor_reads_every_answer_once(case) -> None:
    grid, clues, _ = case
    answers = right(clues, [set(NUMBERS)] * 4)
    for joint in joints(grid.rules, NUMBERS):
        factors = joint.factors(NUMBERS)
        if not answers:  # no factor says so: propagation leaves nothing before a denoiser is asked
            continue
        (factor,) = factors
        way = 1 if joint.cells == (0, 1, 2, 3) else -1
        ways = {0: [()]}
        for arcs in factor.arcs:
            reached: dict[int, list[tuple[int, ...]]] = {}
            for before, value, after in arcs.tolist():
                reached.setdefault(after, []).extend((*way, NUMBERS[value]) for way in ways.get(before, ()))
            ways = reached
        assert sorted(read[::way] for reads in ways.values() for read in reads) == sorted(answers)


def test_together_they_say_more() -> None:
    grid = dgsolve.Grid(1, 6, values=[0, 1], givens="0.....")
    grid.count(grid.names, [1], 3)
    grid.no_three_in_row(grid.names)
    grid.table([*grid.names[1:3]], [[0, 1], [1, 1]])
    parts = [rule.propagate([{0}, {0}, {1}, {0, 1}, {0, 1}, {0, 1}]) for rule in grid.rules[:2]]
    (joint,) = joints(grid.rules, grid.values.numbers)
    together = joint.propagate([{0}, {0}, {1}, {0}, {0, 1}, {0, 1}])
    assert together == [{0}, {0}, {1}, {0}, {1}, {1}]
    assert all(part is not None and part[3] == {0, 1} for part in parts)


def test_lines_too_long_to_read_together_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = dgsolve.Grid(1, 6, values=range(1, 7))
    grid.all_different(grid.names)
    grid.visible(grid.names, 6)
    grid.visible(grid.names[::-1], 1)
    (joint,) = joints(grid.rules, grid.values.numbers)
    domains = [set(range(1, 7))] * 6
    monkeypatch.setattr("dgsolve.rules.joint.MOST_ARCS", 3)
    assert joint.propagate(domains) == [{1 + place} for place in range(6)]
    assert len(joint.factors(range(1, 7))) == 2


def test_groups_stay_groups_and_other_orders_stay_alone() -> None:
    grid = dgsolve.Grid(1, 3, values=[1, 2, 3])
    grid.all_different(grid.names)
    grid.exactly_one(grid.names, 2)
    grid.visible(grid.names, 1)
    grid.visible([grid.names[1], grid.names[0], grid.names[2]], 2)
    (joint,) = joints(grid.rules, grid.values.numbers)
    assert joint == Joint((0, 1, 2), (grid.rules[2],), frozenset(), distinct=True)
    graph = grid.factor_graph()
    assert graph is not None and [factor.slots for factor in graph.factors] == [(1, 0, 2), (0, 1, 2)]
    assert np.array(grid.narrowed(grid.permitted)).shape == (3, 3)


def test_a_factor_is_the_same_in_every_process() -> None:
    """Its sums are taken in the order of its arcs, so another order would be another answer to the same seed."""
    program = """
import dgsolve
grid = dgsolve.Grid(1, 5, values=range(1, 6))
grid.all_different(grid.names)
grid.sandwich(grid.names, 5, between=[1, 5])
grid.sum(grid.names[:2], 4)
print([arcs.tolist() for factor in grid.factor_graph().factors for arcs in factor.arcs])
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1 and len(printed.pop()) > 100
