"""Objects and arrays put together from punctuation, keys and values, values by reference.

Each value stands in the network as a letter: a few control bytes, which no JSON text holds. So determinizing and
minimising sees keys and commas alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import literal, network
from dgsolve.language.draft import Draft
from dgsolve.language.json_schema.compiled import Graph
from dgsolve.language.ranges import ranges

BASE = 0x1F  # letters are numbers in this base, digits written as bytes 1 to 31

Part = tuple[int, int, Acceptor | Graph]


class Letters:
    """Graphs by the control bytes that stand for them, all of one length."""

    def __init__(self, graphs: Iterable[Graph]) -> None:
        self.graphs = list(graphs)
        self.width = 1
        while BASE**self.width < len(self.graphs):
            self.width += 1
        self._numbers = {id(graph): number for number, graph in enumerate(self.graphs)}

    def name(self, graph: Graph) -> bytes:
        number = self._numbers[id(graph)]
        return bytes(1 + number // BASE**place % BASE for place in range(self.width))

    def read(self, skeleton: Draft, state: int) -> list[tuple[Graph, int]]:
        """The letters that can come next, and the states after them."""
        found = [(0, state)]
        for place in range(self.width):
            found = [
                (number + (low - 1 + step) * BASE**place, to)
                for number, here in found
                for (low, high), to in zip(skeleton.kinds[here].pairs, skeleton.targets[here], strict=True)
                if high <= BASE
                for step in range(high - low + 1)
            ]
        return [(self.graphs[number], to) for number, to in found]

    def skeleton(self, graph: Graph) -> Draft:
        """The graph's own states, with letters for what it calls."""
        kinds, targets = list(graph.kinds), list(graph.targets)
        for state, (called, after) in graph.calls.items():
            first, *rest = self.name(called)
            ends = [*range(len(kinds), len(kinds) + len(rest)), after]
            kinds[state] = ranges(((first, first), *kinds[state].pairs))
            targets[state] = (ends[0], *targets[state])
            kinds += [ranges(((digit, digit),)) for digit in rest]
            targets += [(end,) for end in ends[1:]]
        return Draft(kinds, targets, set(graph.finals))


def assemble(parts: Sequence[Part], start: int, finals: Iterable[int]) -> Graph:
    """As `algebra.network`, with graphs on some edges; no node may have two different ones to choose from."""
    letters = Letters({id(part): part for _, _, part in parts if isinstance(part, Graph)}.values())
    names = {id(graph): literal(letters.name(graph)) for graph in letters.graphs}
    edges = [(a, b, names[id(part)] if isinstance(part, Graph) else part) for a, b, part in parts]
    made = network(edges, start, finals)
    return with_calls(Draft(list(made.kinds), list(made.targets), set(made.finals)), letters)


def with_calls(skeleton: Draft, letters: Letters) -> Graph:
    """The graph of a skeleton in which no state has a choice of letters."""
    kinds, targets, finals = skeleton
    lettered = [state for state, kind in enumerate(kinds) if kind.pairs and kind.pairs[0][0] <= BASE]
    calls = {state: called[0] for state in lettered if (called := letters.read(skeleton, state))}
    kinds, targets = list(kinds), list(targets)
    for state in lettered:
        kinds[state], targets[state] = ranges(kinds[state].pairs[1:]), targets[state][1:]
    return Graph(kinds, targets, frozenset(finals), calls)
