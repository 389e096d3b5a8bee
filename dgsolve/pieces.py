"""Pieces of a graph, and the nodes that hold a piece together.

Source: Tarjan 1972, "Depth-first search and linear graph algorithms".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Near = Mapping[Node, Iterable[Node]]  # the neighbours of each node, others that do not count among them


def beside(places: Iterable[tuple[int, int]]) -> Near[tuple[int, int]]:
    """The neighbours of places, row and column each, by their edges."""
    return {(r, c): ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) for r, c in places}


def pieces(nodes: Iterable[Node], near: Near[Node]) -> list[set[Node]]:
    """The nodes in connected pieces."""
    left, found = set(nodes), []
    while left:
        waiting = [left.pop()]
        piece = set(waiting)
        while waiting:
            new = left.intersection(near[waiting.pop()])
            left -= new
            piece |= new
            waiting += new
        found.append(piece)
    return found


def necks(piece: Set[Node], near: Near[Node], held: Set[Node]) -> set[Node]:
    """The nodes of a piece without which some of the nodes `held` are in different pieces; some are held."""
    root = next(iter(held))
    order, parent = _searched(piece, near, root)
    number = {node: at for at, node in enumerate(order)}
    low, below = dict(number), {node: int(node in held) for node in order}
    found = set()
    for node in reversed(order[1:]):
        above = parent[node]
        low[node] = min([low[node], *(number[other] for other in near[node] if other in number and other != above)])
        low[above] = min(low[above], low[node])
        below[above] += below[node]
        if below[node] and low[node] >= number[above] and above != root:
            found.add(above)
    return found


def _searched(piece: Set[Node], near: Near[Node], root: Node) -> tuple[list[Node], dict[Node, Node]]:
    """The nodes of a piece in the order of a depth-first search, and from which each was found."""
    order, ways = [root], {root: iter(near[root])}
    parent: dict[Node, Node] = {}
    at = root
    while True:
        other = next((other for other in ways[at] if other in piece and other not in ways), None)
        if other is not None:
            order.append(other)
            parent[other], ways[other] = at, iter(near[other])
            at = other
        elif at == root:
            return order, parent
        else:
            at = parent[at]
