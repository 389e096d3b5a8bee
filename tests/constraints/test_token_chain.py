"""The forward pass: with the products that the backward pass left, and with products formed again."""

import numpy as np
import pytest
import torch

from dgsolve.constraints import token_chain
from dgsolve.constraints.token_automaton import TokenAutomaton

from .small_tables import Exhaustive, as_lists, plain_entropy
from .test_token_posterior import case


@pytest.mark.parametrize("room", [0, 12, 10**6])
@pytest.mark.parametrize("seed", range(6))
def test_products_that_were_not_kept_are_formed_again(seed, room, monkeypatch):
    monkeypatch.setattr(token_chain, "KEPT_ARCS", room)
    rules, automaton, logits, _ = case(seed)
    posterior = automaton.posterior(logits)
    marginals = Exhaustive.of(rules, as_lists(logits[0]), 0, 5).marginals()
    assert np.abs(posterior.marginals[0].numpy() - marginals).max() < 1e-5
    assert np.abs(posterior.entropy[0].numpy() - plain_entropy(marginals)).max() < 1e-5


def test_states_and_bundles_have_probabilities_that_sum_to_one():
    """Within the range of plain numbers and beyond it."""
    rules, _, _, _ = case(3)
    for level in (-3.0, -3000.0):
        logits = torch.full((1, 9, len(rules.token_class)), level)
        logits[..., 0] = 0.0
        chain = TokenAutomaton.begin(rules, 9).posterior(logits).row(0).chain
        for found in (*chain.bundle_probability, *chain.state_probability):
            assert found.sum() == pytest.approx(1.0, abs=1e-9) and (found >= 0).all()
