"""What each factor says of each candidate of its slots: exact sum-product messages over its automaton."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import torch
from torch import Tensor

from dgsolve.denoisers.relational_network import PackedGraph
from dgsolve.factor_graph import Factor, FactorGraph

FAINTEST = 16.0  # nats: a message that says less than this to a candidate says this
LEAST = 1e-6  # a share that is open counts as at least this, more where products of so many would vanish
SAID = 5  # features of a message: log-likelihood, likelihood, posterior, prior, length of the factor


class FactorTables:
    """The factors of one graph as flat arrays.

    An edge [E] is a value of a slot of a factor; a block [P] is the edges of one slot of one factor. arcs Int [A, 3]:
    state before, edge, state after, of every factor in the order in which its automaton reads.
    """

    def __init__(self, graph: FactorGraph, kinds: Sequence[str]) -> None:
        self.values = graph.values
        arcs: list[np.ndarray] = []
        candidates: list[np.ndarray] = []
        begins: list[int] = []
        ends: list[int] = []
        lengths: list[int] = []
        kind_of: list[int] = []
        blocks, states = [0], 0
        for factor in graph.factors:
            starts = np.cumsum([states, *factor.states])  # the first state of each layer, and one past the last
            begins.append(starts[0])
            ends += range(starts[-2], starts[-1])
            states = int(starts[-1])
            for place, (slot, steps) in enumerate(zip(factor.slots, factor.arcs, strict=True)):
                before, value, after = steps.T
                arcs.append(np.stack([before + starts[place], value + blocks[-1], after + starts[place + 1]]))
                candidates.append(slot * graph.values + np.arange(graph.values))
                blocks.append(blocks[-1] + graph.values)
                lengths += [len(factor.slots)] * graph.values
                kind_of += [_kind(factor, kinds)] * graph.values
        self.states, self.edges = states, blocks[-1]
        self.arcs = np.concatenate([np.zeros((3, 0), dtype=np.int64), *arcs], 1).T.astype(np.int32).copy()
        self.candidates = np.concatenate([np.zeros(0, dtype=np.int64), *candidates])
        self.blocks = np.array(blocks, dtype=np.int64)
        self.begins, self.ends = np.array(begins, dtype=np.int64), np.array(ends, dtype=np.int64)
        self.lengths = np.array([log(length) for length in lengths], dtype=np.float32)
        self.kinds = np.array(kind_of, dtype=np.int64)
        longest = max((len(factor.slots) for factor in graph.factors), default=1)
        self.least = max(LEAST, 10.0 ** (-250 / longest))


def _kind(factor: Factor, kinds: Sequence[str]) -> int:
    """Its number among those that have an embedding of their own, else one past them."""
    return kinds.index(factor.kind) if factor.kind in kinds else len(kinds)


@dataclass(frozen=True)
class Messages:
    """features Float [W, SAID] of every edge to a candidate that is open; log Float [W] their log-likelihoods."""

    features: Tensor
    log: Tensor


class PackedFactors:
    """The factors of a batch of canvases, and of their edges those to candidates of a `PackedGraph`.

    node Int [W]: the candidate of each such edge; kind Int [W].
    """

    def __init__(self, tables: Sequence[FactorTables], first: Sequence[int], allowed: Tensor, graph: PackedGraph):
        """tables, first: of each canvas, its tables and its first candidate; allowed: Bool, by candidate."""
        self._tables, self._graph = tables, graph
        node_of = torch.full((len(allowed),), -1)
        node_of[graph.nodes] = torch.arange(len(graph.nodes))
        places = [one.candidates + at for one, at in zip(tables, first, strict=True)]
        candidates = torch.from_numpy(np.concatenate(places))
        nodes = node_of[candidates]
        self._place = (nodes >= 0).nonzero().flatten()  # [W] among all edges
        self._settled = (allowed[candidates] & (nodes < 0)).double().numpy()  # all edges: the one value of its slot
        self.node = nodes[self._place]
        self.kind = torch.from_numpy(np.concatenate([one.kinds for one in tables]))[self._place]
        lengths = torch.from_numpy(np.concatenate([one.lengths for one in tables]))[self._place]
        self._length = lengths[:, None] / 3
        self._slot = graph.groups[0]

    def shares(self, logits: Tensor) -> Tensor:
        """Float [N]: each node's share of its slot, from logits [N]."""
        mass = logits.detach().double().clamp(-30, 30).exp()
        whole = torch.zeros(len(self._graph.offsets) + 1, dtype=mass.dtype).index_add_(0, self._slot, mass)
        return mass / whole[self._slot]

    def messages(self, shares: Tensor) -> Messages:
        """What every factor says, given the shares Float [N] of all candidates in their slots."""
        from dgsolve.denoisers.compiled_messages import listen

        weights = self._settled.copy()
        weights[self._place.numpy()] = shares[self.node].double().numpy()
        said = np.zeros((len(weights), SAID - 1), dtype=np.float32)
        at = 0
        for one in self._tables:
            part = slice(at, at + one.edges)
            listen(one.arcs, one.blocks, one.begins, one.ends, one.states, one.least, weights[part], said[part])
            at += one.edges
        heard = torch.from_numpy(said)[self._place]
        return Messages(torch.cat([heard, self._length], 1), heard[:, 0] * (FAINTEST / 4))
