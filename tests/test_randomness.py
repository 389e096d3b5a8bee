"""Random numbers belong to a seed and its labels, whatever stands beside it in the batch."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from dgsolve.randomness import Stream

MASK = (1 << 64) - 1
LABELS = st.integers(0, 2**40)


def stream(*seeds: int) -> Stream:
    return Stream(torch.tensor(seeds))


def split_mix_64(seed: int, count: int) -> list[int]:
    """The published generator in Python's own integers."""
    outputs = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        outputs.append(mixed ^ (mixed >> 31))
    return outputs


def test_the_reference_gives_the_published_first_number():
    assert split_mix_64(0, 1) == [0xE220A8397B1DCDAF]


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63 - 1, -1, -(2**63)])
def test_bits_are_those_of_split_mix_64(seed):
    right = [number >> 11 for number in split_mix_64(seed & MASK, 12)]
    assert stream(seed).bits((3, 4)).flatten().tolist() == right


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5), LABELS, LABELS, st.randoms())
def test_numbers_do_not_depend_on_the_batch(seeds, first, second, rng):
    order = rng.sample(range(len(seeds)), len(seeds))
    together = stream(*seeds).fork(first, second).uniform((2, 3))
    shuffled = stream(*(seeds[i] for i in order)).fork(first, second).uniform((2, 3))
    for place, row in enumerate(order):
        alone = stream(seeds[row]).fork(first, second).uniform((2, 3))
        assert torch.equal(alone[0], together[row])
        assert torch.equal(alone[0], shuffled[place])


def test_fork_rows_and_rows_are_forks_one_by_one():
    streams = stream(7, 7, 9)
    forked = streams.fork_rows(torch.tensor([0, 5, 5]))
    for row, (seed, label) in enumerate([(7, 0), (7, 5), (9, 5)]):
        assert torch.equal(forked.bits((4,))[row], stream(seed).fork(label).bits((4,))[0])
    assert torch.equal(streams.rows(torch.tensor([2, 0])).bits((4,)), streams.bits((4,))[[2, 0]])


def test_other_labels_and_other_orders_of_labels_give_other_numbers():
    seeds = stream(*range(50))
    forks = [seeds.fork(), seeds.fork(0), seeds.fork(1), seeds.fork(0, 1), seeds.fork(1, 0), seeds.fork(0, 0)]
    numbers = torch.cat([fork.bits((4,)).flatten() for fork in forks])
    assert len(numbers.unique()) == 6 * 50 * 4


def test_uniform_is_uniform_and_strictly_inside():
    numbers = stream(*range(200)).fork(3).uniform((500,))
    assert numbers.dtype == torch.float32
    assert numbers.min() > 0 and numbers.max() < 1
    assert numbers.mean() == pytest.approx(0.5, abs=0.004)
    assert numbers.var() == pytest.approx(1 / 12, abs=0.001)
    counts = torch.histc(numbers, 20, 0, 1)
    assert ((counts - 5000) ** 2 / 5000).sum() < 60  # chi-squared of 19 degrees: 1e-5 of fair streams fail
    beside = torch.corrcoef(torch.stack([numbers[:, 0], numbers[:, 1]]))[0, 1]
    assert abs(beside) < 0.3


def test_uniform_stays_inside_at_the_extremes(monkeypatch):
    for bits in (0, (1 << 53) - 1):
        monkeypatch.setattr(Stream, "bits", lambda self, shape, bits=bits: torch.full((1, *shape), bits))
        number = stream(0).uniform((1,)).item()
        assert 0 < number < 1


@pytest.mark.parametrize("high", [1, 2, 9, 256])
def test_integers_are_in_range_and_even(high):
    numbers = stream(*range(40)).integers(high, (10, 30))
    assert numbers.shape == (40, 10, 30) and numbers.dtype == torch.int64
    assert numbers.min() == 0 and numbers.max() == high - 1
    expected = numbers.numel() / high
    assert (numbers.flatten().bincount(minlength=high) - expected).abs().max() < 6 * expected**0.5 + 1
