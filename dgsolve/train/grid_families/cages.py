"""Cages whose numbers are reckoned with: killer Sudoku and KenKen."""

from __future__ import annotations

from math import prod
from random import Random

from dgsolve.problems.grid import Grid
from dgsolve.train.grid_families.base import Sketch, filled, spread, square


def killer(rng: Random) -> Sketch | None:
    """A Sudoku with cages that add up, no number twice in one."""
    rows, cols = rng.choice([(2, 2), (2, 3), (2, 3), (3, 3), (3, 3)])
    grid = square(rows * cols)
    for box in grid.boxes(rows, cols):
        grid.all_different(box)
    solution = filled(grid, rng, 0.3)
    if solution is None:
        return None
    for piece in spread(grid, rng, rng.choice([[1, 2, 3], [2, 3], [2, 3, 3, 4], [2, 3, 4, 5]])):
        distinct: list[int] = []
        for slot in piece:  # a number that would stand twice begins no cage of its own: it is told by nothing
            if solution[slot] not in [solution[other] for other in distinct]:
                distinct.append(slot)
        grid.sum([grid.cell(slot) for slot in distinct], sum(solution[slot] for slot in distinct), distinct=True)
    return Sketch(grid, solution)


def kenken(rng: Random) -> Sketch | None:
    """A Latin square with cages that add up, multiply, or are so far or so many times apart."""
    grid = square(rng.choice([4, 4, 5, 5, 6]))
    solution = filled(grid, rng)
    if solution is None:
        return None
    for piece in spread(grid, rng, rng.choice([[1, 2, 3], [2, 2, 3], [2, 3, 3, 4]])):
        _cage(grid, piece, [solution[slot] for slot in piece], rng)
    return Sketch(grid, solution)


def _cage(grid: Grid, piece: list[int], numbers: list[int], rng: Random) -> None:
    cells = [grid.cell(slot) for slot in piece]
    signs = ["+", "*"]
    if len(piece) == 2:  # what leaves the most open is told the most
        signs += ["-"] * 4 if max(numbers) % min(numbers) else ["-", "-", "/", "/", "/", "/"]
    sign = rng.choice(signs)
    if len(piece) == 1 or sign == "+":
        grid.sum(cells, sum(numbers))
    elif sign == "*":
        grid.product(cells, prod(numbers))
    elif sign == "-":
        grid.difference(*cells, difference=max(numbers) - min(numbers))
    else:
        grid.ratio(*cells, ratio=max(numbers) // min(numbers))
