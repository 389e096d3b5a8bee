"""How sure a model was of parts of a text and of each choice, after a thought: given it as it was written."""

import math

import pytest
import torch

from dgsolve import Model, Regex
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.forms import compile_form
from dgsolve.language import json_text
from dgsolve.language.token_table import compile_tokens
from dgsolve.language.vocabulary import TextVocabulary
from tests.tiny_texts import ONE_STEP, PAIR, PIECES, TINY, Fixed, LeftToRight, grouped, texts, touched

SLOTS, END = 10, len(PIECES)
BLANK = PIECES.index(b" ")
MARKERS = {"<think>": TINY.size, "</think>": TINY.size + 1}
THINKER = TextVocabulary((*TINY.pieces, None, None), TINY.end_ids, TINY.pad_id, MARKERS)


def run(denoiser, seed, **options):
    """The result, the slot at which its text begins, its tokens from there on, and all texts that fit there."""
    result = Model(denoiser).run("?", PAIR, max_new_tokens=SLOTS, thinking=3, draw=True, seed=seed, **options)
    values = result.solution.values
    start = values.index(MARKERS["</think>"]) + 1
    while values[start] == BLANK:
        start += 1
    assert start == result.solution.problem.start(values)
    assert THINKER.decode(values[start:]) == result.text.encode()
    return result, start, values[start:], texts(SLOTS - start)


@pytest.mark.parametrize("seed", range(6))
def test_of_a_canvas(seed):
    denoiser = Fixed(seed, THINKER)
    result, start, values, ways = run(denoiser, seed, **ONE_STEP)
    logits = denoiser.logits[:, :SLOTS]
    after = logits[0, start:].double()
    weights = {way: math.exp(float(after[range(SLOTS - start), list(way)].sum())) for way in ways}
    constraint = result.solution.problem.canvas(THINKER).constraint
    for pointer, (low, high) in json_text.spans(result.text).items():
        assert result.distribution[pointer] == pytest.approx(grouped(result, pointer, weights), rel=1e-5)
        held = torch.zeros(1, SLOTS, dtype=torch.bool)
        held[0, [start + slot for slot in touched(values, low, high, number=pointer == "/0")]] = True
        locked = constraint.lock(torch.tensor([result.solution.values]), held).posterior(logits).log_z
        expected = float((locked - constraint.posterior(logits).log_z).exp())
        assert result.confidence[pointer] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_from_left_to_right(seed):
    denoiser = LeftToRight(seed, THINKER)
    result, start, values, ways = run(denoiser, seed)
    whole = result.solution.values

    def law(prefix, more=()):
        follow = sorted({way[len(prefix)] for way in ways if way[: len(prefix)] == prefix} | set(more))
        last = prefix[-1] if prefix else whole[start - 1]
        scores = (denoiser.logits[0, start + len(prefix)] + denoiser.table[last]).double()[follow].softmax(-1)
        return dict(zip(follow, scores.tolist(), strict=True))

    known = {}

    def q(way, first):
        product = 1.0
        for slot in range(first, len(way)):
            if way[:slot] not in known:
                known[way[:slot]] = law(way[:slot])
            product *= known[way[:slot]][way[slot]]
        return product

    gap = start - whole.index(MARKERS["</think>"]) - 1
    for pointer, (low, high) in json_text.spans(result.text).items():
        first = touched(values, low, high, number=False)[0]
        weights = {way: q(way, first) for way in ways if way[:first] == values[:first]}
        found = result.distribution[pointer]
        assert found == pytest.approx(grouped(result, pointer, weights), abs=2e-6)
        assert sum(found.values()) + found.rest == pytest.approx(1)
        product = 1.0
        for slot in touched(values, low, high, number=pointer == "/0"):
            white = [BLANK] if slot == 0 and gap < 4 else []  # the model could have gone on with white space
            product *= law(values[:slot], white)[values[slot]]
        assert result.confidence[pointer] == pytest.approx(product, rel=1e-5)


def test_an_empty_text_after_a_thought():
    pieces = (b"a", b"b", None, None, None)
    writes = TextVocabulary(pieces, end_ids=(2,), pad_id=2, added={"<think>": 3, "</think>": 4})
    options = {"max_new_tokens": 4, "thinking": 2, "draw": True, **ONE_STEP}
    found = [Model(RandomDenoiser(writes)).run("?", Regex("a?"), seed=seed, **options) for seed in range(20)]
    empty = [result for result in found if not result.text]
    assert empty and all(result.distribution[""] == pytest.approx({"": 0.5, "a": 0.5}) for result in found)
    assert all(0 < result.confidence[""] < 1 for result in empty)


@pytest.mark.parametrize("budget", [6, 7, 8])
def test_other_texts_are_weighed_within_the_budget(budget):
    """Of a canvas that is longer than its budget, from a slot on."""
    logits, first = Fixed(2).logits[:, :9], 1
    table = compile_tokens(compile_form(PAIR).acceptor(), TINY)
    law = TokenAutomaton.begin(table, 9, budget=budget).posterior(logits).row(0)
    ways = [way for way in texts(9 - first) if way.index(END) < budget - first]
    expected = sum(math.exp(float(logits[0, range(first, 9), list(way)].double().sum())) for way in ways)
    assert law.log_weight(table, first, budget) == pytest.approx(math.log(expected), rel=1e-6)
    assert law.log_weight(table, 7, 8) == -math.inf
