"""Latin squares, and the puzzles that are one: inequality signs, neighbours that follow each other, skyscrapers."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from dgsolve.rules import Rule
from dgsolve.train.grid_families.base import Sketch, filled, rule, square


def latin(rng: Random) -> Sketch | None:
    """A Latin square, told by some of its cells."""
    grid = square(rng.choice([4, 5, 6, 7, 8, 9]))
    solution = filled(grid, rng)
    return None if solution is None else Sketch(grid, solution)


def futoshiki(rng: Random) -> Sketch | None:
    """A Latin square with signs between neighbours."""
    grid = square(rng.choice([4, 5, 6, 7]))
    solution = filled(grid, rng)
    if solution is None:
        return None
    share = rng.choice([0.3, 0.6, 1.0])  # of the signs may be told
    signs = []
    for pair in grid.neighbours():
        slots = grid.cells.slots(pair)
        low = pair if solution[slots[0]] < solution[slots[1]] else pair[::-1]
        if rng.random() < share:
            signs.append(rule(grid, "less_than", *low))
    return Sketch(grid, solution, tuple(signs))


def adjacent(rng: Random) -> Sketch | None:
    """A Latin square in which every two neighbours are marked as following each other or not."""
    grid = square(rng.choice([4, 5, 6]))
    solution = filled(grid, rng)
    if solution is None:
        return None
    for pair in grid.neighbours():
        first, second = (solution[slot] for slot in grid.cells.slots(pair))
        grid.adjacent(*pair, never=abs(first - second) != 1)
    return Sketch(grid, solution)


def skyscrapers(rng: Random) -> Sketch | None:
    """A Latin square of heights, told by how many are seen from its edges."""
    grid = square(rng.choice([4, 4, 5, 5, 6]))
    solution = filled(grid, rng)
    if solution is None:
        return None
    seen: list[Rule] = []
    for line in (*grid.rows(), *grid.cols()):
        for cells in (line, line[::-1]):
            heights = [0, *(solution[slot] for slot in grid.cells.slots(cells))]
            highest = [max(heights[: end + 1]) for end in range(len(heights))]
            seen.append(rule(grid, "visible", cells, sum(later > before for before, later in pairwise(highest))))
    return Sketch(grid, solution, tuple(rng.sample(seen, round(rng.choice([0.6, 1.0]) * len(seen)))))
