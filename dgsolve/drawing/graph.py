"""Named cells as nodes, and the signs between them as edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dgsolve.drawing.marks import Name, Sign, mirrored, printable
from dgsolve.problem import GridLayout

EDGE = "≠"  # the sign of a plain edge, that of colouring


@dataclass(frozen=True)
class Graph:
    """names: by slot. links: of each slot its neighbours, and the sign as it reads from the slot to each of them."""

    names: tuple[str, ...]
    links: tuple[dict[int, str], ...]

    def edges(self) -> list[tuple[int, int, str]]:
        """Each edge once, from the lower slot to the higher."""
        return [(a, b, sign) for a, links in enumerate(self.links) for b, sign in links.items() if a < b]


@lru_cache(maxsize=64)
def graph_of(layout: GridLayout) -> Graph | None:
    """The graph of a layout of named cells with signs between some of them, else None."""
    names = {mark.slots[0]: printable(mark).text for mark in layout.marks if isinstance(mark, Name)}
    pairs = [mark for mark in layout.marks if isinstance(mark, Sign) and len(set(mark.slots)) == 2]
    if not pairs or len(names) != layout.slots:
        return None
    links: list[dict[int, str]] = [{} for _ in names]
    for mark in map(printable, pairs):
        first, second = mark.slots
        links[first].setdefault(second, mark.text)
        links[second].setdefault(first, mirrored(mark.text))
    ordered = tuple(dict(sorted(of_slot.items())) for of_slot in links)
    return Graph(tuple(names[slot] for slot in range(layout.slots)), ordered)
