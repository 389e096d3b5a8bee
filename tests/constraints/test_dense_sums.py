"""Sums by matrix products against sums in float64, over random classes and logits that span more than float32 does."""

import math

import numpy as np
import pytest
import torch

from dgsolve.constraints.dense_layout import DEPTH, LEAST_SIZE, WIDTH, DenseLayout
from dgsolve.constraints.dense_sums import DenseSums, gather_rows

SIZES = (DEPTH * WIDTH, 2 * DEPTH * WIDTH + 5 * DEPTH + 17, 3 * DEPTH * WIDTH + 1)


def random_layout(generator: np.random.Generator, size: int) -> DenseLayout:
    """Up to six classes of any sizes, spread over all of the vocabulary or crowded in a part of it."""
    kind = generator.integers(-1, generator.integers(1, 7), size)
    if generator.random() < 0.5:
        kind.sort()
    members = [np.flatnonzero(kind == number) for number in range(kind.max() + 1)]
    return DenseLayout([tokens for tokens in members if len(tokens)], size)


def random_logits(generator: np.random.Generator, layout: DenseLayout, rows: int) -> torch.Tensor:
    """Some slots lie high or low, and some classes hundreds of nats below the others."""
    logits = generator.normal(size=(rows, layout.size)) * generator.choice([0.1, 3.0, 12.0], (rows, 1))
    logits += generator.choice([0.0, 0.0, 45.0, -70.0, 5000.0], (rows, 1))
    for tokens in layout.members:
        logits[:, tokens] -= generator.choice([0.0, 0.0, 30.0, 54.0, 60.0, 90.0, 400.0], (rows, 1))
    return torch.from_numpy(logits).float()


def assert_exact(sums: DenseSums, logits: torch.Tensor) -> None:
    """Every sum, entropy, bound, largest logit and its token."""
    for kind, tokens in enumerate(sums.layout.members):
        x = logits.double()[torch.from_numpy(sums.slots)][:, torch.from_numpy(tokens)]
        x = x.nan_to_num(nan=-1e4).clamp(-1e4, 1e4).numpy()
        best = x.max(1)
        e = np.exp(x - best[:, None])
        share = e / e.sum(1, keepdims=True)
        assert sums.log_sum[:, kind] == pytest.approx(np.log(e.sum(1)) + best, rel=1e-6, abs=2e-5)
        entropy = -(share * np.log(np.where(share > 0, share, 1.0))).sum(1)
        assert sums.entropy[:, kind] == pytest.approx(entropy, abs=2e-4)
        assert (sums.best[:, kind] >= best - 1e-6 * np.abs(best)).all()
        proven = [sums.proven(row, kind) for row in range(len(best))]
        assert sums.best[proven, kind] == pytest.approx(best[proven])
        for row in range(len(best)):
            assert sums.best_token(row, kind).tolist() == [tokens[x[row].argmax()]]
        assert sums.best[:, kind] == pytest.approx(best)


@pytest.mark.parametrize("seed", range(30))
def test_random_classes_and_logits(seed):
    generator = np.random.default_rng(seed)
    layout = random_layout(generator, SIZES[seed % len(SIZES)])
    logits = random_logits(generator, layout, 7)
    sums = DenseSums.of(logits, [0, 1, 2, 5, 6], layout)
    assert_exact(sums, logits)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("seed", range(6))
def test_half_precision_with_its_many_equals(seed, dtype):
    generator = np.random.default_rng(seed)
    layout = random_layout(generator, SIZES[1])
    logits = torch.from_numpy(generator.normal(size=(4, layout.size)) * 3).to(dtype)
    assert_exact(DenseSums.of(logits, range(4), layout), logits)


@pytest.mark.parametrize("value", [torch.inf, -torch.inf, torch.nan, 3e9, -3e9, 60.0, -90.0])
@pytest.mark.parametrize("share", [0.001, 0.7, 1.0])
def test_values_beyond_what_a_slot_is_read_for(value, share):
    generator = np.random.default_rng(1)
    layout = random_layout(generator, SIZES[1])
    logits = torch.from_numpy(generator.normal(size=(3, layout.size)) * 3).float()
    holes = torch.from_numpy(generator.random((2, layout.size)) < share)
    logits[:2].masked_fill_(holes, value)
    assert_exact(DenseSums.of(logits, range(3), layout), logits)


def test_a_class_that_underflows_is_summed_one_by_one_and_the_others_are_not():
    layout = DenseLayout([np.arange(0, SIZES[1], 2), np.arange(1, SIZES[1], 2)], SIZES[1])
    logits = torch.zeros(2, SIZES[1])
    logits[1, layout.members[1]] = -200.0
    sums = DenseSums.of(logits, range(2), layout)
    assert sums.exact.tolist() == [[False, False], [False, True]]
    assert sums.log_sum[1, 1] == pytest.approx(math.log(len(layout.members[1])) - 200.0)


@pytest.mark.parametrize("level", [0.0, -500.0])
def test_a_part_is_drawn_as_often_as_it_is_probable(level):
    """Chunk by chunk where the class was summed so, else at once."""
    layout = DenseLayout([np.arange(0, SIZES[1], 3), np.arange(1, SIZES[1], 3)], SIZES[1])
    logits = torch.zeros(1, SIZES[1])
    logits[0, layout.members[1]] = level
    sums, share = DenseSums.of(logits, [0], layout), np.zeros(SIZES[1])
    for number in range(400):
        tokens, rest = sums.part(0, 1, (number + 0.5) / 400)
        assert 0.0 <= rest <= 1.0
        share[tokens] += 1.0 / 400 / len(tokens)
    wanted = np.isin(np.arange(SIZES[1]), layout.members[1]) / len(layout.members[1])
    assert np.abs(np.cumsum(share) - np.cumsum(wanted)).max() < 2.5 / 400


def test_which_classes_are_read_in_place():
    sizes = np.array([10, 400, LEAST_SIZE - 1, 900, LEAST_SIZE])
    assert DenseLayout.worthwhile(sizes, 4000).tolist() == [3, 1, 4]
    assert DenseLayout.worthwhile(sizes, 5000).tolist() == []


def test_rows_are_gathered_from_their_slots():
    logits = torch.arange(12.0).view(3, 4)
    assert gather_rows(logits, [2, 0], torch.tensor([3, 1])).tolist() == [[11.0, 9.0], [3.0, 1.0]]
    assert gather_rows(logits, [2, 0], torch.tensor([[3, 1], [0, 2]])).tolist() == [[11.0, 9.0], [0.0, 2.0]]
