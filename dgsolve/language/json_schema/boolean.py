"""Boolean operations on graphs, which go into what the graphs call only where they must.

All graphs read a text side by side. Where all that can read a value call the same graph, that call is one letter to the
operation; where one calls something that another reads differently, the calls are entered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dgsolve.language.draft import Draft, live
from dgsolve.language.json_schema.assembly import BASE, Letters, with_calls
from dgsolve.language.json_schema.compiled import EMPTY, Graph, Language, Strand, loose_of, together
from dgsolve.language.json_schema.once import Once
from dgsolve.language.minimal import minimal
from dgsolve.language.ranges import NO_RANGES, Ranges, Targets, ranges
from dgsolve.language.size_limit import refuse_beyond
from dgsolve.language.subsets import merged

_MOST = 256 - BASE - 1  # graphs at once; each has a byte that is no letter
_VALUE_STARTS = frozenset(b'"-0123456789[{tfn')

Nodes = tuple[int, ...]  # where each of the graphs that are still alive is, sorted


@dataclass(frozen=True)
class Operation:
    """By which of the graphs (numbers) are alive at a point, and which of them accept there."""

    keep: Callable[[list[int], int], bool]
    accept: Callable[[list[int], int], bool]


UNION = Operation(lambda alive, count: True, lambda final, count: bool(final))
INTERSECT = Operation(lambda alive, count: len(alive) == count, lambda final, count: len(final) == count)
EXACTLY_ONE = Operation(lambda alive, count: True, lambda final, count: len(final) == 1)
DIFFERENCE = Operation(lambda alive, count: 0 in alive, lambda final, count: final == [0])


def combined(operation: Operation, graphs: Sequence[Graph]) -> Graph:
    """The texts that the operation takes: of all graphs, of exactly one, of the first and no other, ..."""
    walk = _Walk()
    if operation is UNION:
        if len(graphs) > _MOST:
            return combined(UNION, [combined(UNION, graphs[k : k + _MOST]) for k in range(0, len(graphs), _MOST)])
        one, starts = _in_one(graphs)
        return _walked(UNION, 1, walk, sorted({walk.node(one, start, -1, 0) for start in starts}))
    return _walked(operation, len(graphs), walk, [walk.node(graph, 0, -1, k) for k, graph in enumerate(graphs)])


def _walked(operation: Operation, count: int, walk: _Walk, start: Sequence[int]) -> Graph:
    """What follows the points of `start`, which belong to `count` graphs, read side by side."""
    order: list[Nodes] = [tuple(start)]
    numbers = {order[0]: 0}
    draft = Draft([], [], set())
    calls: dict[int, tuple[Graph, int]] = {}

    def number(nodes: Nodes) -> int:
        if nodes not in numbers:
            numbers[nodes] = len(order)
            order.append(nodes)
        return numbers[nodes]

    for here, nodes in enumerate(order):
        refuse_beyond(len(order))
        strands, called, after = walk.next(nodes)
        kind, row = merged(strands) if len(strands) > 1 else (strands[0][0], [(to,) for to in strands[0][1]])
        arcs = zip(kind.pairs, row, strict=True)
        kept = [(pair, to) for pair, to in arcs if operation.keep(walk.owners(to), count)]
        draft.kinds.append(kind if len(kept) == len(row) else ranges(tuple(pair for pair, _ in kept)))
        draft.targets.append(tuple([number(to) for _, to in kept]))
        if called is not None and operation.keep(walk.owners(after), count):
            calls[here] = (called, number(after))
        if operation.accept([walk.owner[node] for node in nodes if walk.final(node)], count):
            draft.finals.add(here)
    letters = Letters({id(called): called for called, _ in calls.values()}.values())
    made = letters.skeleton(Graph(*draft[:2], frozenset(draft.finals), calls))
    return with_calls(minimal(made if operation is UNION else live(made)), letters)


class _Walk:
    """Points of the graphs: a state of a graph, and the point of the calling graph after it (-1: none)."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, int, int], int] = {}
        self._points: list[tuple[Graph, int, int]] = []
        self._strands: dict[int, Strand] = {}
        self.owner: list[int] = []

    def node(self, graph: Graph, state: int, after: int, owner: int) -> int:
        key = (id(graph), state, after, owner)
        if key not in self._numbers:
            self._numbers[key] = len(self._points)
            self._points.append((graph, state, after))
            self.owner.append(owner)
        return self._numbers[key]

    def owners(self, nodes: Nodes) -> list[int]:
        return [self.owner[node] for node in nodes]

    def final(self, node: int) -> bool:
        graph, state, after = self._points[node]
        return after < 0 and state in graph.finals

    def next(self, nodes: Nodes) -> tuple[list[Strand], Graph | None, Nodes]:
        """The arcs from here, and what is called, with the points after it."""
        strands = [self._arcs(node) for node in nodes]
        calls = {node: called for node in nodes if (called := self._call(node))}
        graphs = {id(graph) for graph, _ in calls.values()}
        if not calls:
            return strands, None, ()
        reading = len(nodes) > 1 and any(low in _VALUE_STARTS for kind, _ in strands for low, _ in kind.pairs)
        if len(graphs) == 1 and not reading:
            graph = next(iter(calls.values()))[0]
            return strands, graph, tuple(sorted(after for _, after in calls.values()))
        return strands + [self._entered(*called, self.owner[node]) for node, called in calls.items()], None, ()

    def _call(self, node: int) -> tuple[Graph, int] | None:
        graph, state, after = self._points[node]
        if state not in graph.calls:
            return None
        called, then = graph.calls[state]
        return called, self.node(graph, then, after, self.owner[node])

    def _entered(self, graph: Graph, after: int, owner: int) -> Strand:
        return graph.kinds[0], tuple([self.node(graph, to, after, owner) for to in graph.targets[0]])

    def _arcs(self, node: int) -> Strand:
        if node not in self._strands:
            graph, state, after = self._points[node]
            row = tuple([self.node(graph, to, after, self.owner[node]) for to in graph.targets[state]])
            strand = (graph.kinds[state], row)
            if after >= 0 and state in graph.finals:
                strand = together(strand, self._arcs(after))
            self._strands[node] = strand
        return self._strands[node]


