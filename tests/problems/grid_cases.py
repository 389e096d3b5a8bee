"""Small random grids with rules of every kind, beside what brute force needs to know all their answers."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

import dgsolve
from dgsolve.certify import Certificate, SolutionCount, certify
from dgsolve.rules import rule_kinds
from tests.rules.meaning import KINDS, parameters, truth

ALPHABETS: tuple[Any, ...] = (
    *(range(2), range(3), range(1, 5), (-1, 1, 2), (10, 2), "AB", "CAB"),
    *(("red", "green"), ("2", "1", "10"), ("-", "*", "0"), ("·", "１", "—"), ('"', "\\", "😀")),
)
RECTANGLES = ((1, 2), (1, 4), (3, 1), (2, 2), (2, 3), (3, 2))
NAMES = ("x", "New York", "r2c2", "c1", "a,b", "5", "A–Ö", 'say "·"', "😀\x7f")
MOST_ANSWERS = 1024  # of a grid, right or wrong: brute force judges each
SIZES = {"not_equal": (2,), "rank": (4,)}  # of kinds that do not take just any number of cells
NATIVE_KEYS = ("value", "values", "between", "tuples", "filled")  # parameters that hold values of the grid


@dataclass(frozen=True)
class Case:
    """A small grid, and its rules as brute force knows them: kind, slots, parameters in numbers."""

    grid: dgsolve.Grid
    rules: list[tuple[str, tuple[int, ...], dict[str, Any]]]
    choices: list[set[int]]  # by slot, the numbers that the domains alone leave it
    givens: dict[int, int]

    @property
    def asks_python(self) -> bool:
        """Whether some rule is known to the judge alone."""
        return any(kind == "python" for kind, _, _ in self.rules)

    def broken(self, numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The slots of every rule that the numbers break."""
        return [slots for kind, slots, p in self.rules if not truth(kind, tuple(numbers[slot] for slot in slots), p)]

    def own_faults(self, numbers: tuple[int, ...]) -> set[int]:
        """The slots that hold what their given or their domain excludes."""
        return {
            slot
            for slot, number in enumerate(numbers)
            if number != self.givens.get(slot, number) or number not in self.choices[slot]
        }

    def every(self) -> list[tuple[int, ...]]:
        """All assignments, in numbers."""
        return list(itertools.product(self.grid.values.numbers, repeat=len(self.grid.cells)))

    def right(self) -> set[tuple[int, ...]]:
        """All answers, in numbers."""
        return {numbers for numbers in self.every() if not self.own_faults(numbers) and not self.broken(numbers)}

    def restricted_to(self, slots: set[int]) -> Case:
        """With the givens and domains of these slots alone, for brute force."""
        everything = set(self.grid.values.numbers)
        choices = [held if slot in slots else everything for slot, held in enumerate(self.choices)]
        return replace(self, choices=choices, givens={s: n for s, n in self.givens.items() if s in slots})

    def native(self, numbers: tuple[int, ...]) -> tuple[int | str, ...]:
        """The answer as Python has it."""
        return tuple(map(self.grid.native, numbers))


def written(parameter: str, held: Any, grid: dgsolve.Grid) -> Any:
    """A parameter with the grid's own values for numbers."""
    if parameter == "transitions":
        return [[state, grid.native(number), after] for state, number, after in held]
    if parameter not in NATIVE_KEYS:
        return held
    return [written(parameter, item, grid) for item in held] if isinstance(held, list) else grid.native(held)


@st.composite
def shapes(draw: st.DrawFn) -> dict[str, Any]:
    """Cells of a rectangle, perhaps with holes, or with names of their own; and values for them."""
    if draw(st.booleans()):
        rows, cols = draw(st.sampled_from(RECTANGLES))
        names = [f"r{row}c{col}" for row in range(1, rows + 1) for col in range(1, cols + 1)]
        holes = draw(st.lists(st.sampled_from(names), max_size=min(2, len(names) - 2), unique=True))
        cells = {"rows": rows, "cols": cols, "holes": holes}
    else:
        cells = {"cells": draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))}
    count = len(dgsolve.Grid(**cells, values=(0, 1)).cells)
    fitting = [values for values in ALPHABETS if len(values) ** count <= MOST_ANSWERS]
    return {**cells, "values": draw(st.sampled_from(fitting)), "title": draw(st.text(max_size=5))}


@st.composite
def scopes(draw: st.DrawFn, kind: str, slots: int, others: list[tuple[int, ...]], *, shared: bool) -> tuple[int, ...]:
    """The slots of a rule: those of another one, from first to last or from last to first, or any."""
    counts = SIZES.get(kind, (2, 3, 4))
    alike = [scope for scope in others if kind not in SIZES or len(scope) in counts]
    if alike and (shared or draw(st.booleans())):
        return draw(st.sampled_from(alike))[:: draw(st.sampled_from((1, -1)))]
    count = draw(st.sampled_from(counts))
    return tuple(draw(st.permutations(range(slots)))[:count])


@st.composite
def grids(draw: st.DrawFn, *, kinds: tuple[str, ...] = KINDS, shared: bool = False) -> Case:
    """Grids under one to four rules of these kinds; some have no answer, some one, some many.

    shared: all are about the same cells, from two rules on.
    """
    shape = draw(shapes())
    empty = dgsolve.Grid(**shape)
    names, numbers = empty.names, list(empty.values.numbers)
    slot = st.sampled_from(range(len(names)))
    givens = draw(st.dictionaries(slot, st.sampled_from(numbers), max_size=2))
    narrow = draw(st.dictionaries(slot, st.sets(st.sampled_from(numbers), min_size=1)))
    grid = dgsolve.Grid(
        **shape,
        givens={names[slot]: empty.native(number) for slot, number in givens.items()},
        domains={names[slot]: list(map(empty.native, allowed)) for slot, allowed in narrow.items()},
    )
    rules: list[tuple[str, tuple[int, ...], dict[str, Any]]] = []
    fitting = [kind for kind in kinds if max(SIZES.get(kind, (0,))) <= len(names)]
    for kind in draw(st.lists(st.sampled_from(fitting), min_size=1 + shared, max_size=4)):
        scope = draw(scopes(kind, len(names), [slots for _, slots, _ in rules], shared=shared))
        taken = draw(parameters(kind, len(scope), numbers))
        cells = [names[slot] for slot in scope]
        arguments = (cells,) if rule_kinds()[kind].listed else cells
        getattr(grid, kind)(*arguments, **{name: written(name, held, grid) for name, held in taken.items()})
        rules.append((kind, scope, taken))
    return Case(grid, rules, [narrow.get(slot, set(numbers)) for slot in range(len(names))], givens)


def assert_nothing_is_lost(grid: dgsolve.Grid, right: set[tuple[Any, ...]]) -> None:
    """The candidates hold every right answer, and the rules find no more to take away."""
    left, table = grid.candidates(), grid.narrowed(grid.permitted)
    assert all(value in held for answer in right for value, held in zip(answer, left, strict=True))
    assert table.any(1).all() or (not table.any() and not right)
    assert (table <= grid.permitted).all() and (grid.narrowed(table) == table).all()


def assert_counted(grid: dgsolve.Grid, right: set[tuple[Any, ...]]) -> Certificate:
    """Exact search finds every right answer, each once, and no other."""
    found = certify(grid, want=len(right) + 1, time_limit=math.inf)
    assert {grid.decode(values) for values in found.solutions} == right and len(found.solutions) == len(right)
    assert found.status is {0: SolutionCount.NONE, 1: SolutionCount.ONE}.get(len(right), SolutionCount.MANY)
    return found
