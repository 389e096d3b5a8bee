"""A layout as SVG elements, in the form that shows it best: a grid, the board that its slots stand for, or a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dgsolve.drawing.graph import graph_of
from dgsolve.drawing.looks import Face
from dgsolve.drawing.squares import squares_of
from dgsolve.problem import GridLayout
from dgsolve.ui.svg_graph import SvgGraph
from dgsolve.ui.svg_grid import SvgGrid


class SvgPicture(Protocol):
    """What stands between (0, 0) and (width, height), in pixels."""

    width: int
    height: int

    def elements(self) -> list[str]:
        """What lies beneath comes first."""
        ...


def svg_picture(layout: GridLayout, faces: Sequence[Face]) -> SvgPicture:
    """The picture of what the slots hold."""
    squares, graph = squares_of(layout), graph_of(layout)
    if squares is not None:
        return SvgGrid(squares.layout, squares.faces(faces))
    return SvgGrid(layout, faces) if graph is None else SvgGraph(layout, graph, faces)
