"""Per-slot domains against brute force over all canvases of three slots and three values."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.constraints.slot_domains import SlotDomains
from dgsolve.randomness import Stream

L = V = 3
CANVASES = list(itertools.product(range(V), repeat=L))
PEERS = torch.tensor([[0, 1, 0], [1, 0, 1], [0, 1, 0]]).bool()
DOMAINS = st.lists(st.lists(st.booleans(), min_size=V, max_size=V).filter(any), min_size=L, max_size=L)
LOGITS = st.lists(st.lists(st.floats(-6, 6, width=32), min_size=V, max_size=V), min_size=L, max_size=L)


def weights(logits, allowed=None) -> dict[tuple[int, ...], float]:
    """exp of every canvas's logits; 0 where a domain forbids it."""
    return {
        canvas: math.exp(sum(logits[slot][value] for slot, value in enumerate(canvas)))
        * (allowed is None or all(allowed[slot][value] for slot, value in enumerate(canvas)))
        for canvas in CANVASES
    }


@settings(deadline=None, max_examples=60)
@given(LOGITS, DOMAINS)
def test_posterior_is_the_brute_force_one(logits, allowed):
    kept, free = weights(logits, allowed), weights(logits)
    total = sum(kept.values())
    posterior = SlotDomains(torch.tensor([allowed])).posterior(torch.tensor([logits]))
    assert posterior.log_z.item() == pytest.approx(math.log(total / sum(free.values())), abs=1e-4)
    for slot in range(L):
        marginal = [sum(w for canvas, w in kept.items() if canvas[slot] == value) / total for value in range(V)]
        assert posterior.marginals[0, slot].tolist() == pytest.approx(marginal, abs=1e-5)
        entropy = -sum(p * math.log(p) for p in marginal if p)
        assert posterior.entropy[0, slot].item() == pytest.approx(entropy, abs=1e-4)
    mode = tuple(posterior.mode()[0].tolist())
    assert kept[mode] == pytest.approx(max(kept.values()), rel=1e-4)
    for canvas, weight in kept.items():
        log_probability = posterior.log_probability(torch.tensor([canvas])).item()
        if weight:
            assert log_probability == pytest.approx(math.log(weight / total), abs=1e-4)
        else:
            assert log_probability < LOGIT_FLOOR / 4


def test_samples_are_allowed_and_as_frequent_as_they_are_probable():
    logits = [[0.3, -0.5, 1.0], [2.0, 0.0, 0.1], [0.0, 0.7, -1.0]]
    allowed = [[True, True, True], [False, True, True], [True, True, False]]
    draws, kept = 6000, weights(logits, allowed)
    posterior = SlotDomains(torch.tensor([allowed] * draws)).posterior(torch.tensor([logits] * draws))
    drawn = posterior.sample(Stream(torch.arange(draws)))
    assert torch.equal(drawn, posterior.sample(Stream(torch.arange(draws))))
    counts = dict.fromkeys(CANVASES, 0)
    for canvas in drawn.tolist():
        counts[tuple(canvas)] += 1
    for canvas, weight in kept.items():
        probability = weight / sum(kept.values())
        assert counts[canvas] == 0 if not weight else True
        assert abs(counts[canvas] / draws - probability) < 4.5 * math.sqrt(probability / draws) + 1e-9


@settings(deadline=None, max_examples=60)
@given(DOMAINS, st.tuples(*[st.integers(0, V - 1)] * L), st.tuples(*[st.booleans()] * L), st.booleans())
def test_lock_restricts_and_reaches_the_peers(allowed, tokens, slots, with_peers):
    locked = SlotDomains(torch.tensor([allowed]), PEERS if with_peers else None).lock(
        torch.tensor([tokens]), torch.tensor([slots])
    )
    for slot, value in itertools.product(range(L), range(V)):
        right = allowed[slot][value] and (not slots[slot] or tokens[slot] == value)
        if with_peers:
            right &= not any(PEERS[slot, peer] and slots[peer] and tokens[peer] == value for peer in range(L))
        assert locked.domain()[0, slot, value].item() == right
    assert locked.satisfiable().item() == all(any(row) for row in locked.domain()[0].tolist())


def test_an_empty_domain_is_not_satisfiable_and_gives_numbers():
    empty = SlotDomains(torch.tensor([[[True, False], [False, False]], [[True, False], [False, True]]]))
    assert empty.satisfiable().tolist() == [False, True]
    posterior = empty.posterior(torch.randn(2, 2, 2))
    assert posterior.log_z.isfinite().all() and posterior.marginals.isfinite().all()
    assert posterior.log_z[0] < LOGIT_FLOOR / 4 < posterior.log_z[1]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("scale", [1e4, 3e4])
def test_extreme_logits_give_numbers(scale, dtype):
    generator = torch.Generator().manual_seed(0)
    signs = torch.randint(-1, 2, (40, 5, 4), generator=generator)
    allowed = torch.rand(40, 5, 4, generator=generator) < 0.6
    allowed[..., 0] |= ~allowed.any(-1)
    posterior = SlotDomains(allowed).posterior((signs * scale).to(dtype))
    drawn = posterior.sample(Stream(torch.arange(40)))
    for numbers in (posterior.log_z, posterior.entropy, posterior.marginals, posterior.log_probability(drawn)):
        assert numbers.dtype == torch.float32 and numbers.isfinite().all()
    assert torch.allclose(posterior.marginals.sum(-1), torch.ones(40, 5))
    assert (posterior.entropy >= 0).all() and (posterior.marginals[~allowed] == 0).all()
    for tokens in (drawn, posterior.mode()):
        assert allowed.gather(-1, tokens[..., None]).all()


def test_rows_put_and_stack_are_the_rows_one_by_one():
    allowed = torch.rand(5, L, V, generator=torch.Generator().manual_seed(1)) < 0.5
    every = SlotDomains(allowed, PEERS)
    picked = every.rows(torch.tensor([3, 0, 3]))
    assert torch.equal(picked.allowed, allowed[[3, 0, 3]]) and picked.peers is PEERS
    stacked = SlotDomains.stack([every.rows(torch.tensor([row])) for row in range(5)])
    assert torch.equal(stacked.allowed, allowed) and stacked.peers is PEERS
    put = every.put(torch.tensor([4, 1]), every.rows(torch.tensor([0, 2])))
    assert torch.equal(put.allowed, allowed[[0, 2, 2, 3, 0]])
    assert torch.equal(every.allowed, allowed)  # nothing was changed in place
