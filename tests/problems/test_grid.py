"""Grids with mixed rules against brute force: judge, propagation, certificate, groups and files say the same."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.certify import SolutionCount, certify, certify_graph, solutions
from dgsolve.rules import rule_kinds
from tests.rules.meaning import KINDS, parameters, truth

ALPHABETS: tuple[Any, ...] = (range(3), range(1, 4), (-1, 1, 2), "ABC", ("red", "green"))
NATIVE_KEYS = ("value", "values", "between", "tuples", "filled")  # parameters that hold values of the grid


@dataclass
class Case:
    """A small grid, and its rules as brute force knows them: kind, slots, parameters in numbers."""

    grid: dgsolve.Grid
    rules: list[tuple[str, tuple[int, ...], dict[str, Any]]]
    choices: list[set[int]]  # by slot, the numbers that the domains alone leave it
    givens: dict[int, int]

    def right(self, givens: dict[int, int] | None = None) -> set[tuple[int, ...]]:
        """All answers, in numbers."""
        held = self.givens if givens is None else givens
        choices = [{held[slot]} & allowed if slot in held else allowed for slot, allowed in enumerate(self.choices)]
        return {
            numbers
            for numbers in itertools.product(*choices)
            if all(truth(kind, tuple(numbers[slot] for slot in slots), p) for kind, slots, p in self.rules)
        }

    def native(self, numbers: tuple[int, ...]) -> tuple[int | str, ...]:
        return tuple(map(self.grid.native, numbers))


def written(parameter: str, held: Any, grid: dgsolve.Grid) -> Any:
    """A parameter with the grid's own values for numbers."""
    if parameter not in NATIVE_KEYS:
        return held
    return [written(parameter, item, grid) for item in held] if isinstance(held, list) else grid.native(held)


@st.composite
def grids(draw: st.DrawFn, *, kinds: tuple[str, ...] = KINDS) -> Case:
    rows, cols = draw(st.sampled_from([(1, 4), (2, 2), (2, 3), (3, 2)]))
    names = [f"r{row}c{col}" for row in range(1, rows + 1) for col in range(1, cols + 1)]
    holes = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    kept = [name for name in names if name not in holes]
    grid = dgsolve.Grid(rows, cols, values=draw(st.sampled_from(ALPHABETS)), holes=holes)
    numbers = list(grid.values.numbers)
    given_slots = draw(st.lists(st.sampled_from(range(len(kept))), max_size=2, unique=True))
    givens = {slot: draw(st.sampled_from(numbers)) for slot in given_slots}
    narrow = draw(st.dictionaries(st.sampled_from(range(len(kept))), st.sets(st.sampled_from(numbers), min_size=1)))
    grid = dgsolve.Grid(
        rows,
        cols,
        values=grid.values,
        holes=holes,
        givens={kept[slot]: grid.native(number) for slot, number in givens.items()},
        domains={kept[slot]: list(map(grid.native, allowed)) for slot, allowed in narrow.items()},
    )
    rules = []
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4)):
        count = 2 if kind == "not_equal" else draw(st.integers(2, 4))
        slots = draw(st.permutations(range(len(kept))))[:count]
        taken = {name: draw(strategy) for name, strategy in parameters(kind, len(slots), numbers).items()}
        cells = [kept[slot] for slot in slots]
        arguments = (cells,) if rule_kinds()[kind].listed else cells
        getattr(grid, kind)(*arguments, **{name: written(name, held, grid) for name, held in taken.items()})
        rules.append((kind, tuple(slots), taken))
    return Case(grid, rules, [narrow.get(slot, set(numbers)) for slot in range(len(kept))], givens)


@settings(max_examples=100, deadline=None)
@given(case=grids())
def test_judge_propagation_and_certificate_agree_with_brute_force(case: Case) -> None:
    grid, right = case.grid, case.right()
    every = list(itertools.product(grid.values.numbers, repeat=len(grid.cells)))
    drafts = np.array([[grid.values.place[number] for number in numbers] for numbers in every])
    for numbers, marks in zip(every, grid.faulty_slots(drafts), strict=True):
        report = grid.check(case.native(numbers))
        assert report.valid == (numbers in right)
        named = {slot for fault in report.faults for slot in fault.slots}
        off_givens = {slot for slot, number in case.givens.items() if numbers[slot] != number}
        assert set(np.flatnonzero(marks)) == named or set(np.flatnonzero(marks)) | off_givens == named
    left = grid.candidates()
    assert all(grid.native(number) in left[slot] for numbers in right for slot, number in enumerate(numbers))
    assert not grid.given_faults() or not right
    found = certify(grid, want=len(every) + 1, time_limit=120)
    assert {grid.decode(values) for values in found.solutions} == {case.native(numbers) for numbers in right}
    assert len(found.solutions) == len(right)
    assert found.status == {0: SolutionCount.NONE, 1: SolutionCount.ONE}.get(len(right), SolutionCount.MANY)


@settings(max_examples=50, deadline=None)
@given(case=grids())
def test_a_conflict_is_one_and_minimal(case: Case) -> None:
    """Restricted cells (given, or with a domain) that cannot stand together, and of which none can be spared."""
    found = certify(case.grid, time_limit=120)
    if found.status is not SolutionCount.NONE:
        return
    assert found.minimal
    every = set(case.grid.values.numbers)

    def stand(slots: set[int]) -> bool:
        choices = [case.choices[slot] if slot in slots else every for slot in range(len(case.choices))]
        givens = {slot: number for slot, number in case.givens.items() if slot in slots}
        return bool(Case(case.grid, case.rules, choices, givens).right())

    conflict = set(found.conflicts)
    assert not stand(conflict)
    assert all(stand(conflict - {slot}) for slot in conflict)


GROUPS = ("all_different", "at_most", "equal", "exactly_one", "not_equal")  # made of groups where parameters let them


@settings(max_examples=50, deadline=None)
@given(case=grids(kinds=GROUPS))
def test_the_groups_that_diffusion_reads_are_the_rules(case: Case) -> None:
    graph = case.grid.factor_graph()
    if graph is None or graph.factors:  # what factors say is tested beside their messages
        return
    choices = [
        sorted(case.grid.values.place[n] for n in ({case.givens[s]} & held if s in case.givens else held))
        for s, held in enumerate(case.choices)
    ]
    right = {case.native(numbers) for numbers in case.right()}
    if all(choices):
        found = certify_graph(graph, choices, want=3**6).solutions
        assert {case.grid.decode(values) for values in found} == right


@settings(max_examples=50, deadline=None)
@given(case=grids())
def test_files_keep_everything(case: Case) -> None:
    grid = case.grid
    for again in (
        dgsolve.Grid.from_dict(grid.to_dict()),
        dgsolve.Grid.parse(grid.to_json()),
        dgsolve.Grid.parse(grid.to_toml()),
    ):
        assert again == grid and hash(again) == hash(grid) and again.to_dict() == grid.to_dict()


@settings(max_examples=10, deadline=None)
@given(case=grids())
def test_what_diffusion_answers_keeps_the_rules(case: Case) -> None:
    solution = dgsolve.solve(case.grid, "random", max_denoising_steps=6, seed=1)
    right = {case.native(numbers) for numbers in case.right()}
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
