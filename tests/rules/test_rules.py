"""Brute force over all assignments is the oracle of every kind: judge, propagation, groups, CP-SAT form, files."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.certify import solutions
from dgsolve.rules import Rule, rule_kinds

NUMBERS = (0, 1, 2, 3)
CELLS = ("a", "b", "c", "d")
SPAN = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda ends: sorted(ends))
VALUE = st.sampled_from(NUMBERS)
PARAMETERS: dict[str, Any] = {
    "adjacent": {"never": st.booleans()},
    "all_different": {"offsets": st.lists(st.integers(-1, 1), min_size=4, max_size=4)},
    "at_most": {"value": VALUE, "limit": st.integers(0, 3)},
    "count": {"values": st.lists(VALUE, min_size=1, max_size=2, unique=True), "times": SPAN},
    "difference": {"difference": SPAN, "never": st.booleans()},
    "equal": {},
    "exactly_one": {"value": VALUE},
    "less_than": {"strict": st.booleans()},
    "no_three_in_row": {"longest": st.integers(1, 3)},
    "not_equal": {},
    "product": {"product": st.integers(0, 12)},
    "ratio": {"ratio": st.integers(1, 3), "never": st.booleans()},
    "regular": {"runs": st.lists(st.integers(1, 2), max_size=2)},
    "sandwich": {"total": st.integers(0, 5), "between": st.sampled_from([[0, 3], [1, 2]])},
    "sum": {"total": SPAN.map(lambda ends: [ends[0], ends[1] + 4]), "distinct": st.booleans()},
    "table": {"tuples": st.lists(st.lists(VALUE, min_size=4, max_size=4), max_size=9), "forbidden": st.booleans()},
    "visible": {"visible": st.integers(1, 4)},
}


def truth(kind: str, numbers: tuple[int, ...], p: dict[str, Any]) -> bool:
    """What each kind means, in as few words as can be."""
    pairs = list(itertools.pairwise(numbers))
    apart = [abs(x - y) for x, y in pairs]
    if kind == "adjacent":
        return all((d == 1) != p["never"] for d in apart)
    if kind == "all_different":
        return len({n + o for n, o in zip(numbers, p["offsets"], strict=True)}) == len(numbers)
    if kind == "at_most":
        return numbers.count(p["value"]) <= p["limit"]
    if kind == "count":
        return p["times"][0] <= sum(n in p["values"] for n in numbers) <= p["times"][1]
    if kind == "difference":
        return all((p["difference"][0] <= d <= p["difference"][1]) != p["never"] for d in apart)
    if kind == "equal":
        return len(set(numbers)) == 1
    if kind == "exactly_one":
        return numbers.count(p["value"]) == 1
    if kind == "less_than":
        return all(x < y or (x == y and not p["strict"]) for x, y in pairs)
    if kind == "no_three_in_row":
        return all(len(list(run)) <= p["longest"] for _, run in itertools.groupby(numbers))
    if kind == "not_equal":
        return numbers[0] != numbers[1]
    if kind == "product":
        return numbers[0] * numbers[1] * numbers[2] * numbers[3] == p["product"]
    if kind == "ratio":
        return all((x == y * p["ratio"] or y == x * p["ratio"]) != p["never"] for x, y in pairs)
    if kind == "regular":
        return [len(list(run)) for n, run in itertools.groupby(numbers) if n == 1] == p["runs"]
    if kind == "sandwich":
        ends = [at for at, n in enumerate(numbers) if n in p["between"]]
        once = len(ends) == 2 and numbers[ends[0]] != numbers[ends[1]]
        return once and sum(numbers[ends[0] + 1 : ends[1]]) == p["total"]
    if kind == "sum":
        different = not p["distinct"] or len(set(numbers)) == 4
        return different and p["total"][0] <= sum(numbers) <= p["total"][1]
    if kind == "table":
        return (list(numbers) in p["tuples"]) != p["forbidden"]
    return sum(n > max((-1, *numbers[:at])) for at, n in enumerate(numbers)) == p["visible"]


@st.composite
def cases(draw: st.DrawFn, kind: str) -> tuple[dgsolve.Grid, dict[str, Any], list[set[int]]]:
    parameters = {name: draw(strategy) for name, strategy in PARAMETERS[kind].items()}
    count = 2 if kind == "not_equal" else 4
    domains = [draw(st.sets(VALUE, min_size=1)) for _ in range(count)]
    grid = dgsolve.Grid(cells=CELLS[:count], values=NUMBERS, domains=dict(zip(CELLS, domains, strict=False)))
    cells = CELLS[:count] if not rule_kinds()[kind].listed else (CELLS[:count],)
    getattr(grid, kind)(*cells, **parameters)
    return grid, parameters, domains


def test_every_kind_is_tested() -> None:
    assert {*PARAMETERS, "python"} == set(rule_kinds())


@pytest.mark.parametrize("kind", PARAMETERS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_kind_means_the_same_everywhere(kind: str, data: st.DataObject) -> None:
    grid, parameters, domains = data.draw(cases(kind))
    rule: Rule = grid.rules[0]
    right = {numbers for numbers in itertools.product(*domains) if truth(kind, numbers, parameters)}
    for numbers in itertools.product(*domains):
        assert grid.check(numbers).valid == (numbers in right), (numbers, rule)
        drafts = dgsolve_array([numbers])
        assert grid.faulty_slots(drafts).any() == (numbers not in right)
    narrowed = rule.propagate([set(domain) for domain in domains])
    if narrowed is None:
        assert not right
    else:
        for numbers in right:
            assert all(n in held for n, held in zip(numbers, narrowed, strict=True))
        assert all(new <= old for new, old in zip(narrowed, domains, strict=True))
    found = [grid.decode(values) for values in solutions(grid)]
    assert len(found) == len(set(found)) and set(found) == right
    assert by_groups(rule, domains) in (None, right)
    assert dgsolve.Grid.from_dict(grid.to_dict()) == grid
    assert dgsolve.Grid.parse(grid.to_toml()) == grid and dgsolve.Grid.parse(grid.to_json()) == grid


def dgsolve_array(rows: list[tuple[int, ...]]) -> Any:
    import numpy as np

    return np.array(rows)  # NUMBERS count from 0, so a number is its own place


def by_groups(rule: Rule, domains: list[set[int]]) -> set[tuple[int, ...]] | None:
    """The assignments that the rule's groups allow; None where it is not made of groups."""
    groups = rule.groups(NUMBERS)
    if groups is None:
        return None
    kept = set()
    for numbers in itertools.product(*domains):
        true = set(enumerate(numbers))
        exactly = all(sum(candidate in true for candidate in group) == 1 for group in groups.exactly_one)
        if exactly and all(sum(candidate in true for candidate in group) <= 1 for group in groups.at_most_one):
            kept.add(numbers)
    return kept
