"""A solved grid and what may be told of it, and how grids are filled at random."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from dgsolve.certify import solutions
from dgsolve.problems.grid import Grid
from dgsolve.rules import Rule

Clue = Rule | int  # a rule that the solution keeps, or a slot whose value is told
SECONDS = 3.0  # for CP-SAT to fill a grid


@dataclass(frozen=True)
class Sketch:
    """grid: open, with the rules that are always told. solution: numbers by slot. clues: told where they are needed.

    Slots may always be told besides, after the clues.
    """

    grid: Grid
    solution: tuple[int, ...]
    clues: tuple[Rule, ...] = ()


def filled(grid: Grid, rng: Random, share: float = 0.5) -> tuple[int, ...] | None:
    """A solution of `grid`, numbers by slot: a share of the slots is drawn, the rest searched; None: it failed."""
    grid = grid.copy()
    table = grid.narrowed(grid.permitted)
    for slot in rng.sample(range(len(table)), round(share * len(table))):
        choices = np.flatnonzero(table[slot])
        if len(choices) > 1:
            tried = table.copy()
            tried[slot] = np.arange(table.shape[1]) == rng.choice(choices.tolist())
            tried = grid.narrowed(tried)
            table = tried if tried.any() else table
    held = {grid.cell(slot): grid.native(number) for slot, number in _settled(grid, table)}
    found = next(solutions(grid.copy(givens=held), 1, time_limit=SECONDS), None)
    return None if found is None else tuple(grid.values.numbers[place] for place in found)


def _settled(grid: Grid, table: np.ndarray) -> list[tuple[int, int]]:
    return [(slot, grid.values.numbers[int(row.argmax())]) for slot, row in enumerate(table) if row.sum() == 1]


def square(size: int, **options: Any) -> Grid:
    """A Latin square to be: every value once in each row and column."""
    grid = Grid(size, size, values=range(1, size + 1), **options)
    for line in (*grid.rows(), *grid.cols()):
        grid.all_different(line)
    return grid


def rule(grid: Grid, kind: str, *arguments: Any, **parameters: Any) -> Rule:
    """The rule that `grid.KIND(...)` would add."""
    before = len(grid.rules)
    other = grid.copy()
    getattr(other, kind)(*arguments, **parameters)
    return other.rules[before]


def spread(grid: Grid, rng: Random, sizes: list[int]) -> list[list[int]]:
    """The slots of a rectangle in connected pieces of at most the `sizes` drawn, every slot in one."""
    neighbours: dict[int, list[int]] = {slot: [] for slot in range(len(grid.cells))}
    for pair in grid.neighbours():
        first, second = grid.cells.slots(pair)
        neighbours[first].append(second)
        neighbours[second].append(first)
    free, pieces = set(neighbours), []
    while free:
        piece, wanted = [rng.choice(sorted(free))], rng.choice(sizes)
        free.discard(piece[0])
        while len(piece) < wanted:
            edge = sorted({near for slot in piece for near in neighbours[slot]} & free)
            if not edge:
                break
            piece.append(rng.choice(edge))
            free.discard(piece[-1])
        pieces.append(piece)
    return pieces
