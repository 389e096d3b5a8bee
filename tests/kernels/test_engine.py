"""The engine through the kernels says what it says on a CPU: same tokens for the same seeds, same entropies."""

import copy
import math
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from dgsolve.constraints import gpu_lattice
from dgsolve.constraints.gpu_posterior import GpuPosterior
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.constraints.token_posterior import TokenPosterior
from dgsolve.constraints.unconstrained import FreePosterior, Unconstrained
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.forms.text_forms import RegexForm
from dgsolve.kernels import optional_triton
from dgsolve.loop import solve_many
from dgsolve.model import Model
from dgsolve.problems.text import Text
from dgsolve.randomness import Stream
from tests.constraints.small_tables import Exhaustive, as_lists, distances, plain_entropy, random_table, table
from tests.denoisers.tiny_diffusion_gemma import BLOCK, Numbers, tiny_model, tiny_vocabulary

SMALL = {"type": "object", "properties": {"a": {"enum": [7, "x", None]}}, "additionalProperties": False}
KINDS = ("plain", "bfloat16", "infinities", "no numbers", "high", "low", "far apart")


def random_case(seed, rows=2, length=6, tokens=300):
    """A random table, canvases of it, and logits about all their slots."""
    generator = np.random.default_rng(seed)
    rules = random_table(generator, tokens=tokens)
    while rules.distance[0] > length - 1:
        rules = random_table(generator, tokens=tokens)
    shape = rows, length, len(rules.token_class)
    return TokenAutomaton.begin(rules, length, rows), torch.from_numpy(generator.normal(size=shape) * 2).float()


def of_kind(logits, kind):
    some = torch.rand(logits.shape, generator=torch.Generator().manual_seed(1)) < 0.3
    return {
        "plain": logits,
        "bfloat16": logits.bfloat16(),
        "infinities": logits.masked_fill(some, -math.inf).masked_fill(some.roll(1, 2), math.inf),
        "no numbers": logits.masked_fill(some, math.nan),
        "high": logits * 0.01 + 1e4 / 2,
        "low": torch.full_like(logits, -1e4),
        "far apart": logits * 100,
    }[kind]


def asked(posterior, seed=5):
    """Everything that a posterior is asked for, on the CPU."""
    rows, slots = posterior.entropy.shape
    size = posterior.marginals.shape[2]
    tokens = torch.randint(size, (rows, slots), generator=torch.Generator().manual_seed(seed))
    draw, mode = posterior.sample(Stream(torch.arange(rows) + seed)).cpu(), posterior.mode().cpu()
    values = {
        "draw": draw,
        "mode": mode,
        "entropy": posterior.entropy,
        "log_z": posterior.log_z,
        "marginals": posterior.marginals,
        "probability": torch.stack([posterior.probability(some) for some in (tokens, draw, mode)]),
        "log_probability": torch.stack([posterior.log_probability(some) for some in (tokens, draw, mode)]),
    }
    return SimpleNamespace(**{name: value.cpu() for name, value in values.items()})


def both(engine, constraint, logits, heat=None):
    """What the CPU says, and what the kernels say."""
    right = asked(constraint.posterior(logits, heat))
    with engine.kernels():
        posterior = constraint.posterior(logits.to(engine.device), heat)
        assert isinstance(posterior, (GpuPosterior, FreePosterior))
        return right, asked(posterior)


