"""Messages and shares, whatever the order in which arcs are summed, and whichever slots share a step."""

import numpy as np
import pytest
import torch

from dgsolve.constraints import fans, token_arcs, token_lattice
from dgsolve.constraints.token_automaton import TokenAutomaton

from .small_tables import Exhaustive, as_lists
from .test_token_posterior import assert_exact, case


@pytest.mark.parametrize(("arcs", "states"), [(1, 10**6), (4, 10**6), (1, 1), (10**6, 1)])
@pytest.mark.parametrize("seed", range(8))
def test_posterior_in_blocks_and_with_shared_steps(seed, arcs, states, monkeypatch):
    for module in (fans, token_arcs):
        monkeypatch.setattr(module, "LEAST_ARCS", arcs)
    monkeypatch.setattr(token_lattice, "LARGE", states)
    monkeypatch.setattr(token_lattice, "GROWTH", 3.0)
    rules, automaton, logits, _ = case(seed)
    assert_exact(automaton.posterior(logits), Exhaustive.of(rules, as_lists(logits[0]), 0, 5))


@pytest.mark.parametrize("seed", range(8))
def test_domain_is_exact_though_slots_share_steps(seed, monkeypatch):
    rules, automaton, logits, _ = case(seed)
    marginals = Exhaustive.of(rules, as_lists(logits[0]), 0, 5).marginals()
    monkeypatch.setattr(token_lattice, "LARGE", 1)
    monkeypatch.setattr(token_lattice, "GROWTH", 3.0)
    automaton.posterior(logits)
    assert (automaton.domain()[0].numpy() == (marginals > 0)).all()


@pytest.mark.parametrize(("large", "first"), [(10, [[1, 2, 3, 4], [2, 3, 4, 5]]), (4, [[1, 2, 3, 4, 5]] * 2)])
def test_large_sets_are_widened_by_no_more_than_they_may_grow(large, first, monkeypatch):
    monkeypatch.setattr(token_lattice, "LARGE", large)
    sets = [np.array(states) for states in ([0], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6, 7, 8], [8])]
    found = token_lattice.widened(sets, [np.ones(9, dtype=bool)] * 5)
    assert [states.tolist() for states in found] == [[0], *first, [3, 4, 5, 6, 7, 8], [8]]


@pytest.mark.parametrize("level", [-3.0, -3000.0])
def test_states_and_bundles_have_probabilities_that_sum_to_one(level):
    rules, _, _, _ = case(3)
    logits = torch.full((1, 9, len(rules.token_class)), level)
    logits[..., 0] = 0.0
    chain = TokenAutomaton.begin(rules, 9).posterior(logits).row(0).chain
    for found in (*chain.bundle_probability, *chain.state_probability):
        assert found.sum() == pytest.approx(1.0, abs=1e-9) and (found >= 0).all()
