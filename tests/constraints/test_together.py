"""Joint probabilities of some slots, and the weight of narrower texts, against going through all sequences."""

import math

import numpy as np
import pytest
import torch

from dgsolve.constraints.token_automaton import TokenAutomaton

from .small_tables import Exhaustive, as_lists, random_table

LENGTH = 5


@pytest.mark.parametrize("seed", range(20))
def test_slots_together_and_two_languages(seed):
    generator = np.random.default_rng(seed)
    rules, other = (random_table(generator) for _ in range(2))
    while max(rules.distance[0], other.distance[0]) > LENGTH:
        rules, other = (random_table(generator) for _ in range(2))
    logits = torch.from_numpy(generator.normal(size=(2, LENGTH, 6)) * 2).float()
    canvas = TokenAutomaton.begin(rules, LENGTH, rows=2).posterior(logits).row(1)
    oracle, others = (Exhaustive.of(table, as_lists(logits[1]), 0, LENGTH) for table in (rules, other))
    for low, high in ((0, 1), (0, LENGTH), (1, 3), (2, 2), (3, LENGTH)):
        for way in [*list(oracle.weights)[:5], *generator.integers(0, 6, (5, LENGTH)).tolist()]:
            part = tuple(way[low:high])
            fits = sum(weight for seen, weight in oracle.weights.items() if seen[low:high] == part)
            assert canvas.together(low, list(part)) == pytest.approx(fits, rel=1e-5, abs=1e-9)
    assert canvas.log_weight(rules) == pytest.approx(canvas.chain.log_total)
    assert canvas.log_weight(other) - canvas.chain.log_total == pytest.approx(others.log_z - oracle.log_z, abs=1e-4)


def test_pinned_slots_are_certain_and_bind_other_texts():
    generator = np.random.default_rng(1)
    rules = random_table(generator)
    logits = torch.zeros(1, LENGTH, 6)
    free = TokenAutomaton.begin(rules, LENGTH)
    mode = free.posterior(logits).mode()
    pins = torch.arange(LENGTH)[None] < 2
    canvas = free.lock(mode, pins).posterior(logits).row(0)
    tokens = mode[0].tolist()
    assert canvas.together(0, tokens[:2]) == pytest.approx(1.0)
    assert canvas.together(0, [(tokens[0] + 1) % 6]) == 0
    assert canvas.log_weight(rules) == pytest.approx(canvas.chain.log_total)
    assert -math.inf < canvas.log_weight(rules) <= free.posterior(logits).row(0).chain.log_total + 1e-9
