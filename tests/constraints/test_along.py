"""How sure a left-to-right choice was: against a softmax over what fits, computed token by token."""

import numpy as np
import pytest
import torch

from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.language.algebra import byte_set, literal, repeat, union
from dgsolve.language.byte_vocabulary import byte_vocabulary
from dgsolve.language.token_table import compile_tokens

LANGUAGE = union(repeat(byte_set(range(256)), 0, 3), literal(b"xyz!"))
SLOTS = 5


@pytest.mark.parametrize("scale", [1.0, 40.0])
def test_it_is_the_softmax_over_what_fits(scale):
    table = compile_tokens(LANGUAGE, byte_vocabulary())
    automaton = TokenAutomaton.begin(table, SLOTS)
    logits = scale * torch.randn(1, SLOTS, 257, generator=torch.Generator().manual_seed(0))
    tokens = automaton.left_to_right(logits)
    probability, entropy = automaton.along(logits, tokens)
    state = table.start
    for slot, token in enumerate(tokens[0].tolist()):
        after = dict(zip(*(part[table.offsets[state] : table.offsets[state + 1]].tolist()
                           for part in (table.classes, table.targets)), strict=True))  # fmt: skip
        fits = [v for v, c in enumerate(table.token_class.tolist())
                if c in after and table.distance[after[c]] <= SLOTS - slot - 1]  # fmt: skip
        shares = torch.softmax(logits[0, slot, fits].double(), 0).numpy()
        mine = shares[fits.index(token)]
        assert float(probability[0, slot]) == pytest.approx(mine, rel=1e-4, abs=1e-9)
        expected = -float(np.sum(np.where(shares > 0, shares * np.log(np.maximum(shares, 1e-300)), 0)))
        assert float(entropy[0, slot]) == pytest.approx(expected, rel=1e-3, abs=1e-5)
        state = after[int(table.token_class[token])]


def test_a_pinned_slot_is_certain():
    automaton = TokenAutomaton.begin(compile_tokens(LANGUAGE, byte_vocabulary()), SLOTS)
    pinned = automaton.lock(torch.tensor([[7, 0, 0, 0, 0]]), torch.tensor([[True, False, False, False, False]]))
    logits = torch.zeros(1, SLOTS, 257)
    probability, entropy = pinned.along(logits, pinned.left_to_right(logits))
    assert probability[0, 0] == 1 and entropy[0, 0] == 0 and probability[0, 1] < 0.01
