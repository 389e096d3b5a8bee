"""Where cells lie towards each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dgsolve.problem import GridLayout

Place = tuple[int, int]  # row and column, counted from 0; outside the grid also -1 and beyond the last


def places_of(layout: GridLayout) -> tuple[Place, ...]:
    """The place of every slot; of a rectangle without holes in reading order."""
    return layout.places or tuple((row, column) for row in range(layout.rows) for column in range(layout.cols))


def step_of(line: Sequence[Place]) -> Place | None:
    """The step from each place of a straight line to the next, at most one row and column; None where there is none."""
    steps = {(r - above, c - before) for (above, before), (r, c) in pairwise(line)}
    step = steps.pop() if len(steps) == 1 else None
    return step if step is not None and max(map(abs, step)) == 1 else None


def after(place: Place, step: Place, times: int = 1) -> Place:
    """The place `times` steps on."""
    return place[0] + times * step[0], place[1] + times * step[1]