def assert_same(right, found, nats=3e-6):
    """nats: what Float32 makes of a difference of logits of this size."""
    assert torch.equal(found.draw, right.draw) and torch.equal(found.mode, right.mode)
    for name, absolute in (("entropy", 20 * nats), ("marginals", nats), ("probability", nats)):
        torch.testing.assert_close(getattr(found, name), getattr(right, name), rtol=2e-5, atol=absolute, msg=name)
    for name in ("log_z", "log_probability"):
        torch.testing.assert_close(getattr(found, name), getattr(right, name), rtol=2e-6, atol=10 * nats, msg=name)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_posterior_under_rules(engine, seed, kind):
    automaton, logits = random_case(seed)
    heats = (None,) if kind in ("bfloat16", "infinities", "no numbers", "low") else (None, torch.tensor([0.7, 0.41]))
    for heat in heats:  # where logits are equal, a temperature rounds one up and one down
        assert_same(*both(engine, automaton, of_kind(logits, kind), heat), nats=2e-4 if kind == "far apart" else 3e-6)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_exact(engine, seed):
    automaton, logits = random_case(seed, length=5, tokens=6)
    oracle = Exhaustive.of(automaton.shared.table.source, as_lists(logits[1]), 0, 5)
    with engine.kernels():
        found = asked(automaton.posterior(logits.to(engine.device)))
    marginals = oracle.marginals()
    assert found.log_z[1].item() == pytest.approx(oracle.log_z, rel=1e-5, abs=1e-5)
    assert np.abs(found.marginals[1].numpy() - marginals).max() < 1e-5
    assert np.abs(found.entropy[1].numpy() - plain_entropy(marginals)).max() < 1e-5
    best = oracle.weights[tuple(found.mode[1].tolist())]
    assert best == pytest.approx(max(oracle.weights.values()), rel=1e-4)


def test_draws_come_in_proportion(engine):
    count = 30 if engine.device == "cpu" else 2000
    automaton, logits = random_case(1, rows=1, length=3, tokens=6)
    with engine.kernels():
        posterior = automaton.rows(torch.zeros(count, dtype=torch.long)).posterior(
            logits.to(engine.device).expand(count, -1, -1)
        )
        draws = posterior.sample(Stream(torch.arange(count))).cpu()
    oracle = Exhaustive.of(automaton.shared.table.source, as_lists(logits[0]), 0, 3)
    drawn = [tuple(row) for row in draws.tolist()]
    assert set(drawn) <= set(oracle.weights)
    for way, weight in oracle.weights.items():
        assert drawn.count(way) / count == pytest.approx(weight, abs=4 * math.sqrt(weight / count) + 0.5 / count)


def test_canvases_in_their_own_states_with_pinned_slots(engine):
    automaton, logits = random_case(2, rows=3, length=7)
    mode = automaton.posterior(logits).mode()
    slots = torch.zeros(3, 7, dtype=torch.bool)
    slots[0, 4], slots[1, [1, 5]] = True, True
    pinned = automaton.lock(mode, slots).settle(mode, torch.tensor([1, 0, 2]))
    window = torch.stack([logits[row, first : first + 5] for row, first in enumerate((1, 0, 2))])
    right, found = both(engine, pinned, window, torch.tensor([0.5, 0.8, 1.0]))
    assert_same(right, found)
    assert found.mode[0, 3] == mode[0, 4] and found.entropy[0, 3] == 0 and found.entropy[1, 1] == 0
    assert found.marginals[1, 1, mode[1, 1]] == 1 and found.marginals[1, 1].sum() == 1


def test_slots_that_hold_one_class_or_one_token(engine):
    rows = [{0: 1}, {1: 2}, {0: 3, 1: 3}, {2: 4}, {3: 4}]  # class 0 has tokens 0 to 2, class 1 token 3
    rules = table([0, 0, 0, 1, 2, 3], rows, distances(rows))
    automaton = TokenAutomaton.begin(rules, 6)
    right, found = both(engine, automaton, torch.randn(1, 6, 6, generator=torch.Generator().manual_seed(0)))
    assert_same(right, found)
    assert (found.entropy[0] == 0).tolist() == [False, True, False, True, True, True]
    assert found.probability[2, 0, 1] == 1  # exactly: there is no other token


def test_a_row_answers_after_its_batch_is_gone(engine):
    automaton, logits = random_case(3)
    right = automaton.posterior(logits)
    heat = torch.tensor([1.0, 1.0])
    with engine.kernels():
        law = automaton.posterior(logits.to(engine.device), heat).row(1)
        tokens = right.mode()[1].tolist()
        assert law.together(0, tokens[:3]) == pytest.approx(right.row(1).together(0, tokens[:3]), abs=1e-6)
        rules = automaton.shared.table.source
        assert law.log_weight(rules) == pytest.approx(right.row(1).log_weight(rules), abs=1e-5)


def test_a_lattice_that_is_too_large_goes_through_the_chain_of_the_cpu(engine, monkeypatch):
    automaton, logits = random_case(0)
    right = asked(automaton.posterior(logits))
    monkeypatch.setattr(gpu_lattice, "MOST_ARCS", 0)
    with engine.kernels():
        posterior = automaton.posterior(logits.to(engine.device))
        assert isinstance(posterior, TokenPosterior)
        assert_same(right, asked(posterior))


