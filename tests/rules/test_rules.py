"""Brute force over all assignments is the oracle of every kind: judge, propagation, groups, CP-SAT form, files."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.certify import solutions
from dgsolve.rules import Domains, Rule, rule_kinds
from dgsolve.rules.layers import Layers
from dgsolve.rules.walk import Walk
from tests.rules.meaning import KINDS, parameters, truth
from tests.rules.readings import readings

NUMBERS = (0, 1, 2, 3)
ALPHABETS = (NUMBERS, (-2, -1, 1, 2))
CELLS = ("a", "b", "c", "d")


@st.composite
def cases(draw: st.DrawFn, kind: str) -> tuple[dgsolve.Grid, dict[str, Any], list[set[int]]]:
    """A grid of one rule, its parameters, and the domains of its cells: half of them hold one number alone."""
    count, values = 2 if kind == "not_equal" else 4, draw(st.sampled_from(ALPHABETS))
    taken = draw(parameters(kind, count, values))
    number = st.sampled_from(values)
    domains = [draw(st.sets(number, min_size=1, max_size=1) | st.sets(number, min_size=1)) for _ in range(count)]
    grid = dgsolve.Grid(cells=CELLS[:count], values=values, domains=dict(zip(CELLS, domains, strict=False)))
    cells = CELLS[:count] if not rule_kinds()[kind].listed else (CELLS[:count],)
    getattr(grid, kind)(*cells, **taken)
    return grid, taken, domains


def test_every_kind_is_tested() -> None:
    assert set(KINDS) == set(rule_kinds())


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data())
def test_a_kind_means_the_same_everywhere(kind: str, data: st.DataObject) -> None:
    grid, taken, domains = data.draw(cases(kind))
    rule, values = grid.rules[0], grid.values.numbers
    right = {numbers for numbers in itertools.product(*domains) if truth(kind, numbers, taken)}
    every = list(itertools.product(*domains))
    drafts = np.array([[grid.values.place[number] for number in numbers] for numbers in every])
    for numbers, marks in zip(every, grid.faulty_slots(drafts), strict=True):
        assert grid.check(numbers).valid == (numbers in right) == (not marks.any()), (numbers, rule)
    narrowed = rule.propagate([set(domain) for domain in domains])
    assert_keeps(narrowed, domains, right)
    assert narrowed is None or rule.propagate(narrowed) == narrowed
    found = [grid.decode(values) for values in solutions(grid)]
    assert len(found) == len(set(found)) and set(found) == right
    assert by_groups(rule, domains, values) in (None, right)
    everywhere = {numbers for numbers in itertools.product(values, repeat=len(domains)) if truth(kind, numbers, taken)}
    assert by_factor(rule, values) in (None, everywhere)
    assert dgsolve.Grid.from_dict(grid.to_dict(), allow_python=True) == grid
    assert dgsolve.Grid.parse(grid.to_toml(), allow_python=True) == grid
    assert dgsolve.Grid.parse(grid.to_json(), allow_python=True) == grid


def assert_keeps(narrowed: Domains | None, domains: Domains, right: set[tuple[int, ...]]) -> None:
    """All that is right is still there, and nothing is new."""
    left = narrowed or [set()] * len(domains)
    assert all(n in held for numbers in right for n, held in zip(numbers, left, strict=True))
    assert all(new <= old for new, old in zip(left, domains, strict=True))


@settings(max_examples=100)
@given(data=st.data())
def test_a_sum_too_large_to_be_read_keeps_what_is_right(data: st.DataObject) -> None:
    grid, taken, domains = data.draw(cases("sum"))
    right = {numbers for numbers in itertools.product(*domains) if truth("sum", numbers, taken)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Walk, "layers", lambda rule, domains: Layers((), whole=False))
        narrowed = grid.rules[0].propagate(domains)
        assert narrowed is None or grid.rules[0].propagate(narrowed) == narrowed
    assert_keeps(narrowed, domains, right)


def by_groups(rule: Rule, domains: Domains, values: Sequence[int]) -> set[tuple[int, ...]] | None:
    """The assignments that the rule's groups allow; None where it is not made of groups."""
    groups = rule.groups(values)
    if groups is None:
        return None
    kept = set()
    for numbers in itertools.product(*domains):
        true = set(enumerate(numbers))
        exactly = all(sum(candidate in true for candidate in group) == 1 for group in groups.exactly_one)
        if exactly and all(sum(candidate in true for candidate in group) <= 1 for group in groups.at_most_one):
            kept.add(numbers)
    return kept


def by_factor(rule: Rule, values: Sequence[int]) -> set[tuple[int, ...]] | None:
    """The assignments that the rule's automaton reads to its end, without regard to domains; None where it has none."""
    factor = rule.factor(values)
    if factor is None:
        return None
    assert factor.slots == rule.cells
    found = readings(factor, values)
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.parametrize(
    ("kind", "made"), [("sum", {"total": 3}), ("table", {"tuples": [[0, 1, 2, 3]]}), ("less_than", {})]
)
def test_a_rule_that_is_more_than_groups_has_a_factor(kind: str, made: dict[str, Any]) -> None:
    grid = dgsolve.Grid(cells=CELLS, values=NUMBERS)
    getattr(grid, kind)(*(CELLS if kind == "less_than" else [CELLS]), **made)
    graph = grid.factor_graph()
    assert graph is not None and [factor.kind for factor in graph.factors] == [kind]


def fixed_points() -> list[tuple[Rule, list[set[int]]]]:
    """Rules that say more after what they said first, and what they must know at once."""
    large = dgsolve.Grid(1, 12, values=range(1, 61))  # too many sets of numbers to be read one by one
    large.sum(large.names, [0, 80], distinct=True)
    lines = dgsolve.Grid(1, 3, values=range(3))
    lines.unlike_lines(lines.names, 1)
    return [
        (large.rules[0], [{1, 2, 3}] * 3 + [set(range(1, 61))] * 9),
        (lines.rules[0], [{0}, {0, 1}, {0, 1, 2}]),
    ]


@pytest.mark.parametrize(("rule", "domains"), fixed_points(), ids=lambda part: getattr(part, "kind", ""))
def test_a_rule_goes_on_until_it_finds_no_more(rule: Rule, domains: list[set[int]]) -> None:
    narrowed = rule.propagate(domains)
    assert narrowed is not None and rule.propagate(narrowed) == narrowed != domains


def test_too_few_are_told_with_what_the_open_cells_could_add() -> None:
    grid = dgsolve.Grid(cells=CELLS, values=NUMBERS, givens={CELLS[0]: 0, CELLS[1]: 0})
    grid.count(CELLS, [1], len(CELLS) - 1)
    (fault,) = grid.given_faults()
    assert fault.message.endswith(f"hold 1, but only {len(CELLS) - 2} can") and fault.scope == tuple(CELLS)
    (fault,) = grid.check([0] * len(CELLS)).faults
    assert fault.message.endswith("hold 1, not 0")
