"""Grids of two values whose lines are told: takuzu and nonograms."""

from __future__ import annotations

from itertools import groupby
from random import Random

from dgsolve.problems.grid import Grid
from dgsolve.train.grid_families.base import Sketch, filled


def takuzu(rng: Random) -> Sketch | None:
    """As many 0 as 1 in each line, no three in a row."""
    size = rng.choice([6, 6, 8, 8, 10])
    grid = Grid(size, size, values=[0, 1])
    for line in (*grid.rows(), *grid.cols()):
        grid.count(line, [1], size // 2)
        grid.no_three_in_row(line)
    solution = filled(grid, rng, 0.3)
    return None if solution is None else Sketch(grid, solution)


def nonogram(rng: Random) -> Sketch | None:
    """A picture of blots, told by the runs of its lines."""
    height, width = (rng.choice([5, 5, 8, 10, 12]) for _ in range(2))
    picture = _blots(height, width, rng)
    grid = Grid(height, width, values=[0, 1])
    for cells in (*grid.rows(), *grid.cols()):
        line = [picture[slot] for slot in grid.cells.slots(cells)]
        grid.regular(cells, runs=[len(list(run)) for value, run in groupby(line) if value], filled=1)
    return Sketch(grid, tuple(picture))


def _blots(height: int, width: int, rng: Random) -> list[int]:
    """Noise that was smoothed, so that runs are neither all short nor all long."""
    noise = [[rng.random() for _ in range(width)] for _ in range(height)]
    reach = rng.choice([0, 1, 1])
    smooth = [
        sum(
            noise[r][c]
            for r in range(max(0, row - reach), min(height, row + reach + 1))
            for c in range(max(0, col - reach), min(width, col + reach + 1))
        )
        / ((min(height, row + reach + 1) - max(0, row - reach)) * (min(width, col + reach + 1) - max(0, col - reach)))
        for row in range(height)
        for col in range(width)
    ]
    least = sorted(smooth)[round(rng.uniform(0.35, 0.55) * len(smooth))]
    return [int(value >= least) for value in smooth]
