"""Messages and shares, whatever the order in which arcs are summed, and whichever slots share a step."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from dgsolve.constraints import token_lattice
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.constraints.token_chain import TokenChain, best_messages
from dgsolve.constraints.token_lattice import Step

from .small_tables import Exhaustive, as_lists
from .test_token_posterior import assert_exact, case


@pytest.mark.parametrize("states", [10**6, 1])
@pytest.mark.parametrize("seed", range(8))
def test_posterior_with_shared_steps(seed, states, monkeypatch):
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


def random_step(generator: np.random.Generator, states: int, after: int, bundles: int) -> Step:
    """Some states have no arcs, and some many."""
    degree = generator.choice([0, 1, 1, 2, 30], states)
    degree[0] = max(degree[0], 2)
    starts = np.append(0, np.cumsum(degree))
    label = generator.integers(0, bundles, starts[-1]).astype(np.int32)
    target = generator.integers(0, after, starts[-1]).astype(np.int32)
    numbers, ends = np.arange(bundles), np.arange(bundles + 1)
    return Step(np.arange(states), np.arange(after), starts, label, target, numbers, numbers, ends)


@pytest.mark.parametrize("spread", [1.0, 300.0, 5000.0])
@pytest.mark.parametrize("seed", range(6))
def test_compiled_loops_agree_with_sums_arc_by_arc_in_logarithms(seed, spread):
    generator = np.random.default_rng(seed)
    sizes = [1, 5, 37, 2, 18, 1]
    steps = [random_step(generator, before, after, 9) for before, after in pairwise(sizes)]
    weights = [generator.normal(size=9) * spread for _ in steps]
    log_b, most = [np.zeros(1)], [np.zeros(1)]
    for step, logs in zip(reversed(steps), reversed(weights), strict=True):
        arcs = [slice(low, high) for low, high in pairwise(step.starts.tolist())]
        sums = logs[step.label] + log_b[0][step.target], logs[step.label] + most[0][step.target]
        log_b.insert(0, np.array([np.logaddexp.reduce(sums[0][some]) for some in arcs]))
        most.insert(0, np.array([sums[1][some].max(initial=-np.inf) for some in arcs]))
    chain = TokenChain(steps, weights)
    for found, wanted in zip(chain.messages, log_b, strict=True):
        assert found.logs() == pytest.approx(wanted, rel=1e-11, abs=1e-9)
    for found, wanted in zip(best_messages(steps, weights), most, strict=True):
        assert (found == wanted).all()
    shares = np.zeros(1)  # logarithms
    for slot, (step, logs) in enumerate(zip(steps, weights, strict=True)):
        bundles, reached = np.full(9, -np.inf), np.full(len(step.after), -np.inf)
        for state, (low, high) in enumerate(pairwise(step.starts.tolist())):
            for by, to in zip(step.label[low:high], step.target[low:high], strict=True):
                if log_b[slot][state] > -np.inf:
                    passed = shares[state] + logs[by] + log_b[slot + 1][to] - log_b[slot][state]
                    bundles[by], reached[to] = np.logaddexp(bundles[by], passed), np.logaddexp(reached[to], passed)
        assert chain.bundle_probability[slot] == pytest.approx(np.exp(bundles), rel=1e-7, abs=1e-40)
        assert chain.state_probability[slot + 1] == pytest.approx(np.exp(reached), rel=1e-7, abs=1e-40)
        shares = reached
