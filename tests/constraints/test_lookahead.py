"""Looking ahead on a canvas: what fits in the next slots, and what is certain to come."""

import pytest
import torch

from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.errors import UsageError

from .test_token_automaton import LETTERS, two_texts


def test_tokens_fit_as_far_as_the_automaton_the_pins_and_the_canvas_let_them():
    automaton = TokenAutomaton.begin(two_texts(), 6)
    assert automaton.lookahead(0).fitting([0, 1, 2, 1, 6]) == 5
    assert automaton.lookahead(0).fitting([0, 2]) == 1
    assert automaton.lookahead(0).fitting([0, 1, 2, 0, 6, 7, 7]) == 6
    pinned = automaton.lock(torch.tensor([[0, 0, 0, 1, 0, 0]]), torch.tensor([[0, 0, 0, 1, 0, 0]]).bool())
    assert pinned.lookahead(0).fitting([0, 1, 2, 0]) == 3 and pinned.lookahead(0).fitting([0, 1, 2, 1]) == 4
    contradicted = pinned.lock(torch.zeros(1, 6).long(), pinned.pinned)
    assert contradicted.lookahead(0).fitting([0, 1, 2, 1]) == 3


def test_the_place_moves_only_behind_what_fits():
    place = TokenAutomaton.begin(two_texts(), 6, pieces=LETTERS.pieces).lookahead(0)
    assert place.forced() == b"abc"
    assert place.fitting([3, 1]) == 1 and place.forced() == b"abc"
    assert place.fitting([3]) == 1 and place.forced() == b"c"
    assert place.fitting([5]) == 1 and place.forced() == b""
    assert place.fitting([6, 7, 7, 7]) == 4 and place.fitting([7]) == 0


def test_it_begins_behind_what_is_settled():
    automaton = TokenAutomaton.begin(two_texts(), 8, rows=2, pieces=LETTERS.pieces)
    settled = automaton.settle(torch.tensor([[3] + [0] * 7] * 2), torch.tensor([0, 1]))
    assert [settled.lookahead(row).forced() for row in range(2)] == [b"abc", b"c"]


def test_certain_text_needs_the_tokens_bytes():
    with pytest.raises(UsageError, match="bytes"):
        TokenAutomaton.begin(two_texts(), 8).lookahead(0).forced()
