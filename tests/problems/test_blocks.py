"""Several blocks against one big canvas: the same texts can come out, and each block has its exact posterior."""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from dgsolve import Model, Regex
from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.language.vocabulary import TextVocabulary
from tests.tiny_texts import Settled

NAMES, END, SLOTS = "ab2nE<>", 4, 6
SPELLED = {"a": "a", "b": "b", "2": "ab"}
VOCABULARY = TextVocabulary((b"a", b"b", b"ab", b"\n", None, None, None), (4,), 4, {"<think>": 5, "</think>": 6})
FORM = "a?(ba?)*"
CASES = [(2, 5, None), (3, 5, None), (2, 6, 3), (3, 6, 2), (2, 4, 2)]  # block, budget, thought


class Blockwise(RandomDenoiser):
    """The same random logits at each step, of the block that comes next."""

    def __init__(self, block: int, seed: int) -> None:
        super().__init__(VOCABULARY, block)
        self.logits = torch.from_numpy(np.random.default_rng(seed).normal(size=(SLOTS, VOCABULARY.size)) * 1.5).float()

    def start(self, problem, canvas):
        return Settled(torch.zeros(len(canvas.tokens), dtype=torch.long))

    def settle(self, state, settled):
        return replace(state, settled=settled)

    def denoise(self, tokens, state):
        return torch.stack([self.logits[first : first + self.canvas_slots] for first in state.settled.tolist()]), state


def language(block, budget, thinking):
    """All canvases, as tokens, that hold a thought where there may be one, and a text in form, within their budgets."""
    thought = "()" if thinking is None else "(<?[ab2n]*>)n{0,4}"
    pattern, found = re.compile(thought + "([ab2]*)E+"), []
    for way in itertools.product(range(len(NAMES)), repeat=-(-budget // block) * block):
        match = pattern.fullmatch("".join(NAMES[token] for token in way))
        in_time = match and way.index(END) < budget and len(match[1]) <= (thinking or 0)
        if in_time and re.fullmatch(FORM, "".join(SPELLED[name] for name in match[2])):
            found.append(way)
    return found


def shares(ways, logits, before, end):
    """The probability of each way to fill the slots after `before` up to `end`, among those that can be completed."""
    first = len(before)
    window = {way[first:end] for way in ways if way[:first] == before}
    weights = {part: math.exp(float(logits[range(first, end), list(part)].double().sum())) for part in window}
    return {part: weight / sum(weights.values()) for part, weight in weights.items()}


@pytest.mark.parametrize(("block", "budget", "thinking"), CASES)
def test_block_by_block_the_whole_language_comes_out_by_conditional_probabilities(block, budget, thinking):
    denoiser, ways = Blockwise(block, seed=budget), language(block, budget, thinking)
    problem = Model(denoiser).generator(Regex(FORM), max_new_tokens=budget, thinking=thinking).problem("?")
    found = {(): problem.canvas(VOCABULARY).constraint}
    for end in range(block, problem.slots + 1, block):
        longer = {}
        for before, constraint in found.items():
            law = constraint.posterior(denoiser.logits[None, len(before) : end]).row(0)
            right = shares(ways, denoiser.logits, before, end)
            for part in itertools.product(range(len(NAMES)), repeat=block):
                log = law.log_probability(np.array(part))
                assert (log > LOGIT_FLOOR) == (part in right)
                if part in right:
                    assert math.exp(log) == pytest.approx(right[part], rel=1e-4)
                    whole = torch.tensor([[*before, *part, *[END] * (problem.slots - end)]])
                    longer[before + part] = constraint.settle(whole, torch.tensor([end]))
        found = longer
    assert len(ways) > 5 and set(found) == set(ways)
    assert all(bool(constraint.complete()) for constraint in found.values())


@pytest.mark.parametrize(("block", "budget", "thinking"), CASES)
def test_the_loop_draws_each_block_from_that_posterior(block, budget, thinking):
    ways, seen = language(block, budget, thinking), set()
    for seed in range(8):
        denoiser = Blockwise(block, seed=budget)
        generator = Model(denoiser).generator(Regex(FORM), max_new_tokens=budget, thinking=thinking)
        result = generator.run("?", seed=seed, draw=True, max_denoising_steps=1, t_max=1.0, t_min=1.0)
        written = [value for value in result.solution.values if value >= 0]  # no block follows the end
        values = (*written, *[END] * (len(ways[0]) - len(written)))
        assert values in ways and len(written) % block == 0
        seen.add(values)
        for first in range(0, len(written), block):
            law = shares(ways, denoiser.logits, values[:first], first + block)
            for slot in range(block):
                marginal = sum(share for part, share in law.items() if part[slot] == values[first + slot])
                assert result.solution.confidence[first + slot] == pytest.approx(marginal, rel=1e-4)
    assert len(seen) > 3
