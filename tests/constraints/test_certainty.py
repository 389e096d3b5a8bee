"""How sure a left-to-right choice was: against a softmax over what fits, computed token by token."""

import numpy as np
import pytest
import torch

from dgsolve.constraints import certainty, left_to_right
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.language.algebra import byte_set, concat, literal, repeat, union
from dgsolve.language.byte_vocabulary import byte_vocabulary
from dgsolve.language.token_table import compile_tokens

HALF, FEW = byte_set(range(100)), byte_set(range(60, 72))
LANGUAGES = (
    union(repeat(byte_set(range(256)), 0, 3), literal(b"xyz!")),
    concat(byte_set(range(256)), HALF, FEW, literal(b"!"), repeat(union(HALF, literal(b"xyz")), 1, 4)),
)
SLOTS, SIZE = 7, 257


def fitting(table, tokens):
    """The tokens that could have stood in each slot, by trying all."""
    state = table.start
    for slot, token in enumerate(tokens):
        low, high = table.offsets[state : state + 2].tolist()
        after = dict(zip(table.classes[low:high].tolist(), table.targets[low:high].tolist(), strict=True))
        yield [v for v, c in enumerate(table.token_class.tolist())
               if c in after and table.distance[after[c]] <= SLOTS - slot - 1]  # fmt: skip
        state = after[int(table.token_class[token])]


def by_hand(logits, fits, token):
    """Probability and entropy in float64."""
    x = np.array([logits[v] for v in fits], dtype=np.float64)
    x = np.clip(np.where(np.isnan(x), -1e4, x), -1e4, 1e4)
    x -= x.max()
    logs = x - np.log1p(np.exp(np.sort(x)[:-1]).sum())
    shares = np.exp(logs)
    return shares[fits.index(token)], -float((shares * logs).sum())


def check(automaton, table, logits, noise=None):
    choice = automaton.left_to_right(logits, noise)
    scores = logits.float() if noise is None else logits.float() + noise
    least = 1e-32 if noise is None else 2e-6  # of an entropy: less is not told from 0
    for row, tokens in enumerate(choice.tokens.tolist()):
        for width in (SLOTS, 3):
            probability, entropy = choice.certainty(width)
            assert probability.shape == entropy.shape == (len(logits), width)
            for slot, fits in zip(range(width), fitting(table, tokens), strict=False):
                among = [-np.inf if np.isnan(score) else score for score in scores[row, slot, fits].tolist()]
                assert tokens[slot] == fits[int(np.argmax(among))]
                mine, spread = by_hand(logits[row, slot].float().tolist(), fits, tokens[slot])
                assert float(probability[row, slot]) == pytest.approx(mine, rel=1e-5, abs=1e-37)
                assert float(entropy[row, slot]) == pytest.approx(spread, rel=1e-5, abs=least)


@pytest.fixture(params=[1, 3 * SIZE, "far"])
def _blocks(request, monkeypatch):
    """One slot at a time, a few, and all as if they lay on another device."""
    if request.param == "far":
        for module in (certainty, left_to_right):
            monkeypatch.setattr(module, "far", lambda _: True)
    else:
        monkeypatch.setattr(certainty, "NEAR", request.param)


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize("scale", [0.0, 1.0, 40.0, 3000.0])
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_softmax_over_what_fits(language, kind, scale, noisy):
    table = compile_tokens(language, byte_vocabulary())
    generator = torch.Generator().manual_seed(0)
    logits = (scale * torch.randn(2, SLOTS, SIZE, generator=generator)).to(kind)
    noise = 5 * torch.randn(2, SLOTS, SIZE, generator=generator) if noisy else None
    check(TokenAutomaton.begin(table, SLOTS, rows=2), table, logits, noise)


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf, 3e4, -3e4])
@pytest.mark.parametrize("where", ["everywhere", "here and there"])
def test_infinities_and_what_is_no_number_are_bounded(value, where):
    for language in LANGUAGES:
        table = compile_tokens(language, byte_vocabulary())
        logits = torch.randn(1, SLOTS, SIZE, generator=torch.Generator().manual_seed(1))
        logits[..., :: 1 if where == "everywhere" else 9] = value
        check(TokenAutomaton.begin(table, SLOTS), table, logits)


def test_the_floor_is_below_what_is_far_off():
    """All that fits is near the floor, and some of it beyond."""
    table = compile_tokens(LANGUAGES[0], byte_vocabulary())
    logits = torch.full((1, SLOTS, SIZE), -1e5)
    logits[..., 5:9] = torch.tensor([-9990.0, -9995.0, -9998.0, -1e4])
    check(TokenAutomaton.begin(table, SLOTS), table, logits)


def test_what_is_left_beside_a_sure_token_is_told():
    """Probabilities down to 1e-30, where a sum in float32, or in float64, is 1."""
    table = compile_tokens(LANGUAGES[0], byte_vocabulary())
    automaton = TokenAutomaton.begin(table, SLOTS)
    for gap in (5.0, 12.0, 18.0, 40.0, 69.0, 80.0):
        logits = torch.full((1, SLOTS, SIZE), -gap)
        logits[..., 65] = 0
        probability, entropy = automaton.left_to_right(logits).certainty(1)
        rest = 256 * np.exp(-gap)  # the other bytes, and the end
        assert float(probability[0, 0]) == pytest.approx(1 / (1 + rest), rel=1e-6)
        assert float(entropy[0, 0]) == pytest.approx(np.log1p(rest) + gap * rest / (1 + rest), rel=1e-5)
        noise = torch.zeros_like(logits)
        noise[..., 66] = 2 * gap
        unlikely = automaton.left_to_right(logits, noise)
        assert unlikely.tokens[0, 0] == 66
        assert float(unlikely.certainty(1)[0][0, 0]) == pytest.approx(np.exp(-gap) / (1 + rest), rel=1e-5)


def test_a_pinned_slot_is_certain():
    automaton = TokenAutomaton.begin(compile_tokens(LANGUAGES[0], byte_vocabulary()), SLOTS)
    first = torch.arange(SLOTS)[None] == 0
    pinned = automaton.lock(torch.full((1, SLOTS), 7), first)
    choice = pinned.left_to_right(torch.zeros(1, SLOTS, SIZE))
    probability, entropy = choice.certainty(2)
    assert choice.tokens[0, 0] == 7
    assert probability[0, 0] == 1 and entropy[0, 0] == 0 and probability[0, 1] < 0.01
    assert all(part.shape == (1, 0) for part in choice.certainty(0))