def united(parts: Iterable[Language], once: Once) -> Language:
    """The union."""
    kept = list({id(part.graph): part for part in parts if not part.empty}.values())
    if len(kept) < 2:
        return kept[0] if kept else EMPTY
    return Language(once(_union, tuple(part.graph for part in kept)), loose_of(kept))


def _union(graphs: Sequence[Graph]) -> Graph:
    apart = _side_by_side(graphs)
    return combined(UNION, graphs) if apart is None else apart


def _in_one(graphs: Sequence[Graph]) -> tuple[Graph, list[int]]:
    """All graphs as one, and where each starts. Points after which the same may follow are one point in it, which
    keeps the sets of points few: open objects differ only until the keys of their own have come."""
    refuse_beyond(max(len(graph.targets) for graph in graphs))
    letters = Letters({id(called): called for graph in graphs for called, _ in graph.calls.values()}.values())
    marks = ranges(tuple((mark, mark) for mark in range(256 - len(graphs), 256)))
    whole = Draft([marks], [()], set())
    for graph in graphs:
        kinds, targets, finals = letters.skeleton(graph)
        offset = len(whole.kinds)
        whole.targets[0] += (offset,)
        whole.kinds.extend(kinds)
        whole.targets.extend(tuple([to + offset for to in row]) for row in targets)
        whole.finals.update(state + offset for state in finals)
    made = with_calls(minimal(whole), letters)
    return made, list(made.targets[0])


def _side_by_side(graphs: Sequence[Graph]) -> Graph | None:
    """The union of graphs that the first byte tells apart, None where it does not."""
    first = sorted(pair for graph in graphs for pair in graph.kinds[0].pairs)
    if any(one[1] >= other[0] for one, other in pairwise(first)) or any(0 in graph.finals for graph in graphs):
        return None
    kinds: list[Ranges] = [NO_RANGES]
    targets: list[Targets] = [()]
    finals: set[int] = set()
    calls: dict[int, tuple[Graph, int]] = {}
    for graph in graphs:
        offset = len(kinds)
        kinds += graph.kinds
        targets += [tuple([to + offset for to in row]) for row in graph.targets]
        kinds[0], targets[0] = together((kinds[0], targets[0]), (kinds[offset], targets[offset]))
        finals |= {state + offset for state in graph.finals}
        calls |= {state + offset: (called, after + offset) for state, (called, after) in graph.calls.items()}
    return Graph(kinds, targets, frozenset(finals), calls)
