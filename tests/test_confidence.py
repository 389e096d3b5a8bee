"""How sure a model was, of parts of a text and of each choice, against going through all canvases or all texts."""

import itertools
import math
from dataclasses import replace

import pytest
import torch

from dgsolve import Choice, Model, Sudoku, solve
from dgsolve.confidence import confidence
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import UsageError
from dgsolve.forms import compile_form
from dgsolve.language import json_text
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.loop import solve_many
from tests.tiny_texts import (
    ONE_STEP,
    PAIR,
    PIECES,
    SLOTS,
    TINY,
    Fixed,
    LeftToRight,
    Settled,
    before,
    grouped,
    spelled,
    texts,
    touched,
)


@pytest.fixture(scope="module")
def canvases():
    found = texts()
    assert len(found) > 100
    return found


def run(denoiser, **options):
    return Model(denoiser).run("?", PAIR, max_new_tokens=SLOTS, **options)


@pytest.mark.parametrize("seed", range(6))
def test_of_a_canvas(seed, canvases):
    denoiser = Fixed(seed)
    result = run(denoiser, draw=True, seed=seed, **ONE_STEP)
    logits = denoiser.logits[0, :SLOTS].double()
    weight = {way: math.exp(float(logits[range(SLOTS), list(way)].sum())) for way in canvases}
    total, values, spans = sum(weight.values()), result.solution.values, json_text.spans(result.text)
    for pointer, (low, high) in spans.items():
        slots = touched(values, low, high, number=pointer == "/0")
        fits = sum(w for way, w in weight.items() if all(way[s] == values[s] for s in slots))
        assert result.confidence[pointer] == pytest.approx(fits / total, rel=1e-5), pointer
        assert result.distribution[pointer] == pytest.approx(grouped(result, pointer, weight), rel=1e-5)
    assert set(result.distribution) == {"", "/0", "/1"} and len(result.distribution[""]) == 6
    assert set(result.distribution["/0"]) == {"1", "12", "2"} and result.distribution["/0"].rest == 0


class Parted(Fixed):
    """The same logits, for a block at a time."""

    def __init__(self, seed, slots):
        super().__init__(seed)
        self.canvas_slots = slots

    def start(self, problem, canvas):
        return Settled(torch.zeros(len(canvas.tokens), dtype=torch.long))

    def settle(self, state, settled):
        return replace(state, settled=settled)

    def denoise(self, tokens, state):
        blocks = [self.logits[0, first : first + self.canvas_slots] for first in state.settled.tolist()]
        return torch.stack(blocks), state


@pytest.mark.parametrize("slots", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_of_several_blocks(seed, slots):
    """Each block is weighed by itself, given what stands before it; a part by the blocks that it lies in."""
    length = -(-SLOTS // slots) * slots
    denoiser, ways = Parted(seed, slots), [(*way, *[len(PIECES) + 1] * (length - SLOTS)) for way in texts()]
    result = run(denoiser, draw=True, seed=seed, **ONE_STEP)
    logits, values = denoiser.logits[0].double(), result.solution.values

    def weights(low, high):
        """Of all ways to fill the slots low .. high - 1 after the values, and the texts that each may become."""
        found = {}
        for way in ways:
            if way[:low] == values[:low]:
                found.setdefault(way[low:high], set()).add(spelled(way))
        return {way: (math.exp(float(logits[range(low, high), list(way)].sum())), all_) for way, all_ in found.items()}

    for pointer, (low, high) in json_text.spans(result.text).items():
        part = touched(values, low, high, number=pointer == "/0")
        first, last = part[0] // slots * slots, (part[-1] // slots + 1) * slots
        mine, _ = before(result.text.encode(), pointer)
        shares = dict.fromkeys(result.distribution[pointer], 0.0)
        for weight, becomes in weights(first, last).values():
            for name in {name for head, name in (before(text, pointer) for text in becomes) if head == mine}:
                shares[name] += weight
        expected = {name: share / sum(shares.values()) for name, share in shares.items()}
        assert result.distribution[pointer] == pytest.approx(expected, rel=1e-5), pointer
        product = 1.0
        for block in range(first, last, slots):
            here = [slot for slot in part if block <= slot < block + slots]
            known = weights(block, block + slots)
            fits = sum(w for way, (w, _) in known.items() if all(way[s - block] == values[s] for s in here))
            product *= fits / sum(w for w, _ in known.values())
        assert result.confidence[pointer] == pytest.approx(product, rel=1e-5), pointer


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
    problem, logits = result.solution.problem, Fixed(3).logits[:, :SLOTS]
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


def test_a_frame_that_ends_a_text_and_its_solution_share_one_posterior():
    generator, frames = Model(Fixed(1)).generator(PAIR, max_new_tokens=SLOTS), []
    problems = [generator.problem(prompt) for prompt in "ab"]  # of several canvases each keeps a copy of its logits
    solutions = list(solve_many(problems, Fixed(1), on_frame=frames.append, **ONE_STEP))
    kept = [frame.posterior for frame in frames]
    assert len(kept) == 2 and kept[0] is not kept[1]
    assert all(posterior is solution.posterior for posterior, solution in zip(kept, solutions, strict=True))


def test_only_texts_have_parts():
    solution = solve(Sudoku.parse("1.3...1.3..1.1.3"), "random", max_denoising_steps=1)
    with pytest.raises(UsageError, match="is no text"):
        confidence(solution, compile_form(PAIR))


@pytest.mark.parametrize("kind", [Fixed, LeftToRight])
def test_what_a_repair_pins_keeps_the_probability_with_which_it_was_written(kind):
    """Pairs of different numbers: where they are alike, only the second is written anew."""
    items = [{"enum": [[1], [2]]}] * 2
    form = {"type": "array", "minItems": 2, "prefixItems": items, "items": False, "uniqueItems": True}
    options, seen = {"draw": True, "keep_trace": True, "max_denoising_steps": SLOTS, "t_max": 1.0, "t_min": 1.0}, 0
    for seed in range(30):
        problem = Model(kind(seed)).generator(form, max_new_tokens=SLOTS).problem("?")
        solution = solve(problem, kind(seed), seed=seed, **options)
        if solution.answer is None or len(solution.refused) != 1:
            continue
        first = next(frame for frame in solution.trace if frame.refused)
        pinned = [slot for slot, held in enumerate(solution.trace[-1].locked) if held]
        assert pinned and any(first.probability[slot] < 0.99 for slot in pinned)
        assert [solution.confidence[slot] for slot in pinned] == [first.probability[slot] for slot in pinned]
        before = math.prod(first.probability[slot] for slot in pinned)
        assert confidence(solution, problem.form)[""] <= before + 1e-6
        seen += 1
    assert seen


def test_the_innermost_choices_are_those_that_hold_no_other():
    items = [{"const": 1}, *[{"type": "boolean"}] * 2]
    booleans = {"type": "array", "prefixItems": items, "minItems": 3, "items": False}
    form = {"type": "array", "prefixItems": [booleans, {"enum": [[2], [3]]}], "minItems": 2, "items": False}
    found = Model(RandomDenoiser()).run("?", form, max_new_tokens=60, **ONE_STEP).distribution
    assert set(found) == {"", "/0", "/0/0", "/0/1", "/0/2", "/1", "/1/0"} and len(found[""]) == 8
    assert found.innermost == ["/0/0", "/0/1", "/0/2", "/1/0"]
