"""Entropy-bounded acceptance against the rule written out."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.sampling.entropy_bound import accept

ENTROPIES = st.lists(st.integers(0, 40), min_size=1, max_size=12, unique=True)  # eighths of a nat: exact in float32


def by_the_rule(entropy: list[float], locked: list[bool], bound: float) -> list[bool]:
    spent, accepted = 0.0, list(locked)
    for slot in sorted((s for s, held in enumerate(locked) if not held), key=lambda s: entropy[s]):
        accepted[slot] = spent <= bound
        spent += entropy[slot]
    return accepted


@settings(deadline=None, max_examples=80)
@given(ENTROPIES, st.data())
def test_accepts_what_the_rule_accepts(eighths, data):
    entropy = [number / 8 for number in eighths]
    locked = data.draw(st.lists(st.booleans(), min_size=len(entropy), max_size=len(entropy)))
    bound = data.draw(st.integers(0, 80)) / 8
    accepted = accept(torch.tensor([entropy]), torch.tensor([locked]), bound)[0].tolist()
    assert accepted == by_the_rule(entropy, locked, bound)
    if not all(locked):
        surest = min((h, slot) for slot, h in enumerate(entropy) if not locked[slot])[1]
        assert accepted[surest]


def test_rows_are_judged_apart_and_locked_slots_cost_nothing():
    entropy = torch.tensor([[0.05, 0.04, 0.03, 2.0], [9.0, 0.5, 0.6, 9.0], [0.0, 0.0, 0.0, 0.0]])
    locked = torch.tensor([[False] * 4, [True, False, False, True], [False] * 4])
    assert accept(entropy, locked, 0.1).tolist() == [
        [True, True, True, False],  # 0.03 + 0.04 before 0.05; 0.12 before 2.0
        [True, True, False, True],
        [True] * 4,
    ]


@pytest.mark.parametrize("bound", [0.0, 1.0, 100.0])
def test_all_locked_is_all_accepted(bound):
    assert accept(torch.full((2, 3), 5.0), torch.ones(2, 3, dtype=torch.bool), bound).all()


def test_of_equal_entropies_the_earlier_slots_count_first():
    entropy = torch.full((1, 96), 0.04)  # long enough for an unstable sort to mix equal ones
    assert accept(entropy, torch.zeros(1, 96, dtype=torch.bool), 0.1)[0].nonzero().flatten().tolist() == [0, 1, 2]
