"""Rules over the same cells, read together: brute force is the oracle, and more is excluded than by each alone."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings

import dgsolve
from dgsolve.rules import rule_kinds
from dgsolve.rules.all_different import AllDifferent
from dgsolve.rules.joint import Joint, joints
from dgsolve.rules.walk import Walk
from tests.problems.grid_cases import Case, grids
from tests.rules.meaning import truth
from tests.rules.readings import readings

WALKS = ("all_different", *(kind for kind, made in rule_kinds().items() if issubclass(made, Walk)))


def right(case: Case, joint: Joint) -> list[tuple[int, ...]]:
    """All numbers of its cells that keep the rules that it reads together."""
    found = itertools.product(case.grid.values.numbers, repeat=len(joint.cells))
    for rule, (kind, slots, parameters) in zip(case.grid.rules, case.rules, strict=True):
        if rule in joint.walks or (joint.distinct and isinstance(rule, AllDifferent) and not any(rule.offsets)):
            places = [joint.cells.index(slot) for slot in slots]
            found = [held for held in found if truth(kind, tuple(held[place] for place in places), parameters)]
    return list(found)


@settings(max_examples=200)
@given(case=grids(kinds=WALKS, shared=True))
def test_what_is_left_is_exactly_what_some_answer_holds(case: Case) -> None:
    for joint in joints(case.grid.rules, case.grid.values.numbers):
        domains = [case.choices[slot] for slot in joint.cells]
        within = [held for held in right(case, joint) if all(map(set.__contains__, domains, held))]
        exact = [set(held) for held in zip(*within, strict=True)]
        assert joint.propagate(domains) == (exact or None)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dgsolve.rules.joint.MOST_ARCS", -1)  # each walk alone, as where there are too many arcs
            alone = joint.propagate(domains)
            assert alone is None or joint.propagate(alone) == alone
        assert all(map(set.issubset, exact, alone or [set()] * len(domains)))


@settings(max_examples=200)
@given(case=grids(kinds=WALKS, shared=True))
def test_a_factor_reads_every_answer_once(case: Case) -> None:
    numbers = case.grid.values.numbers
    for joint in joints(case.grid.rules, numbers):
        answers = right(case, joint)
        if answers:  # else no factor says so: propagation leaves nothing before a denoiser is asked
            (factor,) = joint.factors(numbers)
            assert factor.slots == joint.cells and sorted(readings(factor, numbers)) == sorted(answers)


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
