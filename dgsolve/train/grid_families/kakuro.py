"""Runs of different digits that add up: kakuro."""

from __future__ import annotations

from random import Random

from dgsolve.problems.grid import Grid
from dgsolve.train.grid_families.base import Sketch, filled

Place = tuple[int, int]


def kakuro(rng: Random) -> Sketch | None:
    """A board with walls; every run of open cells of two or more has a total."""
    height, width = rng.choice([3, 4, 5, 6]), rng.choice([3, 4, 5, 6])
    open_places = _board(height, width, rng)
    if len(open_places) < 6:
        return None
    walls = [f"r{r + 1}c{c + 1}" for r in range(height) for c in range(width) if (r, c) not in open_places]
    grid = Grid(height, width, values=range(1, 10), holes=walls)
    runs = [*sorted(grid.col_runs(), key=lambda run: grid.cells.index[run[0]]), *grid.row_runs()]
    loose = grid.copy()
    for cells in runs:
        loose.all_different(cells)
    solution = filled(loose, rng)
    if solution is None:
        return None
    for cells in runs:
        grid.sum(cells, sum(solution[slot] for slot in grid.cells.slots(cells)), distinct=True)
    return Sketch(grid, solution)


def _board(height: int, width: int, rng: Random) -> set[Place]:
    """Open places of which each is in a run of two or more, in both directions."""
    places = [(r, c) for r in range(height) for c in range(width)]
    left = {place for place in places if rng.random() > rng.choice([0.1, 0.2, 0.3])}
    while True:
        kept = {(r, c) for r, c in left if {(r - 1, c), (r + 1, c)} & left and {(r, c - 1), (r, c + 1)} & left}
        if kept == left:
            return left
        left = kept
