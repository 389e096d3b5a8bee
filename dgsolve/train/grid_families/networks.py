"""Rules between many pairs: queens on a board, graphs to colour."""

from __future__ import annotations

from random import Random

from dgsolve.problems.grid import Grid
from dgsolve.train.grid_families.base import Sketch, filled


def n_queens(rng: Random) -> Sketch | None:
    """One queen in each row, none of which attacks another."""
    size = rng.choice([6, 8, 10, 12])
    rows = [f"row{row}" for row in range(1, size + 1)]
    grid = Grid(cells=rows, values=range(1, size + 1))
    grid.all_different(rows)
    for step in (1, -1):
        grid.all_different(rows, offsets=[step * row for row in range(size)])
    solution = filled(grid, rng, 0.3)
    return None if solution is None else Sketch(grid, solution)


def coloring(rng: Random) -> Sketch | None:
    """A graph whose neighbours hold different colours; edges are drawn between nodes of different hidden colours."""
    nodes, colours = rng.choice([8, 12, 16, 24]), rng.choice([3, 4])
    hidden = tuple(rng.randrange(1, colours + 1) for _ in range(nodes))
    names = [f"n{node}" for node in range(nodes)]
    grid = Grid(cells=names, values=range(1, colours + 1))
    pairs = [(a, b) for a in range(nodes) for b in range(a) if hidden[a] != hidden[b]]
    for a, b in rng.sample(pairs, min(len(pairs), round(rng.uniform(1.2, 2.2) * nodes))):
        grid.not_equal(names[a], names[b])
    return Sketch(grid, hidden)
