"""The nodes of a graph spread over a plane, so that their distances are about as many as the edges between them.

Source: Gansner, Koren and North 2004, "Graph drawing by stress majorization".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from math import cos, hypot, pi, sin

Point = tuple[float, float]
MOST = 80  # nodes that are spread; more stand on a circle, for every round takes the square of their number
ROUNDS = 60


def spread(near: Sequence[Collection[int]]) -> list[Point]:
    """A point for each node, given the neighbours of each; edges are about 1 long. No chance is in it."""
    count = len(near)
    radius = max(count / 6, 0.5)
    angles = [2 * pi * node / count for node in range(count)]
    points = [(round(radius * sin(angle), 6), round(-radius * cos(angle), 6)) for angle in angles]  # alike everywhere
    if 2 < count <= MOST:
        wanted = [_distances(near, node) for node in range(count)]
        for _ in range(ROUNDS):
            points = [_drawn_to(node, points, wanted[node]) for node in range(count)]
    return points


def _distances(near: Sequence[Collection[int]], start: int) -> list[float]:
    """The number of edges to every node; to those that hang together otherwise a little more than any path."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    apart = max(found.values()) + 1
    return [float(found.get(node, apart)) for node in range(len(near))]


def _drawn_to(node: int, points: Sequence[Point], wanted: Sequence[float]) -> Point:
    """Where the others want the node: the mean of the points at the wanted distance from each, near ones first."""
    x, y = points[node]
    across = down = weights = 0.0
    for other, (other_x, other_y) in enumerate(points):
        if other != node:
            away = hypot(x - other_x, y - other_y) or 1e-9
            weight = 1 / wanted[other] ** 2
            across += weight * (other_x + wanted[other] * (x - other_x) / away)
            down += weight * (other_y + wanted[other] * (y - other_y) / away)
            weights += weight
    return across / weights, down / weights
