"""What compiling one place gives: a graph of sub-automata, and the keywords that it is too wide for.

A value inside an object or array is not copied into the automaton around it: the graph calls its graph and goes on at
a state of its own after it. So a subschema used in many places is compiled once, and how large the whole would be is
known before it is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import NOTHING
from dgsolve.language.draft import Draft, live
from dgsolve.language.minimal import minimal
from dgsolve.language.ranges import NO_RANGES, Ranges, Targets, ranges
from dgsolve.language.size_limit import refuse_beyond


@dataclass(frozen=True)
class Loose:
    """A keyword that the automaton does not impose at one group of places, so the validator has to.

    `below`: places of subschemas whose keywords are left to the validator with it.
    """

    pointer: str
    keyword: str
    note: str
    members: tuple[str, ...]
    below: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Graph:
    """A deterministic automaton some of whose states call another graph: calls[q] is (what is read at q, state after).

    kinds, targets, finals as in `Draft`. The start calls nothing, and no text of a graph goes on where the state after
    a call does: so it stays deterministic when everything is copied in.
    """

    kinds: Sequence[Ranges]
    targets: Sequence[Targets]
    finals: frozenset[int]
    calls: Mapping[int, tuple[Graph, int]] = field(default_factory=dict)

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(acceptor: Acceptor) -> Graph:
        """The same graph for equal acceptors, so that it is seen at once that two places call the same."""
        return Graph(acceptor.kinds, acceptor.targets, acceptor.finals)

    @cached_property
    def size(self) -> int:
        """States once everything is copied in, before equal ones are merged."""
        called = {(id(graph), after): graph for graph, after in self.calls.values()}
        return len(self.targets) + sum(graph.size for graph in called.values())

    @cached_property
    def acceptor(self) -> Acceptor:
        """Everything copied in; TooLargeError beyond the limit of the algebra."""
        refuse_beyond(self.size)
        draft = Draft([], [], set(self.finals))
        self._copy(draft, (NO_RANGES, ()))
        return Acceptor.of_minimal(minimal(live(draft)))

    def _copy(self, draft: Draft, tail: Strand) -> int:
        """Appends all states; final ones go on with the arcs of `tail`. The number of the start."""
        kinds, targets, _ = draft
        offset = len(kinds)
        kinds += self.kinds
        targets += [tuple([to + offset for to in row]) for row in self.targets]

        def add(state: int, strand: Strand) -> None:
            kinds[state], targets[state] = together((kinds[state], targets[state]), strand)

        if tail[1]:
            for state in self.finals:
                add(offset + state, tail)
        copies: dict[tuple[int, int], int] = {}
        for state, (graph, after) in self.calls.items():
            key = (id(graph), after)
            if key not in copies:
                copies[key] = graph._copy(draft, (kinds[offset + after], targets[offset + after]))
            add(offset + state, (kinds[copies[key]], targets[copies[key]]))
        return offset


Strand = tuple[Ranges, Targets]


def together(one: Strand, other: Strand) -> Strand:
    """The arcs of both, whose bytes differ."""
    if not one[1]:
        return other
    arcs = sorted([*zip(one[0].pairs, one[1], strict=True), *zip(other[0].pairs, other[1], strict=True)])
    return ranges(tuple([pair for pair, _ in arcs])), tuple([to for _, to in arcs])


@dataclass(frozen=True, eq=False)
class Language:
    """All texts that fit lie in `graph`; it holds no others unless something is loose."""

    graph: Graph
    loose: frozenset[Loose] = frozenset()

    @classmethod
    def of(cls, acceptor: Acceptor, loose: frozenset[Loose] = frozenset()) -> Language:
        return cls(Graph.of(acceptor), loose)

    @property
    def empty(self) -> bool:
        return not self.graph.finals

    @property
    def size(self) -> int:
        return self.graph.size

    @property
    def acceptor(self) -> Acceptor:
        return self.graph.acceptor


EMPTY = Language.of(NOTHING)


def loose_of(parts: Iterable[Language]) -> frozenset[Loose]:
    return frozenset().union(*(part.loose for part in parts))
