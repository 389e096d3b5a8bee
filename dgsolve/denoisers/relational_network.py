"""The relational network: one small network for all candidates, one for all groups, applied again and again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dgsolve.deadline import look
from dgsolve.factor_graph import FactorGraph

FORBIDDEN = -30.0  # the logit of a value that the canvas rules out
FEATURES = 3  # the canvas holds this token; belief after the last step; the slot is locked on this value


class GraphTables(nn.Module):
    """A `FactorGraph` as tensors, shared by every canvas of one shape."""

    candidate_groups: Tensor  # [L*K + X, D] groups, -1 pads
    slack_members: Tensor  # [X, W] the other members of each slack candidate's group, -1 pads

    def __init__(self, graph: FactorGraph) -> None:
        super().__init__()
        self.slots, self.values, self.group_count = graph.slots, graph.values, len(graph.groups)
        self.slack, self.candidates, self.plain = graph.slack, graph.candidates, graph.plain
        self.register_buffer("candidate_groups", torch.from_numpy(graph.candidate_groups), persistent=False)
        self.register_buffer("slack_members", torch.from_numpy(graph.slack_members), persistent=False)

    def with_slack(self, held: Tensor) -> Tensor:
        """[B, L, K], what each candidate has of a whole, to [B, L*K + X]: a slack one has what its group left over."""
        flat = held.reshape(len(held), -1)  # [B, L*K]
        if not self.slack:
            return flat
        padded = F.pad(flat, (0, 1))  # so that -1 adds nothing
        return torch.cat([flat, (1 - padded[:, self.slack_members].sum(-1)).clamp(0, 1)], 1)


@dataclass(frozen=True)
class PackedGraph:
    """The candidates still possible on a batch of canvases, as one flat graph.

    nodes [N]: position in the flattened [B, L*K + X], X slack candidates after those of slots. groups [D, N]: each
    node's groups (G, one past the last, is the null group). edges [E]: positions in the flattened [D, N], sorted by
    group; members [E]: their nodes; offsets [G]: where each group starts, as `embedding_bag` wants it. ragged: some
    node is in fewer groups than others.
    """

    nodes: Tensor
    groups: Tensor
    members: Tensor
    offsets: Tensor
    edges: Tensor
    ragged: bool

    @classmethod
    def pack(cls, tables: GraphTables, allowed: Tensor) -> PackedGraph:
        """Keep the candidates in `allowed`, Bool [B, L, K], but those alone in all their groups, which are true."""
        batch = allowed.shape[0]
        null = batch * tables.group_count
        flat = allowed.reshape(batch, -1)  # [B, L*K]
        if tables.slack:  # a slack candidate is false where another of its group is all that its slot may hold
            alone = (allowed & (allowed.sum(-1, keepdim=True) == 1)).float()
            flat = torch.cat([flat, tables.with_slack(alone)[:, flat.shape[1] :] > 0], 1)  # [B, L*K + X]
        row, candidate = flat.nonzero(as_tuple=True)  # [N] each
        local = tables.candidate_groups[candidate]  # [N, D]
        groups = torch.where(local >= 0, local + row[:, None] * tables.group_count, null)
        return cls.of(row * flat.shape[1] + candidate, groups, null)

    @classmethod
    def of(cls, nodes: Tensor, groups: Tensor, null: int) -> PackedGraph:
        """nodes [N]: positions of candidates; groups [N, D]: theirs, `null` pads. Those alone in all are left out."""
        sizes = groups.view(-1).bincount(minlength=null + 1)
        linked = ((sizes[groups] > 1) & (groups < null)).any(1)
        nodes, groups = nodes[linked], groups[linked]
        counts = groups.view(-1).bincount(minlength=null + 1)[:-1]  # [G]
        groups = groups.T.contiguous()  # [D, N]
        edges = groups.view(-1).argsort(stable=True)[: int(counts.sum())]
        ragged = len(edges) < groups.numel()
        return cls(nodes, groups, edges % max(1, len(nodes)), counts.cumsum(0) - counts, edges, ragged)

    @cached_property
    def listeners(self) -> tuple[Tensor | None, ...]:
        """Of each of the D columns of groups, the nodes that have one there; None where those are most of them."""
        there = [(column < len(self.offsets)).nonzero().flatten() for column in self.groups]
        return tuple(nodes if 2 * len(nodes) < len(self.nodes) else None for nodes in there)


class _GroupSum(torch.autograd.Function):
    """[N, M] -> [G, M]: the sum over each group's members; its gradient is a sum over each node's groups."""

    @staticmethod
    def forward(ctx: Any, messages: Tensor, graph: PackedGraph) -> Tensor:
        ctx.graph = graph
        return F.embedding_bag(graph.members, messages, graph.offsets, mode="sum")

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        return F.embedding_bag(ctx.graph.groups.T.contiguous(), _with_null(grads[0], ctx.graph, 0.0), mode="sum"), None


class _Hear(torch.autograd.Function):
    """own [N, M], group [G, M] -> [N, M]: the sum over a node's groups of relu(own + group).

    The masks are computed again in the backward pass, which is cheaper on a CPU than to store [N, D, M] of them.
    """

    @staticmethod
    def forward(ctx: Any, own: Tensor, group: Tensor, graph: PackedGraph) -> Tensor:
        group = _with_null(group, graph, -1e4)  # the null group is silent after the relu
        ctx.save_for_backward(own, group)
        ctx.graph = graph
        heard = torch.zeros_like(own)
        for column, nodes in zip(graph.groups, graph.listeners, strict=True):
            if nodes is None:
                heard += group.index_select(0, column).add_(own).relu_()
            else:  # in the graph of a colouring one node in twenty
                said = group.index_select(0, column[nodes]).add_(own.index_select(0, nodes)).relu_()
                heard.index_add_(0, nodes, said)
        return heard

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None]:
        own, group = ctx.saved_tensors
        edges = own.new_empty(*ctx.graph.groups.shape, own.shape[1])  # [D, N, M]
        for column, edge in zip(ctx.graph.groups, edges, strict=True):
            heard = group.index_select(0, column).add_(own)  # faster on a CPU than group[column]
            torch.ops.aten.threshold_backward.grad_input(grads[0], heard, 0, grad_input=edge)
        to_group = F.embedding_bag(ctx.graph.edges, edges.view(-1, own.shape[1]), ctx.graph.offsets, mode="sum")
        return edges.sum(0), to_group, None


def _with_null(rows: Tensor, graph: PackedGraph, value: float) -> Tensor:
    """[G, M] -> [G + 1, M] where some node is in fewer groups than others."""
    return F.pad(rows, (0, 0, 0, 1), value=value) if graph.ragged else rows


class RelationalNetwork(nn.Module):
    """A recurrent network over a factor graph, equal for every candidate and for every group.

    Because the weights are shared it is equivariant to every symmetry of the rules (relabelled values, permuted rows,
    transposition), and it knows neither the size of the grid nor the number of values.

        m_i = relu(A h_i)    s_g = sum of m_i over g    a_i = sum over groups g of i of relu(B h_i + C s_g)
        h_i <- h_i + sigmoid(D a_i) * (E a_i - h_i / 10)

    Sources: Palm et al. 2018 (recurrent relational networks); arXiv 2603.02193 (symbol equivariance); arXiv 2609.01449
    (fresh noise at every step of a recurrent denoiser).
    """

    def __init__(self, hidden: int = 48, message: int = 64) -> None:
        super().__init__()
        self.hidden, self.message = hidden, message
        self.encode = nn.Linear(FEATURES, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.send = nn.Linear(hidden, 2 * message)
        self.group = nn.Linear(message, message)
        self.update = nn.Linear(message, 2 * hidden)
        self.read = nn.Linear(hidden, 1)
        nn.init.normal_(self.update.weight, std=0.02)
        nn.init.zeros_(self.update.bias)

    def iterate(self, hidden: Tensor, encoded: Tensor, graph: PackedGraph) -> Tensor:
        """One round of messages: hidden [N, H], encoded [N, H] -> hidden [N, H]."""
        return self.changed(hidden, self.heard(self.norm(hidden + encoded), graph))

    def heard(self, state: Tensor, graph: PackedGraph) -> Tensor:
        """What the groups say to each candidate: normed state [N, H] -> [N, 2H], its gate and its change."""
        sent, own = self.send(state).chunk(2, dim=-1)  # [N, M] each
        group = self.group(_GroupSum.apply(sent.relu(), graph))  # [G, M]
        said: Tensor = self.update(_Hear.apply(own, group, graph))
        return said

    @staticmethod
    def changed(hidden: Tensor, heard: Tensor) -> Tensor:
        """The hidden state after what was heard, [N, H]."""
        gate, change = heard.chunk(2, dim=-1)
        return hidden + gate.sigmoid() * (change - 0.1 * hidden)

    def logits(self, hidden: Tensor) -> Tensor:
        """One logit per candidate: [N, H] -> [N]."""
        return self.read(self.norm(hidden)).squeeze(-1)

    def forward(self, hidden: Tensor, features: Tensor, graph: PackedGraph, iterations: int) -> tuple[Tensor, Tensor]:
        """`iterations` rounds from hidden [N, H] under features [N, 3]: hidden state and logits [N] after them."""
        encoded = self.encode(features)
        for _ in range(iterations):
            look()
            hidden = self.iterate(hidden, encoded, graph)
        return hidden, self.logits(hidden)


def dense_logits(logits: Tensor, graph: PackedGraph, allowed: Tensor, slack: int = 0) -> Tensor:
    """[N] -> [B, L, K]: a value that the canvas rules out gets a large finite negative, an unlinked candidate 0."""
    dense = torch.where(allowed, 0.0, FORBIDDEN).flatten(1)
    if slack:
        dense = F.pad(dense, (0, slack))  # [B, L*K + X]
    filled = dense.flatten().index_put((graph.nodes,), logits).view_as(dense)
    return filled[:, : dense.shape[1] - slack].reshape(allowed.shape)
