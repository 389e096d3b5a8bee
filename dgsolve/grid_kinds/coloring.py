"""Graph colouring: the ends of every edge have different colours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, blaming, givens
from dgsolve.grid_kinds.making import with_givens
from dgsolve.grid_kinds.options import CellsText, Palette
from dgsolve.problems.grid import Grid
from dgsolve.problems.grid_cells import MOST_CELLS
from dgsolve.rules.parameters import Several, Words, parameter

_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class Coloring(GridKind):
    """The nodes are those of the edges, unless `nodes` names them; `dimacs` is the text of a DIMACS .col file.

    kind = "coloring"
    colours = ["red", "green", "blue"]
    edges = ["Spain Portugal", "Spain France"]
    """

    kind: ClassVar[str] = "coloring"
    title: ClassVar[str] = "graph colouring"

    colours: Any = parameter(Palette(), "how many colours, or their names")
    edges: tuple[Any, ...] = parameter(Several(CellsText()), "pairs of nodes", ())
    nodes: tuple[str, ...] = parameter(Several(Words()), "the nodes, where not all have edges", ())
    dimacs: str = parameter(Words(), "in place of edges and nodes: lines p edge N M, then e A B", "")
    givens: Any = givens()

    def build(self) -> Grid:
        if bool(self.dimacs) == bool(self.edges or self.nodes):
            option = "dimacs" if self.dimacs else "edges"
            raise UsageError(f"{option}: give edges (and nodes), or else dimacs", hint='edges = ["a b", "b c"]')
        nodes, edges = _of_dimacs(self.dimacs) if self.dimacs else self._graph()
        with blaming("dimacs" if self.dimacs else "nodes" if self.nodes else "edges"):
            grid = Grid(cells=nodes, values=self.colours, title=f"{len(self.colours)}-{self.title}")
        grid = with_givens(grid, self.givens)
        for first, second in edges:
            grid.not_equal([first], [second])
        return grid

    def _graph(self) -> tuple[list[str], list[tuple[str, str]]]:
        edges = {frozenset(edge): edge for edge in self._edges()}
        named = self.nodes or dict.fromkeys(node for edge in edges.values() for node in edge)
        return list(named), list(edges.values())

    def _edges(self) -> Iterator[tuple[str, str]]:
        for number, edge in enumerate(self.edges, 1):
            ends = edge.replace(",", " ").split() if isinstance(edge, str) else edge
            with blaming(f"edges[{number}]"):
                if len(ends) != 2 or ends[0] == ends[1]:
                    raise UsageError("an edge joins two nodes", hint='Write "a b", or ["New York", "Ohio"].')
                unknown = next((node for node in ends if self.nodes and node not in self.nodes), None)
                if unknown is not None:
                    raise UsageError(f"{unknown!r} is not one of the nodes")
            yield ends[0], ends[1]


def _of_dimacs(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    count, edges = 0, {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        with blaming("dimacs"):
            if words[0] == "p" and len(words) == 4 and _NUMBER.fullmatch(words[2]) and not count:
                count = int(words[2])
                if count > MOST_CELLS:
                    raise UsageError(f"a graph of {count} nodes: {MOST_CELLS} at most")
            elif words[0] == "e" and len(words) == 3 and _are_nodes(words[1:], count):
                if words[1] != words[2]:
                    edges[frozenset(words[1:])] = (words[1], words[2])
            elif words[0] != "n":
                raise UsageError(f"line {number} is neither p edge N M nor e A B with nodes 1 to {count}")
    return [str(node) for node in range(1, count + 1)], list(edges.values())


def _are_nodes(words: Sequence[str], count: int) -> bool:
    return all(_NUMBER.fullmatch(word) and 1 <= int(word) <= count for word in words)
