"""A graph as SVG elements: nodes as discs with their values, edges as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import hypot

from rich.cells import cell_len

from dgsolve.drawing.colours import colour_under
from dgsolve.drawing.graph import EDGE, Graph, graph_of
from dgsolve.drawing.looks import FAULT, Face
from dgsolve.drawing.spread import spread
from dgsolve.problem import GridLayout
from dgsolve.ui.svg_document import ink, paint, xml_text

HIGH = 38  # all lengths are in pixels
ADVANCE = 8  # of a character of a name or a value
SPACE = 18  # between the nearest nodes


class SvgGraph:
    """A graph with what its nodes hold; elements stand between (0, 0) and (width, height)."""

    def __init__(self, layout: GridLayout, graph: Graph, faces: Sequence[Face]) -> None:
        self._symbols, self._graph, self._faces = layout.symbols, graph, faces
        self._wide = _wide(layout, graph)
        self._points = _points(layout)
        self.width = max(x for x, _ in self._points) + self._wide // 2 + 1
        self.height = max(y for _, y in self._points) + HIGH // 2 + 1

    def elements(self) -> list[str]:
        """Edges lie beneath the nodes."""
        nodes = (element for slot, face in enumerate(self._faces) for element in self._node(slot, face))
        return [*self._edges(), *nodes]

    def _edges(self) -> Iterator[str]:
        edges = self._graph.edges()
        ends = [(*self._points[first], *self._points[second]) for first, second, _ in edges]
        yield f'<path class="edge" d="{"".join(f"M{x} {y}L{x2} {y2}" for x, y, x2, y2 in ends)}"/>'
        for (x, y, x2, y2), (first, second, sign) in zip(ends, edges, strict=True):
            if sign != EDGE:
                said = f"{self._graph.names[first]} {sign} {self._graph.names[second]}"
                yield f'<text class="label" x="{(x + x2) // 2}" y="{(y + y2) // 2}">{xml_text(said)}</text>'

    def _node(self, slot: int, face: Face) -> Iterator[str]:
        """The name above what it holds."""
        (x, y), (symbol, look) = self._points[slot], face
        colour, kind = colour_under(self._symbols, face), "mark" if look == FAULT else "node"
        place = f'x="{x - self._wide // 2}" y="{y - HIGH // 2}" width="{self._wide}" height="{HIGH}" rx="{HIGH // 2}"'
        yield f'<rect class="{kind}" {place}{paint(colour)}/>'
        name = "clue fault" if look == FAULT else "clue"
        middle = y + 5 if symbol is None else y - 3
        yield f'<text class="{name}" x="{x}" y="{middle}"{ink(colour)}>{xml_text(self._graph.names[slot])}</text>'
        if symbol is not None:
            yield f'<text class="{look}" x="{x}" y="{y + 13}"{ink(colour)}>{xml_text(symbol)}</text>'


def _wide(layout: GridLayout, graph: Graph) -> int:
    """Of a node: a disc, unless a name or a value needs more room."""
    longest = max(map(cell_len, (*graph.names, *layout.symbols)))
    return max(HIGH, longest * ADVANCE + 16)


@lru_cache(maxsize=64)
def _points(layout: GridLayout) -> list[tuple[int, int]]:
    """The middle of every node: as near as can be without any two that touch, as far as they are spread at all."""
    graph = graph_of(layout)
    assert graph is not None
    wide, points = _wide(layout, graph), spread(graph.links)
    ways = [(x - x2, y - y2) for (x, y), (x2, y2) in combinations(points, 2)]
    nearest = min(hypot(across / (wide + SPACE), down / (HIGH + SPACE)) for across, down in ways)
    scale = 1 / max(nearest, 0.2 / (HIGH + SPACE))
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return [(round((x - left) * scale) + wide // 2 + 1, round((y - top) * scale) + HIGH // 2 + 1) for x, y in points]
