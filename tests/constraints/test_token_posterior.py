"""The posterior under token automata against going through all sequences."""

import math

import numpy as np
import pytest
import torch

from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.randomness import Stream

from .small_tables import Exhaustive, as_lists, plain_entropy, random_table, table

SEEDS = range(25)


def case(seed: int, length: int = 5, scale: float = 2.0):
    """A random table, canvases of it that can be completed, and logits about all slots."""
    generator = np.random.default_rng(seed)
    table = random_table(generator)
    while table.distance[0] > length - 1:
        table = random_table(generator)
    logits = torch.from_numpy(generator.normal(size=(1, length, len(table.token_class))) * scale).float()
    return table, TokenAutomaton.begin(table, length), logits, generator


def assert_exact(posterior, oracle: Exhaustive, row: int = 0, tolerance: float = 1e-5):
    marginals = oracle.marginals()
    assert posterior.log_z[row].item() == pytest.approx(oracle.log_z, rel=1e-5, abs=tolerance)
    assert np.abs(posterior.marginals[row].numpy() - marginals).max() < tolerance
    assert np.abs(posterior.entropy[row].numpy() - plain_entropy(marginals)).max() < tolerance
    for token in range(oracle.vocabulary):
        given = torch.full((len(posterior.entropy), len(marginals)), token)
        assert np.abs(posterior.probability(given)[row].numpy() - marginals[:, token]).max() < tolerance
    mode = tuple(posterior.mode()[row].tolist())
    assert oracle.weights[mode] == pytest.approx(max(oracle.weights.values()), rel=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_quantities(seed):
    rules, automaton, logits, _ = case(seed)
    posterior = automaton.posterior(logits)
    oracle = Exhaustive.of(rules, as_lists(logits[0]), 0, 5)
    assert_exact(posterior, oracle)
    for way, weight in oracle.weights.items():
        found = posterior.log_probability(torch.tensor([way])).item()
        assert found == pytest.approx(math.log(weight), rel=1e-4, abs=1e-4)
    for way in torch.randint(0, oracle.vocabulary, (50, 5)).tolist():
        if tuple(way) not in oracle.weights:
            assert posterior.log_probability(torch.tensor([way])).item() == LOGIT_FLOOR


@pytest.mark.parametrize("seed", SEEDS)
def test_windows_settled_prefixes_and_pins_row_by_row(seed):
    """Three canvases in one batch: a window before the end, one behind a settled prefix, one with pins."""
    length, width = 6, 3
    rules, automaton, _, generator = case(seed, length - 2)
    automaton = TokenAutomaton.begin(rules, length, rows=3)
    text = automaton.posterior(torch.zeros(3, length, len(rules.token_class))).sample(Stream(torch.arange(3)))
    pinned = torch.zeros(3, length, dtype=torch.bool)
    pinned[2, generator.integers(0, length, 2)] = True
    automaton = automaton.lock(text, pinned).settle(text, torch.tensor([0, 2, 0]))
    logits = torch.from_numpy(generator.normal(size=(3, width, len(rules.token_class))) * 3).float()
    posterior = automaton.posterior(logits)
    for row, first in enumerate(automaton.first.tolist()):
        pins = {slot: int(text[row, slot]) for slot in range(length) if pinned[row, slot]}
        oracle = Exhaustive.of(rules, as_lists(logits[row]), int(automaton.state[row]), length - first, pins)
        assert_exact(posterior, oracle, row)


@pytest.mark.parametrize("seed", range(2))
def test_samples_are_joint_draws_and_depend_on_their_own_stream_alone(seed):
    rules, automaton, logits, _ = case(seed, 4, 1.0)
    draws = 1500
    oracle = Exhaustive.of(rules, as_lists(logits[0]), 0, 4)
    posterior = automaton.posterior(logits)
    rows = [posterior.sample(Stream(torch.tensor([seed]))) for seed in range(draws)]
    counts = dict.fromkeys(oracle.weights, 0)
    for row in rows:
        counts[tuple(row[0].tolist())] += 1
    for way, weight in oracle.weights.items():
        assert abs(counts[way] / draws - weight) < 4.5 * math.sqrt(weight / draws) + 1e-9
    many = automaton.rows(torch.zeros(5, dtype=torch.long)).posterior(logits.expand(5, -1, -1))
    drawn = many.sample(Stream(torch.tensor([7, 3, 9, 3, 0])))
    assert torch.equal(drawn, torch.cat([rows[seed] for seed in (7, 3, 9, 3, 0)]))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("seed", range(12))
def test_extreme_logits(seed, dtype):
    rules, automaton, logits, generator = case(seed)
    signs = torch.from_numpy(generator.integers(-1, 2, tuple(logits.shape)))
    extreme = (signs * 1e4 + logits).to(dtype)
    posterior = automaton.posterior(extreme)
    assert_exact(posterior, Exhaustive.of(rules, as_lists(extreme[0]), 0, 5), tolerance=1e-4)
    drawn = posterior.sample(Stream(torch.tensor([seed])))
    assert posterior.log_probability(drawn).item() > LOGIT_FLOOR


@pytest.mark.parametrize("seed", range(12))
def test_infinite_logits_count_as_the_floor(seed):
    rules, automaton, logits, generator = case(seed)
    holes = torch.from_numpy(generator.random(tuple(logits.shape)) < 0.5)
    posterior = automaton.posterior(logits.masked_fill(holes, -torch.inf))
    assert_exact(posterior, Exhaustive.of(rules, as_lists(logits[0].masked_fill(holes[0], -1e4)), 0, 5), tolerance=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_probabilities_of_1e_30(seed):
    """What fits is 1e-30 in every slot, and then 1e-30 of what fits."""
    rules, automaton, logits, _ = case(seed, 5, 30.0)
    logits[..., rules.token_class < 0] = 0.0
    logits -= 69.0 * torch.from_numpy(rules.token_class >= 0)
    posterior = automaton.posterior(logits)
    oracle = Exhaustive.of(rules, as_lists(logits[0]), 0, 5)
    assert_exact(posterior, oracle)
    rare = oracle.marginals()
    for token in range(oracle.vocabulary):
        found = posterior.probability(torch.full((1, 5), token))[0].numpy()
        assert found == pytest.approx(rare[:, token], rel=1e-3, abs=1e-37)


def test_no_probability_is_above_1():
    """Where one token has nearly all of it, rounding of the sums must not lift it above."""
    largest = []
    for seed in range(40):
        _, automaton, logits, _ = case(seed, 5, 30.0)
        posterior = automaton.posterior(logits)
        largest.append(float(posterior.probability(posterior.mode()).max()))
    assert max(largest) == 1.0 and min(largest) > 0.5


def test_a_long_canvas_in_which_all_that_fits_is_improbable():
    """256 slots with the only way through at e^-100 and e^-3000 each: the fall-back to logarithms."""
    rules, _, _, _ = case(3)
    for level in (-100.0, -3000.0):
        automaton = TokenAutomaton.begin(rules, 256)
        logits = torch.zeros(1, 256, len(rules.token_class))
        logits[..., torch.from_numpy(rules.token_class >= 0)] = level
        logits[0, 100:, -1] = 500.0
        posterior = automaton.posterior(logits)
        assert posterior.marginals.isfinite().all() and posterior.entropy.isfinite().all()
        assert torch.allclose(posterior.marginals.sum(-1), torch.ones(1, 256), atol=1e-5)
        drawn = posterior.sample(Stream(torch.tensor([1])))
        assert posterior.log_probability(drawn).isfinite().all()
        assert (drawn[0, 101:] == len(rules.token_class) - 1).all()


def chain_oracle(rules, logits: np.ndarray) -> tuple[float, float]:
    """Log of the summed weight, and of the largest, of all canvases, class by class in float64: logits [W, V]."""
    total, best = {int(rules.start): 0.0}, {int(rules.start): 0.0}
    for row in logits:
        of_class = {c: row[rules.token_class == c] for c in set(rules.token_class[rules.token_class >= 0].tolist())}
        sums, largest = {}, {}
        for state in total:
            for edge in range(rules.offsets[state], rules.offsets[state + 1]):
                x, target = of_class.get(int(rules.classes[edge])), int(rules.targets[edge])
                if x is not None:
                    weight = total[state] + float(np.logaddexp.reduce(x))
                    sums[target] = np.logaddexp(sums.get(target, -np.inf), weight)
                    largest[target] = max(largest.get(target, -np.inf), best[state] + float(x.max()))
        total, best = sums, largest
    return float(total[rules.end]), float(best[rules.end])


@pytest.mark.parametrize("scale", [1.0, 4.0, 30.0])
@pytest.mark.parametrize("seed", range(8))
def test_classes_that_are_read_in_place(seed, scale):
    """The mode too, whose largest logits are at first but bounds; some classes lie far below the others."""
    generator = np.random.default_rng(seed)
    rules = random_table(generator, states=5, tokens=5000, classes=14)
    logits = generator.normal(size=(1, 14, 5000)) * scale
    logits -= generator.choice([0.0, 0.0, 20.0, 80.0], (14, 14))[:, rules.token_class][None]
    logits = torch.from_numpy(logits).float()
    posterior = TokenAutomaton.begin(rules, 14).posterior(logits)
    total, best = chain_oracle(rules, logits[0].double().numpy())
    found = posterior.log_z.item() + logits[0].double().logsumexp(-1).sum().item()
    assert found == pytest.approx(total, rel=1e-5, abs=1e-4)
    mode = posterior.mode()
    assert posterior.log_probability(mode).item() == pytest.approx(best - total, rel=1e-4, abs=1e-3)
    assert np.abs(posterior.entropy[0].numpy() - plain_entropy(posterior.marginals[0].double().numpy())).max() < 1e-3
    assert torch.allclose(posterior.marginals[0].sum(-1), torch.ones(14), atol=1e-5)
    drawn = posterior.sample(Stream(torch.tensor([seed])))
    assert posterior.log_probability(drawn).item() > LOGIT_FLOOR


def test_256_slots_of_262144_tokens():
    """Bfloat16, most tokens in one class that stays in the text, some that close it, then the end and padding."""
    length, size = 256, 262_144
    token_class = np.zeros(size, dtype=np.int32)
    token_class[::9], token_class[::50], token_class[-2:] = 1, -1, [2, 3]
    rules = table(token_class, [{0: 0, 1: 1}, {2: 2}, {3: 2}], np.array([2, 1, 0]))
    generator = torch.Generator().manual_seed(0)
    few = (torch.randn(8, size, generator=generator) * 4).bfloat16()
    few[:, token_class == 1] = -60.0  # to close is improbable, and must happen all the same
    logits = few[torch.arange(length) % 8][None]
    posterior = TokenAutomaton.begin(rules, length).posterior(logits)
    assert posterior.entropy.isfinite().all() and (posterior.entropy > 0).any()
    for tokens in (posterior.mode(), posterior.sample(Stream(torch.tensor([5])))):
        kinds = token_class[tokens[0].numpy()]
        text = "".join("abcd"[kind] for kind in kinds)
        assert text == "a" * (text.index("b")) + "bc" + "d" * (length - text.index("b") - 2)
        assert posterior.log_probability(tokens).item() > -length * 13
    closing = np.flatnonzero(token_class == 1)
    close = posterior.probability(torch.full((1, length), int(closing[7])))[0]
    rows = few.double()
    kept = rows[:, torch.from_numpy(token_class == 0)].logsumexp(-1)[torch.arange(length) % 8]
    closed = rows[:, torch.from_numpy(token_class == 1)].logsumexp(-1)[torch.arange(length) % 8]
    end, pad = rows[torch.arange(length) % 8, -2], rows[torch.arange(length) % 8, -1]
    total = torch.stack([kept[:k].sum() + closed[k] + end[k + 1] + pad[k + 2 :].sum() for k in range(length - 1)])
    share = torch.cat([total.softmax(0), torch.zeros(1)]) / len(closing)
    assert torch.allclose(close.double(), share, rtol=1e-3, atol=1e-37)
