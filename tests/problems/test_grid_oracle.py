"""Brute force over all answers is the oracle of small random grids: judge, propagation, certificate, groups, files."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dgsolve
from dgsolve.certify import SolutionCount, certify, certify_graph, solutions
from dgsolve.factor_graph import FactorGraph
from tests.problems.grid_cases import Case, assert_counted, assert_nothing_is_lost, grids
from tests.rules.meaning import truth
from tests.rules.readings import readings


@settings(max_examples=150)
@given(case=grids())
def test_the_judge_names_cells_of_what_is_broken(case: Case) -> None:
    grid, every = case.grid, case.every()
    drafts = np.array([[grid.values.place[number] for number in numbers] for numbers in every])
    for numbers, marks in zip(every, grid.faulty_slots(drafts), strict=True):
        report, own, broken = grid.check(case.native(numbers)), case.own_faults(numbers), case.broken(numbers)
        assert report.valid == (not own and not broken)
        scopes = [{slot} for slot in own] + [set(slots) for slots in broken]
        named = [set(fault.slots) for fault in report.faults]
        assert all(any(slots and slots <= scope for scope in scopes) for slots in named)
        assert all(any(slots <= scope for slots in named) for scope in scopes)
        assert all(fault.message and fault.scope == tuple(map(grid.cell, fault.slots)) for fault in report.faults)
        assert set(np.flatnonzero(marks)) == set().union(*named)
    assert not case.grid.given_faults() or not case.right()


@settings(max_examples=30)
@given(case=grids())
def test_a_draft_with_an_open_slot_is_faulty_there(case: Case) -> None:
    marks = case.grid.faulty_slots(np.full((1, len(case.grid.cells)), -1))
    assert marks.all()


@settings(max_examples=200)
@given(case=grids())
def test_narrowing_keeps_every_answer_and_ends_at_a_fixed_point(case: Case) -> None:
    assert_nothing_is_lost(case.grid, set(map(case.native, case.right())))


@settings(max_examples=150)
@given(case=grids())
def test_the_certificate_counts_what_brute_force_counts(case: Case) -> None:
    found = assert_counted(case.grid, set(map(case.native, case.right())))
    assert certify(case.grid, time_limit=math.inf).status == found.status


@settings(max_examples=150)
@given(case=grids())
def test_a_conflict_is_one_and_minimal(case: Case) -> None:
    """Restricted cells (given, or with a domain) that cannot stand together, and of which none can be spared."""
    found = certify(case.grid, time_limit=math.inf)
    if found.status is not SolutionCount.NONE:
        assert not found.conflicts
        return
    conflict = set(found.conflicts)
    assert not case.restricted_to(conflict).right()
    assert found.minimal or case.asks_python
    assert not found.minimal or all(case.restricted_to(conflict - {slot}).right() for slot in conflict)


@settings(max_examples=100)
@given(case=grids())
def test_what_diffusion_hears_is_the_rules(case: Case) -> None:
    """All but rules without groups or a factor: those that no answer keeps, and those that only the searches know."""
    grid, numbers = case.grid, case.grid.values.numbers
    graph = grid.factor_graph()
    both = zip(grid.rules, case.rules, strict=True)
    heard = [said for rule, said in both if not rule.is_factor(numbers) or rule.factor(numbers) is not None]
    assert (graph is None) == (not heard)
    if graph is None:
        return
    factors = [(factor.slots, set(readings(factor, numbers))) for factor in graph.factors]
    for held in case.every():
        by_factors = all(tuple(held[slot] for slot in slots) in right for slots, right in factors)
        places = [grid.values.place[number] for number in held]
        assert (by_factors and kept_by_groups(graph, places)) == (not replace(case, rules=heard).broken(held))


def kept_by_groups(graph: FactorGraph, places: list[int]) -> bool:
    """Whether exactly one candidate of each group is true, where a slack one says that no other is."""
    true = {slot * graph.values + place for slot, place in enumerate(places)}
    held = [(sum(candidate in true for candidate in group), group[-1]) for group in graph.groups]
    return all(count == 1 or (count == 0 and last >= graph.slots * graph.values) for count, last in held)


GROUPS = ("all_different", "at_most", "equal", "exactly_one", "not_equal")  # made of groups where parameters let them


@settings(max_examples=50)
@given(case=grids(kinds=GROUPS))
def test_the_groups_that_diffusion_reads_are_the_rules(case: Case) -> None:
    graph = case.grid.factor_graph()
    if graph is None or graph.factors:  # what factors say is tested beside their messages
        return
    choices = [sorted(held) for held in case.grid.given_values()]
    right = set(map(case.native, case.right()))
    if all(choices):
        found = certify_graph(graph, choices, want=len(case.every()) + 1).solutions
        assert {case.grid.decode(values) for values in found} == right


@settings(max_examples=150)
@given(case=grids())
def test_files_keep_everything(case: Case) -> None:
    grid = case.grid
    for again in (
        dgsolve.Grid.from_dict(grid.to_dict(), allow_python=True),
        dgsolve.Grid.parse(grid.to_json(), allow_python=True),
        dgsolve.Grid.parse(grid.to_toml(), allow_python=True),
    ):
        assert again == grid and hash(again) == hash(grid) and again.shape() == grid.shape()
        assert again.to_dict() == grid.to_dict() and again.title == grid.title
        assert case.asks_python or again.factor_graph() == grid.factor_graph()


def test_a_written_name_keeps_its_dash_and_a_typed_one_is_plain() -> None:
    """Signs that are read as plain ones are written as escapes."""
    grid = dgsolve.Grid(cells=["A–Ö", "b"], values=["·", "１"], givens={"A–Ö": "·"}, title="one — two\x7f")
    for text in (grid.to_json(), grid.to_toml()):
        assert {"–", "·", "１", "—", "\x7f"}.isdisjoint(text) and "Ö" in text
        again = dgsolve.Grid.parse(text)
        assert again == grid and (again.names, again.title) == (grid.names, grid.title)
    typed = dgsolve.Grid.parse('title = "one — two"\ngrid = {cells = ["A–Ö", "b"], values = "1–3"}')
    assert (typed.title, typed.names, typed.values.natives) == ("one - two", ("A-Ö", "b"), (1, 2, 3))


@settings(max_examples=50)
@given(case=grids())
def test_equal_are_grids_of_equal_parts(case: Case) -> None:
    grid = case.grid
    bare = grid.copy(givens={})
    assert grid.copy() == grid and hash(grid.copy()) == hash(grid)
    assert (bare == grid) == (not case.givens) and bare.shape() == grid.shape()
    assert all(number is None for number in bare.held)
    more = grid.copy()
    more.all_different(more.names)
    assert more != grid and more.shape() != grid.shape()


@settings(max_examples=10)
@given(case=grids())
def test_what_diffusion_answers_keeps_the_rules(case: Case) -> None:
    solution = dgsolve.solve(case.grid, "random", max_denoising_steps=6, seed=1)
    right = set(map(case.native, case.right()))
    if solution.status is dgsolve.Status.FEASIBLE:
        assert solution.answer in right
    else:
        assert solution.answer is None


@pytest.mark.parametrize("row", [(5, 1, 3, 6, 2, 4), (4, 1, 2, 6, 3, 5), (4, 5, 3, 6, 2, 1)])
def test_no_answer_is_found_twice(row: tuple[int, ...]) -> None:
    """A Boolean of the model that does not follow from the cells would repeat answers, a thousand times here."""
    grid = dgsolve.Grid(1, 6, values=range(1, 7))
    grid.all_different(grid.names)
    clues: list[tuple[str, int, dict[str, Any]]] = []
    for step in (1, -1):
        seen = sum(number > max(row[::step][:at], default=0) for at, number in enumerate(row[::step]))
        grid.visible(grid.names[::step], seen)
        clues.append(("visible", step, {"visible": seen}))
    total = sum(row[min(row.index(1), row.index(6)) + 1 : max(row.index(1), row.index(6))])
    grid.sandwich(grid.names, total, between=[1, 6])
    clues.append(("sandwich", 1, {"total": total, "between": [1, 6]}))
    right = {
        numbers
        for numbers in itertools.permutations(range(1, 7))
        if all(truth(kind, numbers[::step], parameters) for kind, step, parameters in clues)
    }
    found = [grid.decode(values) for values in solutions(grid, 100)]
    assert len(found) == len(set(found)) and set(found) == right
