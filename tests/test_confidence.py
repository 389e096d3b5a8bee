"""How sure a model was, of parts of a text and of each choice, against going through all canvases or all texts."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from dgsolve import Choice, Model
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.denoisers.base import RowState
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.language import json_text
from dgsolve.language.choices import compact, label
from dgsolve.language.vocabulary import TextVocabulary

PIECES = [b"[", b"]", b",", b" ", b"1", b"2", b"12", b", ", b"true", b"t", b"rue", b"false", b",1", b"2]", b" false"]
PIECES += [b"e", b"fals", b"[1", b"e]", b"ru", b"2,"]
TINY = TextVocabulary((*PIECES, None, None), end_ids=(len(PIECES),), pad_id=len(PIECES) + 1)
PAIR = {"type": "array", "prefixItems": [{"enum": [1, 12, 2]}, {"type": "boolean"}], "items": False, "minItems": 2}
SLOTS = 9
ONE_STEP = {"max_denoising_steps": 1, "t_max": 1.0, "t_min": 1.0}


class Fixed(RandomDenoiser):
    """The same random logits at each step."""

    def __init__(self, seed, scale=2.0):
        super().__init__(TINY)
        self.logits = torch.from_numpy(np.random.default_rng(seed).normal(size=(1, SLOTS, TINY.size)) * scale).float()

    def denoise(self, tokens, state):
        return self.logits.expand(len(tokens), -1, -1), state


@dataclass(frozen=True)
class Settled(RowState):
    settled: torch.Tensor


class LeftToRight(Fixed):
    """A causal model of one token of memory: its logits hang on the slot and on the token before."""

    def __init__(self, seed):
        super().__init__(seed)
        self.drafting, self.sampling = CausalDenoiser.drafting, CausalDenoiser.sampling
        self.table = torch.from_numpy(np.random.default_rng(seed + 99).normal(size=(TINY.size, TINY.size)) * 2).float()

    def start(self, problem, canvas):
        return Settled(torch.zeros(len(canvas.tokens), dtype=torch.long))

    def settle(self, state, settled):
        return replace(state, settled=settled)

    def denoise(self, tokens, state):
        rows = []
        for row, first in zip(tokens.clamp(min=0), state.settled.tolist(), strict=True):
            before = row[max(0, first - 1) : SLOTS - 1] if first else torch.cat([row[:1] * 0, row[: SLOTS - 1]])
            width = SLOTS - int(state.settled.max())
            rows.append(self.logits[0, first : first + width] + self.table[before[:width]])
        return torch.stack(rows), state


def texts(vocabulary=TINY):
    """All canvases whose text is in form, as tokens: text, end, padding."""
    end, pad = vocabulary.end_ids[0], vocabulary.pad_id
    form = Model(Fixed(0)).generator(PAIR).form
    acceptor, found, ways = form.acceptor(), [], [((), 0)]
    for _ in range(SLOTS):
        longer = []
        for tokens, state in ways:
            if state in acceptor.finals:
                found.append((*tokens, end, *[pad] * (SLOTS - len(tokens) - 1)))
            for token, piece in enumerate(PIECES):
                after = state
                for byte in piece:
                    after = acceptor.step(after, byte) if after >= 0 else -1
                if after >= 0:
                    longer.append(((*tokens, token), after))
        ways = longer
    return found


@pytest.fixture(scope="module")
def canvases():
    found = texts()
    assert len(found) > 100
    return found


def spelled(tokens):
    return TINY.decode(tokens)


def before(text, pointer):
    low, high = json_text.spans(text)[pointer]
    return compact(text[:low])[0], label(text[low:high])


def run(denoiser, **options):
    return Model(denoiser).run("?", PAIR, max_new_tokens=SLOTS, **options)


@pytest.mark.parametrize("seed", range(6))
def test_of_a_canvas(seed, canvases):
    denoiser = Fixed(seed)
    result = run(denoiser, draw=True, seed=seed, **ONE_STEP)
    logits = denoiser.logits[0].double()
    weight = {way: math.exp(float(logits[range(SLOTS), list(way)].sum())) for way in canvases}
    total, values, spans = sum(weight.values()), result.solution.values, json_text.spans(result.text)
    for pointer, (low, high) in spans.items():
        starts = list(itertools.accumulate((len(PIECES[v]) for v in values if v < len(PIECES)), initial=0))
        slots = [s for s in range(len(starts) - 1) if starts[s] < high and starts[s + 1] > low]
        if pointer == "/0" and starts[slots[-1] + 1] == high:
            slots.append(slots[-1] + 1)
        fits = sum(w for way, w in weight.items() if all(way[s] == values[s] for s in slots))
        assert result.confidence[pointer] == pytest.approx(fits / total, rel=1e-5), pointer
        mine, _ = before(result.text.encode(), pointer)
        shares = dict.fromkeys(result.distribution[pointer], 0.0)
        for way, w in weight.items():
            head, name = before(spelled(way), pointer)
            if head == mine:
                shares[name] += w
        expected = {name: share / sum(shares.values()) for name, share in shares.items()}
        assert result.distribution[pointer] == pytest.approx(expected, rel=1e-5)
    assert set(result.distribution) == {"", "/0", "/1"} and len(result.distribution[""]) == 6
    assert set(result.distribution["/0"]) == {"1", "12", "2"} and result.distribution["/0"].rest == 0


@pytest.mark.parametrize("seed", range(6))
def test_from_left_to_right(seed, canvases):
    denoiser = LeftToRight(seed)
    result = run(denoiser, draw=True, seed=seed)

    def law(prefix):
        follow = sorted({way[len(prefix)] for way in canvases if way[: len(prefix)] == prefix})
        last = prefix[-1] if prefix else 0
        scores = (denoiser.logits[0, len(prefix)] + denoiser.table[last]).double()[follow].softmax(-1)
        return dict(zip(follow, scores.tolist(), strict=True))

    known = {}

    def q(way, start):
        product = 1.0
        for slot in range(start, SLOTS):
            if way[:slot] not in known:
                known[way[:slot]] = law(way[:slot])
            product *= known[way[:slot]][way[slot]]
        return product

    values, text = result.solution.values, result.text.encode()
    starts = list(itertools.accumulate((len(PIECES[v]) for v in values if v < len(PIECES)), initial=0))
    for pointer, (low, high) in json_text.spans(result.text).items():
        slots = [s for s in range(len(starts) - 1) if starts[s] < high and starts[s + 1] > low]
        mine, chosen = before(text, pointer)
        shares = dict.fromkeys(result.distribution[pointer], 0.0)
        for way in canvases:
            if way[: slots[0]] == values[: slots[0]]:
                head, name = before(spelled(way), pointer)
                if head == mine:
                    shares[name] += q(way, slots[0])
        expected = {name: share / sum(shares.values()) for name, share in shares.items()}
        found = result.distribution[pointer]
        assert found == pytest.approx(expected, abs=2e-6) and sum(found.values()) + found.rest == pytest.approx(1)
        if pointer == "/0" and starts[slots[-1] + 1] == high:
            slots.append(slots[-1] + 1)
        product = math.prod(law(values[:slot])[values[slot]] for slot in slots)
        assert result.confidence[pointer] == pytest.approx(product, rel=1e-5)
        assert result.confidence[pointer] <= found[chosen] + found.rest + 1e-6


def test_one_way_to_write_it_makes_confidence_and_distribution_equal():
    end = TextVocabulary((b"a", b"b", None), end_ids=(2,), pad_id=2)
    result = Model(RandomDenoiser(end)).run("?", Choice(["a", "ab", "bb"]), max_new_tokens=3, **ONE_STEP)
    assert result.distribution[""] == pytest.approx(dict.fromkeys(("a", "ab", "bb"), 1 / 3))
    assert result.confidence[""] == pytest.approx(result.distribution[""][result.text])


def test_a_locked_canvas_gives_the_same_joint_probability(canvases):
    result = run(Fixed(3), **ONE_STEP)
    problem, logits = result.solution.problem, Fixed(3).logits
    constraint = problem.canvas(TINY).constraint
    assert isinstance(constraint, TokenAutomaton)
    values = torch.tensor([result.solution.values])
    for low, high in ((0, 1), (1, 3), (2, SLOTS)):
        slots = (torch.arange(SLOTS) >= low) & (torch.arange(SLOTS) < high)
        locked = constraint.lock(values, slots[None]).posterior(logits).log_z - constraint.posterior(logits).log_z
        together = result.solution.posterior.together(low, result.solution.values[low:high])
        assert together == pytest.approx(float(locked.exp()), rel=1e-4)


def test_results_of_a_batch_and_of_a_stream_have_them_too():
    denoiser = Fixed(1)
    generator = Model(denoiser).generator(PAIR, max_new_tokens=SLOTS)
    alone = generator.run("?", **ONE_STEP)
    done = list(generator.stream("?", **ONE_STEP))[-1].result
    assert done.confidence == alone.confidence and done.distribution["/1"] == alone.distribution["/1"]
    assert sum(alone.distribution["/1"].values()) == pytest.approx(1)
