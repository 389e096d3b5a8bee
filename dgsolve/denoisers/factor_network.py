"""The relational network with factors: what automata say to candidates is heard beside the groups."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from dgsolve.deadline import look
from dgsolve.denoisers.factor_messages import SAID, Messages, PackedFactors
from dgsolve.denoisers.relational_network import PackedGraph, RelationalNetwork

KINDS = (
    *("sum", "product", "difference", "ratio", "adjacent", "less_than", "count", "at_most"),
    *("regular", "no_three_in_row", "visible"),
)


class FactorNetwork(RelationalNetwork):
    """Also hears factors: of each edge from a factor f to a candidate i, the exact message x_fi and the kind of f.

        u_fi = relu(A h_i + B x_fi + k_f)    h_i <- as without factors, with F (sum of u_fi over f) added to D a, E a
        logit_i = read(h_i) + sum over f of w_f log-likelihood of i in x_fi

    x_fi is the sum-product message of f under what the network believed after the round before; all factors share A, B
    and F, each kind has its k and w. Without factors nothing is added. Source of the messages: Kschischang et al. 2001
    (factor graphs and the sum-product algorithm).
    """

    def __init__(
        self, hidden: int = 48, message: int = 64, factor_message: int = 32, kinds: Sequence[str] = KINDS
    ) -> None:
        super().__init__(hidden, message)
        self.factor_message, self.kinds = factor_message, tuple(kinds)
        self.factor_own = nn.Linear(hidden, factor_message, bias=False)
        self.factor_said = nn.Linear(SAID, factor_message)
        self.factor_kind = nn.Parameter(torch.zeros(len(kinds) + 1, factor_message))
        self.factor_weight = nn.Parameter(torch.full((len(kinds) + 1,), 0.5))
        self.factor_update = nn.Linear(factor_message, 2 * hidden, bias=False)
        nn.init.zeros_(self.factor_update.weight)

    @classmethod
    def of(cls, network: RelationalNetwork) -> FactorNetwork:
        """With the weights of a network that knows no factors, and factors that are heard in the logits alone."""
        made = cls(network.hidden, network.message)
        made.load_state_dict(network.state_dict(), strict=False)
        return made

    def step(
        self, hidden: Tensor, encoded: Tensor, graph: PackedGraph, factors: PackedFactors, said: Messages
    ) -> tuple[Tensor, Tensor]:
        """One round of messages: hidden [N, H], encoded [N, H] -> hidden [N, H], logits [N]."""
        state = self.norm(hidden + encoded)
        heard = self.heard(state, graph)
        own = self.factor_own(state).index_select(0, factors.node)  # [W, M]
        each = (own + self.factor_said(said.features) + self.factor_kind[factors.kind]).relu()
        together = each.new_zeros(len(state), self.factor_message).index_add(0, factors.node, each)
        hidden = self.changed(hidden, heard + self.factor_update(together))
        logits = self.logits(hidden)
        return hidden, logits.index_add(0, factors.node, self.factor_weight[factors.kind] * said.log)

    def with_factors(
        self, hidden: Tensor, features: Tensor, graph: PackedGraph, factors: PackedFactors, iterations: int
    ) -> tuple[Tensor, Tensor]:
        """`iterations` rounds from hidden [N, H] under features [N, 3]: hidden state and logits [N] after them."""
        encoded = self.encode(features)
        said = factors.messages(features[:, 1])
        logits = hidden.new_zeros(len(hidden))
        for _ in range(iterations):
            look()
            hidden, logits = self.step(hidden, encoded, graph, factors, said)
            said = factors.messages(factors.shares(logits))
        return hidden, logits