@pytest.mark.parametrize("kind", KINDS)
def test_a_posterior_without_rules(engine, kind):
    logits = torch.randn(2, 5, 9001, generator=torch.Generator().manual_seed(3)) * 3
    heat = None if kind == "bfloat16" else torch.tensor([0.7, 0.41])
    right, found = both(engine, Unconstrained.begin(9001, 5), of_kind(logits, kind), heat)
    assert_same(right, found, nats=2e-3 if kind in ("high", "far apart") else 2e-5)


def denoisers(engine):
    model = copy.deepcopy(tiny_model(0.1)).float()
    here = DiffusionGemmaDenoiser(model, Numbers(), tiny_vocabulary())
    return here, DiffusionGemmaDenoiser(copy.deepcopy(model).to(engine.device), Numbers(), tiny_vocabulary())


@pytest.mark.parametrize("conditioning", ["posterior", "logits"])
def test_diffusion_gemma_writes_the_same_json(engine, conditioning):
    here, there = (Model(denoiser).generator(SMALL, max_new_tokens=BLOCK, instruct=False)
                   for denoiser in denoisers(engine))  # fmt: skip
    # slots that the schema ties together are equally sure, and rounding says which of them are accepted: here all are
    settings = {"seed": 3, "max_denoising_steps": 3, "self_conditioning": conditioning, "entropy_bound": 100.0}
    asked_for = ["7 8 9", "20 21"]
    right = [here.run(prompt, **settings) for prompt in asked_for]
    with engine.kernels():
        found = [there.run(prompt, **settings) for prompt in asked_for[:1]]
        assert list(there.batch(asked_for, **settings)) == [result.output for result in right]
    for mine, theirs in zip(found, right, strict=False):
        assert (mine.text, mine.steps) == (theirs.text, theirs.steps)
        for place, sure in theirs.confidence.items():
            assert mine.confidence[place] == pytest.approx(sure, rel=1e-3, abs=1e-6)


def test_diffusion_gemma_writes_the_same_text_without_rules(engine):
    settings = {"seed": 5, "max_denoising_steps": 3, "locks": False, "feedback": False, "self_conditioning": "logits"}
    form, (here, there) = RegexForm(r"[\s\S]*"), denoisers(engine)
    texts = [Text(form, here.text, prompt, BLOCK, BLOCK) for prompt in ("7 8 9", "20 21")]
    right = [solution.values for solution in solve_many(texts, here, **settings)]
    with engine.kernels():
        assert [solution.values for solution in solve_many(texts, there, **settings)] == right


def test_copies_between_gpu_and_host_do_not_grow_with_the_slots(engine):
    if engine.device == "cpu":
        pytest.skip("counts what a GPU waits for: needs one, and TRITON_INTERPRET=0")
    counts = []
    for length in (5, 12):
        automaton, logits = random_case(1, length=length)
        logits = logits.cuda()
        asked(automaton.posterior(logits))  # what is built once
        torch.cuda.set_sync_debug_mode("warn")
        try:
            with warnings.catch_warnings(record=True) as waited:
                warnings.simplefilter("always")
                posterior = automaton.posterior(logits, torch.ones(2))
                posterior.sample(Stream(torch.arange(2))), posterior.probability(posterior.mode()), posterior.entropy
        finally:
            torch.cuda.set_sync_debug_mode("default")
        counts.append(len(waited))
    assert counts[0] == counts[1]


def test_a_gpu_without_triton_says_so_once(monkeypatch):
    monkeypatch.setattr(optional_triton, "tl", None)
    optional_triton._say_what_is_missing.cache_clear()
    tensor = SimpleNamespace(is_cuda=True)
    with pytest.warns(UserWarning, match="pip install triton"):
        assert not optional_triton.on_triton(tensor)
    assert not optional_triton.on_triton(tensor)  # a warning would be an error here


def test_a_tensor_on_a_cpu_takes_no_kernel():
    assert not optional_triton.on_triton(torch.zeros(1))
    assert isinstance(replace(random_case(0)[0]).posterior(random_case(0)[1]), TokenPosterior)
