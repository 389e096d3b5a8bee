"""Texts over several blocks, with and without a thought: the exact state is carried over every border."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from dgsolve import Model, Regex
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import BudgetError, UsageError
from dgsolve.language.thinking import Thinking, with_thought
from dgsolve.language.token_table import min_tokens
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.loop import solve_many
from dgsolve.problems.sudoku import Sudoku
from tests.constraints.small_tables import as_lists, random_table

DRAWN = {"draw": True, "max_denoising_steps": 1}
MARKERS = {"<think>": 257, "</think>": 258}
THINKER = TextVocabulary((*(bytes([byte]) for byte in range(256)), None, None, None), (256,), 256, MARKERS)
LONG = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": {"enum": ["red", "green"]}, "minItems": 8, "maxItems": 12}},
    "required": ["words"],
    "additionalProperties": False,
}


def writer(slots: int | None, vocabulary: TextVocabulary | None = None) -> Model:
    return Model(RandomDenoiser(vocabulary, slots))


@pytest.mark.parametrize("slots", [16, 256])
@pytest.mark.parametrize("seed", range(3))
def test_a_text_goes_on_over_blocks_within_its_budget(slots, seed):
    result = writer(slots).run("?", LONG, max_new_tokens=130, seed=seed, **DRAWN)
    assert json.loads(result.text) == result.output and 8 <= len(result.output["words"]) <= 12
    assert result.usage.completion_tokens == len(result.text) + 1 <= 130
    assert result.steps == -(-result.usage.completion_tokens // slots)  # one step a block here


CHOICES = {"type": "object", "properties": {"a": {"const": 1}, "b": {"enum": ["x", "y"]}}, "required": ["a", "b"]}
CHOICES["additionalProperties"] = False


@pytest.mark.parametrize("slots", [None, 1, 3, 8, 24])
def test_choices_of_several_blocks_have_distributions(slots):
    result = writer(slots).run("?", CHOICES, max_new_tokens=24, **DRAWN)
    assert set(result.distribution) == set(result.confidence) == {"", "/a", "/b"}
    assert result.distribution["/a"] == {"1": 1.0} and result.distribution["/b"] == {'"x"': 0.5, '"y"': 0.5}
    assert 0 < result.confidence["/b"] < 1


def test_proposals_for_all_blocks_that_are_too_large_are_not_kept(monkeypatch):
    monkeypatch.setattr("dgsolve.sampling.drafting.KEPT_LOGITS", 24 * 257 - 1)
    result = writer(8).run("?", CHOICES, max_new_tokens=24, **DRAWN)
    assert dict(result.distribution) == {"/a": {"1": 1.0}} and 0 < result.confidence["/b"] < 1
    assert set(writer(24).run("?", CHOICES, max_new_tokens=24, **DRAWN).distribution) == {"", "/a", "/b"}


@pytest.mark.parametrize("extra", range(4))
def test_a_tight_budget_is_kept_inside_the_last_block(extra):
    fewest = len('{"words":[' + ",".join(['"red"'] * 8) + "]}") + 1
    result = writer(16).run("?", LONG, max_new_tokens=fewest + extra, **DRAWN)
    assert result.usage.completion_tokens <= fewest + extra
    with pytest.raises(BudgetError) as caught:
        writer(16).run("?", LONG, max_new_tokens=fewest - 1, **DRAWN)
    assert (caught.value.min_tokens, caught.value.max_tokens) == (fewest, fewest - 1)


def test_rows_on_different_blocks_write_what_they_write_alone():
    model = writer(16)
    alone = model.run("?", LONG, max_new_tokens=130, seed=4, **DRAWN).text
    generator = model.generator(LONG, max_new_tokens=130)
    together = solve_many([generator.problem("?")] * 3, model.denoiser, seed=4, batch_canvases=2, **DRAWN)
    assert [solution.answer for solution in together] == [alone] * 3


def test_every_block_has_all_steps_and_ends_with_the_last():
    result = writer(16).run("?", Regex("[ab]{40}"), max_new_tokens=48, max_denoising_steps=3)
    assert len(result.text) == 40 and result.steps == 9  # nothing to settle on: three blocks of three steps


class Wishing(RandomDenoiser):
    """It wants one text, and says of each block only what belongs there."""

    def __init__(self, wish: bytes, slots: int) -> None:
        super().__init__(None, slots)
        self.wish, self.seen = wish, []

    def noise(self, canvas, vocabulary, stream):
        self.first = canvas.constraint.first
        return super().noise(canvas, vocabulary, stream)

    def denoise(self, tokens, state):
        logits, state = super().denoise(tokens, state)
        for row, first in enumerate(self.first.tolist()):
            assert bytes(tokens[row, :first].tolist()) == self.wish[:first]  # settled slots hold what was settled
            for slot in range(logits.shape[1]):
                logits[row, slot, [*self.wish, *[256] * 99][first + slot]] = 40.0
        return logits, state


@pytest.mark.parametrize("renoise", ["all", "rejected", "draft", "none"])
def test_a_confident_denoiser_settles_each_block_early(renoise):
    wish = b"abba" * 10
    result = Model(Wishing(wish, 16)).run("?", Regex("[ab]*"), max_new_tokens=60, renoise=renoise)
    assert result.text == wish.decode() and result.steps == 9  # three of 48 steps a block


def test_faults_in_an_earlier_block_are_written_anew_around_the_rest():
    from pydantic import BaseModel, field_validator

    class Row(BaseModel):
        first: int
        rest: list[bool]

        @field_validator("first")
        @classmethod
        def is_even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("must be even")
            return value

    found = [writer(16).run("?", Row, max_new_tokens=90, seed=seed, attempts=64, **DRAWN) for seed in range(12)]
    repaired = [result for result in found if result.attempts > 1]
    assert repaired and all(result.output.first % 2 == 0 for result in found)
    second = [result for result in repaired if result.attempts == 2]
    rests = [(one.text.partition(",")[2], one.solution.refused[0][0].partition(",")[2]) for one in second]
    assert rests and all(now == before for now, before in rests)


@pytest.mark.parametrize("seed", range(25))
def test_windows_inside_a_budget_and_a_thought_are_as_by_brute_force(seed):
    """A budget that ends inside the canvas, and a thought that must close, against all sequences."""
    generator = np.random.default_rng(seed)
    table = random_table(generator, states=3, tokens=5, classes=4)
    pieces = (b"a", b" ", b"\n", None, None, None, None)
    vocabulary = TextVocabulary(pieces, (3,), 4, {"<": 5, ">": 6})
    table = replace(table, token_class=np.append(table.token_class, [-1, -1]).astype(np.int32))
    thinking = Thinking.of(2, vocabulary, ("<", ">"))
    whole = with_thought(table, vocabulary, thinking)
    budget, length = min_tokens(whole) + int(generator.integers(0, 3)), 12
    automaton = TokenAutomaton.begin(whole, length, budget=budget, thought=thinking.tokens)
    width = 4 if budget < 7 else 3
    logits = torch.from_numpy(generator.normal(size=(1, width, 7)) * 2).float()
    posterior = automaton.posterior(logits)
    right = {}
    for way in itertools.product(range(7), repeat=width):
        if fits(table, way, budget, thinking):
            right[way] = float(np.exp(sum(as_lists(logits[0])[i][t] for i, t in enumerate(way))))
    total = sum(right.values())
    marginals = np.zeros((width, 7))
    for way, weight in right.items():
        marginals[np.arange(width), list(way)] += weight / total
    assert np.allclose(posterior.marginals[0].numpy(), marginals, atol=1e-5)
    assert tuple(posterior.mode()[0].tolist()) == max(right, key=right.get)


def fits(table, way, budget: int, thinking: Thinking) -> bool:
    """Whether tokens are the beginning of a thought and a text in their budgets, read entry by entry."""
    if thinking.closing not in way:
        inside = way[1:] if way[0] == thinking.opening else way
        return len(way) < thinking.tokens and set(inside) <= {0, 1, 2} and len(way) + 1 + min_tokens(table) <= budget
    end = way.index(thinking.closing)
    inside = way[1:end] if way[0] == thinking.opening else way[:end]
    if end >= thinking.tokens or not set(inside) <= {0, 1, 2}:
        return False
    rest, state, gap = way[end + 1 :], table.start, 0
    while gap < min(4, len(rest)) and rest[gap] in (1, 2) and rest[gap] not in following(table, state):
        gap += 1  # white space with which no text begins
    used = end + 1 + gap
    for token in rest[gap:]:
        if token not in following(table, state):
            return False
        used += state != table.end
        state = following(table, state)[token]
    return used + int(table.distance[state]) <= budget


def following(table, state: int) -> dict[int, int]:
    """The state after each token that may follow."""
    low, high = table.offsets[state : state + 2]
    targets = dict(zip(table.classes[low:high].tolist(), table.targets[low:high].tolist(), strict=True))
    return {token: targets[label] for token, label in enumerate(table.token_class.tolist()) if label in targets}


@pytest.mark.parametrize("slots", [None, 16])
@pytest.mark.parametrize("seed", range(3))
def test_a_thought_closes_in_time_and_is_kept_apart(slots, seed):
    model = writer(slots, THINKER)
    result = model.run("?", LONG, max_new_tokens=150, thinking=30, seed=seed, **DRAWN)
    values = list(result.solution.values)
    assert values.index(258) < 30 and json.loads(result.text) == result.output
    start = result.solution.problem.start(values)
    assert set(values[values.index(258) + 1 : start]) <= set(b" \n") and start <= values.index(258) + 5
    assert result.usage.thinking_tokens == values.index(258) + 1
    assert result.usage.completion_tokens == start + len(result.text) + 1 <= 150
    thought = bytes(value for value in values[: values.index(258)] if value < 256)
    assert "" in result.confidence and result.thought == thought.decode("utf-8", "replace")
    plain = model.run("?", LONG, max_new_tokens=150, seed=seed, **DRAWN)
    assert plain.thought is None and plain.usage.thinking_tokens == 0


def test_a_stream_shows_the_thought_apart():
    events = list(writer(16, THINKER).generator(Regex("[ab]{9}"), max_new_tokens=60, thinking=40).stream("?", **DRAWN))
    assert events[-1].result.thought == events[-1].thought and events[-1].text == events[-1].result.text
    assert any(event.thought and not event.text for event in events)


def test_the_shortest_thought_counts():
    with pytest.raises(BudgetError) as caught:
        writer(None, THINKER).run("?", Regex("ab"), max_new_tokens=3, thinking=9)
    assert caught.value.min_tokens == 4  # the marker, two letters and the end
    assert writer(None, THINKER).run("?", Regex("ab"), max_new_tokens=4, thinking=9, **DRAWN).thought == ""


def test_markers_must_be_known():
    with pytest.raises(UsageError, match="no thinking markers") as caught:
        writer(None).generator(LONG, thinking=9)
    assert "thinking_markers=" in caught.value.hint
    with pytest.raises(UsageError, match="'<x>' is no token of its own"):
        writer(None, THINKER).generator(LONG, thinking=9, thinking_markers=("<x>", "</think>"))
    with pytest.raises(UsageError, match="at least 1"):
        writer(None, THINKER).generator(LONG, thinking=0)
    with pytest.raises(UsageError, match="without thinking="):
        writer(None, THINKER).generator(LONG, thinking_markers=("<think>", "</think>"))


def test_a_canvas_that_is_no_row_of_blocks_is_refused():
    with pytest.raises(UsageError, match="reads 7 at a time"):
        next(iter(solve_many([Sudoku((0,) * 16)], RandomDenoiser(canvas_slots=7))))


@pytest.mark.parametrize("markers", [5, ("<think>",), ("<think>", "<think>"), ("<think>", ["</think>"]), {}])
def test_markers_are_two_texts(markers):
    with pytest.raises(UsageError, match=r"thinking_markers=.*: give two different texts"):
        writer(None, THINKER).generator(LONG, thinking=9, thinking_markers=markers)
