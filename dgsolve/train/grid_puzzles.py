"""Grids with exactly one solution, made from a solved grid by telling clues until CP-SAT finds no other solution."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dgsolve.certify import SolutionCount, certify
from dgsolve.problems.grid import Grid
from dgsolve.rules import Rule
from dgsolve.train.grid_families import FAMILIES, Sketch
from dgsolve.train.grid_families.base import Clue

SECONDS = 3.0  # for each of CP-SAT's searches; a grid that takes longer is dropped
WANTED = 6  # other solutions that each search looks for


@dataclass(frozen=True)
class GridPuzzle:
    """solution: the numbers by slot, the only ones that keep the rules."""

    family: str
    grid: Grid
    solution: tuple[int, ...]

    @property
    def propagated(self) -> bool:
        """Whether propagation alone solves it."""
        grid = self.grid.copy()
        return bool((grid.narrowed(grid.permitted).sum(1) == 1).all())


def draw_puzzle(family: str, rng: Random) -> GridPuzzle | None:
    """One puzzle of a family of `FAMILIES`; None where chance made none in reasonable time."""
    sketch = FAMILIES[family](rng)
    if sketch is None:
        return None
    grid = told(sketch, rng)
    return None if grid is None else GridPuzzle(family, grid, sketch.solution)


def told(sketch: Sketch, rng: Random) -> Grid | None:
    """The sketch's grid with clues: each time one is told that rules out some of the other solutions found."""
    clues: list[Clue] = []
    while True:
        grid = _with(sketch, clues)
        found = certify(grid.copy(), time_limit=SECONDS, want=WANTED)
        numbers = [tuple(grid.values.numbers[place] for place in values) for values in found.solutions]
        if found.status is SolutionCount.ONE:
            return grid if numbers == [sketch.solution] else None
        others = [held for held in numbers if held != sketch.solution]
        if found.status is SolutionCount.UNKNOWN or not others:
            return None
        clues.append(_telling(sketch, others, clues, rng))


def _with(sketch: Sketch, clues: list[Clue]) -> Grid:
    grid = sketch.grid
    held = {grid.cell(slot): grid.native(sketch.solution[slot]) for slot in clues if isinstance(slot, int)}
    other = grid.copy(givens=held)
    for clue in clues:
        if isinstance(clue, Rule):
            other.add_rule(clue)
    return other


def _telling(sketch: Sketch, others: list[tuple[int, ...]], clues: list[Clue], rng: Random) -> Clue:
    """A clue that one of the other solutions breaks; a cell where no rule does, and now and then anyway."""
    wrong = rng.choice(others)
    rules = [clue for clue in sketch.clues if clue not in clues and _breaks(sketch.grid, clue, wrong)]
    if rules and rng.random() < 0.95:
        return rng.choice(rules)
    return rng.choice([slot for slot, number in enumerate(wrong) if number != sketch.solution[slot]])


def _breaks(grid: Grid, rule: Rule, numbers: tuple[int, ...]) -> bool:
    return bool(rule.broken([numbers[slot] for slot in rule.cells], grid))
