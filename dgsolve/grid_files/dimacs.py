"""DIMACS: graphs to colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, GridEntry, GridFormat, Written
from dgsolve.grid_files.entries import entry_of
from dgsolve.puzzle_files.base import Line
from dgsolve.shortened import shown

_MOST_NODES = 10_000
_HEADER = re.compile(r"p\s+(?:edge|edges|col)\s+([0-9]{1,9})\s+([0-9]{1,9})")
_SIZES = re.compile(r"([0-9]{1,9})(?:\s+([0-9]{1,9}))?")
_EDGE = re.compile(r"e\s+([0-9]{1,9})\s+([0-9]{1,9})")
_FIRST = re.compile(r"\s*(?:c(?:\s.*)?|p\s+(?:edge|edges|col)\b.*|e\s+[0-9].*|[0-9]{1,3}|[0-9]+\s+[0-9]+)\s*")
_HINT = "Write `p edge NODES EDGES`, then a line `e 1 2` for each edge; lines that begin with c are comments."


class DimacsFile(GridFormat):
    """`p edge 11 20`, `e 1 2`, ...; also a line with the number of colours and one with the two sizes in place of p.

    Each node is a cell, its number the name; an edge holds two colours apart.
    """

    def sniff(self, first: str) -> bool:
        return _FIRST.fullmatch(first) is not None

    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        graph, first = _Graph(context), 0
        try:
            for line in lines:
                first = first or line.number
                graph.feed(line)
            yield entry_of(Written(graph.record(first)), first, context)
        except PuzzleError as error:
            yield context.failed(error, first)


class _Sizes(NamedTuple):
    nodes: int
    edges: int
    line: int


class _Graph:
    """What has been read of a graph so far."""

    def __init__(self, context: GridContext) -> None:
        self.context = context
        self.sizes: _Sizes | None = None
        self.colours: int | None = None
        self.edges: dict[tuple[int, int], None] = {}
        self.read = 0  # lines of edges, those that name a pair again among them

    def feed(self, line: Line) -> None:
        text = line.text.strip()
        if not text or re.match(r"c(\s|$)|#", text):
            return
        header, sizes, edge = _HEADER.fullmatch(text), _SIZES.fullmatch(text), _EDGE.fullmatch(text)
        if edge:
            self._edge(int(edge[1]), int(edge[2]), line)
        elif header or (sizes and sizes[2]):
            counts = header or sizes
            assert counts is not None
            self._size(_Sizes(int(counts[1]), int(counts[2]), line.number), line)
        elif sizes and self.sizes is None and self.colours is None:
            self.colours = int(sizes[1])
        else:
            raise self.context.error(f"{shown(text)} is no line of a graph", line.number, hint=_HINT)

    def _size(self, sizes: _Sizes, line: Line) -> None:
        if self.sizes is not None:
            message = f"the sizes stand here again, first in line {self.sizes.line}"
            raise self.context.error(message, line.number)
        if not 1 <= sizes.nodes <= _MOST_NODES:
            message = f"a graph of {sizes.nodes} nodes: from 1 to {_MOST_NODES} are read"
            raise self.context.error(message, line.number)
        self.sizes = sizes

    def _edge(self, one: int, other: int, line: Line) -> None:
        if self.sizes is None:
            raise self.context.error("an edge stands before the number of nodes", line.number, hint=_HINT)
        for node in (one, other):
            if not 1 <= node <= self.sizes.nodes:
                message = f"node {node} is not one of 1 to {self.sizes.nodes}"
                raise self.context.error(message, line.number)
        if one == other:
            raise self.context.error(f"an edge joins node {one} with itself: no colours fit", line.number)
        self.read += 1
        self.edges[min(one, other), max(one, other)] = None

    def record(self, first: int) -> dict[str, object]:
        """The tables of a grid file."""
        if self.sizes is None:
            raise self.context.error("the file names no number of nodes", first, hint=_HINT)
        told = self.sizes.edges
        if told not in (self.read, len(self.edges), 2 * len(self.edges)):
            message = f"the file has {self.read} lines of edges, its sizes say {told}"
            raise self.context.error(message, self.sizes.line, hint="Is the file complete?")
        colours = self.context.colours or self.colours
        if colours is None:
            hint = "Say how many with --colours N, or colours=N in Python."
            raise self.context.error("the file does not say with how many colours", first, hint=hint)
        nodes = [str(node) for node in range(1, self.sizes.nodes + 1)]
        edges = [f"{one} {other}" for one, other in self.edges]
        return {"kind": "coloring", "nodes": nodes, "edges": edges, "colours": colours}
