"""Acceptors on the edges of a graph, made one automaton; mostly that is deterministic, and nothing need be searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.draft import Draft
from dgsolve.language.ranges import NO_RANGES, Ranges, Targets
from dgsolve.language.size_limit import refuse_beyond
from dgsolve.language.subsets import Strand, Tangle, merged

Edge = tuple[int, int, Acceptor]


def useful_edges(edges: Iterable[Edge], start: int, finals: Iterable[int]) -> list[Edge]:
    """The edges that lie on a walk from `start` to a final node."""
    edges = [edge for edge in edges if not edge[2].empty]
    ahead = _spread([start], [(origin, target) for origin, target, _ in edges])
    behind = _spread(finals, [(target, origin) for origin, target, _ in edges])
    return [edge for edge in edges if edge[0] in ahead and edge[1] in behind]


def _spread(nodes: Iterable[int], pairs: Iterable[tuple[int, int]]) -> set[int]:
    after: dict[int, list[int]] = {}
    for origin, target in pairs:
        after.setdefault(origin, []).append(target)
    found = set(nodes)
    stack = list(found)
    while stack:
        for node in after.get(stack.pop(), ()):
            if node not in found:
                found.add(node)
                stack.append(node)
    return found


class _Nodes:
    """The nodes of the graph, numbered from the start, with what each reaches without a byte."""

    def __init__(self, edges: Sequence[Edge], start: int, finals: set[int]) -> None:
        self.number = {start: 0}
        for origin, target, _ in edges:
            self.number.setdefault(origin, len(self.number))
            self.number.setdefault(target, len(self.number))
        self.own: list[list[int]] = [[] for _ in self.number]  # the edges out of each node
        self.skips: list[list[int]] = [[] for _ in self.number]  # nodes behind edges that accept the empty text
        for k, (origin, target, part) in enumerate(edges):
            self.own[self.number[origin]].append(k)
            if 0 in part.finals:
                self.skips[self.number[origin]].append(self.number[target])
        self.ends = [node in finals for node in self.number]
        self._known: dict[int, tuple[list[int], bool]] = {}

    def leads(self, node: int) -> tuple[list[int], bool]:
        """The edges that can be next at `node`, and whether a text may end there."""
        if not self.skips[node]:
            return self.own[node], self.ends[node]
        if node not in self._known:
            found = {node: None}
            stack = [node]
            for other in stack:
                fresh = [there for there in self.skips[other] if there not in found]
                found.update(dict.fromkeys(fresh))
                stack += fresh
            self._known[node] = [k for other in found for k in self.own[other]], any(self.ends[o] for o in found)
        return self._known[node]


def glued(edges: Sequence[Edge], start: int, finals: set[int]) -> tuple[Draft, dict[int, Tangle]]:
    """A graph of useful edges as one automaton, and those of its states whose arcs overlap; state 0 is the start.

    The nodes are states. Final states without arcs are the node that they lead to; starts that no arc leads back to are
    not needed, since each node, and each other final state, has copies of the arcs of all starts that can be next.
    """
    nodes = _Nodes(edges, start, finals)
    count = len(nodes.number)
    refuse_beyond(count + sum(len(part) - (part.sink >= 0) - (not part.start_entered) for _, _, part in edges))
    kinds: list[Ranges] = [NO_RANGES] * count
    targets: list[Targets] = [()] * count
    first: list[Strand] = []
    open_states = [(node, node) for node in range(count)]  # (state, node whose next arcs it gets)
    for _, target, part in edges:
        there = nodes.number[target]
        states = [q for q in range(0 if part.start_entered else 1, len(part)) if q != part.sink]
        place = [there] * len(part)
        for number, state in enumerate(states, len(kinds)):
            place[state] = number
        first.append((part.kinds[0], tuple(map(place.__getitem__, part.targets[0]))))
        kinds += [part.kinds[state] for state in states]
        targets += [tuple(map(place.__getitem__, part.targets[state])) for state in states]
        open_states += [(place[q], there) for q in part.finals if q != part.sink and (q or part.start_entered)]
    tangled: dict[int, Tangle] = {}
    ends: set[int] = set()
    for state, node in open_states:
        follow, final = nodes.leads(node)
        if final:
            ends.add(state)
        strands = [strand for strand in ((kinds[state], targets[state]), *(first[k] for k in follow)) if strand[1]]
        if len(strands) > 1:
            kind, row = merged(strands)
            if any(len(there) > 1 for there in row):
                tangled[state] = Tangle(strands, (kind, row))
            strands = [(kind, tuple(there[0] for there in row))]
        if strands:
            kinds[state], targets[state] = strands[0]
    return Draft(kinds, targets, ends), tangled
