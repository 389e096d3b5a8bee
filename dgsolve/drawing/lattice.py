"""The edges and corners of a grid's cells, each edge with a weight; what stands where edges meet follows from these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from dgsolve.drawing.arrangement import DOWN, RIGHT, Arrangement, arranged
from dgsolve.drawing.places import Place, after
from dgsolve.problem import GridLayout


class Weight(IntEnum):
    """A passage is the heavy border of a region that a cage goes across."""

    NONE = 0
    LIGHT = 1
    HEAVY = 2
    PASSAGE = 3


Edges = dict[Place, Weight]


@dataclass(frozen=True)
class Lattice:
    """above, before: the weight of the edge above, and to the left of, a place, where there is one.

    Both go one beyond the grid, for its lower and right edges. two_levels: regions are heavy and cages light, since
    there are both; else every wall is light.
    """

    above: Edges
    before: Edges
    two_levels: bool

    def corner(self, place: Place) -> tuple[Weight, Weight, Weight, Weight]:
        """The edges that meet at the upper left corner of a place: up, right, down, left."""
        up, left = after(place, DOWN, -1), after(place, RIGHT, -1)
        edges = (self.before.get(up), self.above.get(place), self.before.get(place), self.above.get(left))
        up_, right, down, left_ = (Weight(min(edge or 0, Weight.HEAVY)) for edge in edges)
        return up_, right, down, left_


@lru_cache(maxsize=64)
def lattice(layout: GridLayout) -> Lattice:
    """The lattice of a layout and its marks."""
    found = arranged(layout)
    cells = frozenset(found.places)
    pairs = {step: [(after(place, step, -1), place) for place in _ends(found, step)] for step in (DOWN, RIGHT)}
    inner = [pair for of_step in pairs.values() for pair in of_step if cells.issuperset(pair)]
    two_levels = any(_parts(found.regions, pair) for pair in inner) and any(_parts(found.cages, pair) for pair in inner)
    heavy = Weight.HEAVY if two_levels else Weight.LIGHT

    def weight(pair: tuple[Place, Place]) -> Weight:
        first, second = pair
        if first not in cells or second not in cells:
            return Weight.NONE if first not in cells and second not in cells else heavy
        if not _parts(found.regions, pair):
            return Weight.LIGHT if _parts(found.cages, pair) else Weight.NONE
        caged = first in found.cages and not _parts(found.cages, pair)
        return Weight.PASSAGE if two_levels and caged else heavy

    edges = {step: {pair[1]: weight(pair) for pair in pairs[step] if weight(pair)} for step in (DOWN, RIGHT)}
    return Lattice(edges[DOWN], edges[RIGHT], two_levels)


def _ends(found: Arrangement, step: Place) -> list[Place]:
    """Every place that has an edge towards `step`: the cells, and what lies after them."""
    return sorted({*found.places, *(after(place, step) for place in found.places)})


def _parts(areas: dict[Place, int], pair: tuple[Place, Place]) -> bool:
    """Whether the border of an area lies between two places."""
    return areas.get(pair[0]) != areas.get(pair[1])


# Of the weights none, light and heavy, up, right, down and left, left changing fastest.
JUNCTIONS = (
    " ╴╸╷┐┑╻┒┓" "╶─╾┌┬┭┎┰┱" "╺╼━┍┮┯┏┲┳"
    "╵┘┙│┤┥╽┧┪" "└┴┵├┼┽┟╁╅" "┕┶┷┝┾┿┢╆╈"
    "╹┚┛╿┦┩┃┨┫" "┖┸┹┞╀╃┠╂╉" "┗┺┻┡╄╇┣╊╋"
)  # fmt: skip
ACROSS, ALONG = " ─━╍", " │┃┇"  # of each weight, a piece of a horizontal and of a vertical edge


def junction(weights: tuple[Weight, Weight, Weight, Weight]) -> str:
    """The character in which edges of these weights meet: up, right, down, left."""
    up, right, down, left = weights
    return JUNCTIONS[((up * 3 + right) * 3 + down) * 3 + left]
