"""The pass over the logits, compiled and by Torch, against sums in float64 over classes read in place or gathered."""

import math

import numpy as np
import pytest
import torch

from dgsolve.constraints import class_reduction
from dgsolve.constraints.bounded_logits import gather_rows
from dgsolve.constraints.class_layout import BLOCK, Layout
from dgsolve.constraints.class_reduction import pick, reduce_classes, reduce_here, reduce_there

SIZES = {"one": [1], "few": [1, 3, 8, 9, 60], "large": [500, 501, 900], "in place": [3000]}
V = 6037  # no multiple of a chunk


def layout_of(*kinds: str, size: int = V) -> tuple[Layout, list[np.ndarray]]:
    """Classes of these kinds, their tokens spread over the vocabulary; and the tokens of classes 0, 1, ..."""
    sizes = [number for kind in kinds for number in SIZES[kind]]
    order = np.random.default_rng(0).permutation(size)
    members = [np.sort(part) for part in np.split(order, np.cumsum(sizes))[:-1]]
    return Layout.of(np.arange(len(sizes)), members, len(sizes) + 1, size), members


def exact(row: torch.Tensor, members: np.ndarray) -> tuple[float, float, float]:
    """Log of the sum, entropy and maximum over the members."""
    x = torch.nan_to_num(row.double()[torch.from_numpy(members)], nan=-1e4).clamp(-1e4, 1e4)
    shares = x.softmax(-1)
    entropy = -(shares * shares.clamp(min=1e-300).log()).sum()
    return x.logsumexp(-1).item(), entropy.item(), x.max().item()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("scale", [0.0, 3.0, 40.0, 3e3, 3e4])
@pytest.mark.parametrize("kinds", [("one",), ("few",), ("few", "large"), ("in place",), ("one", "in place", "few")])
def test_sums_of_every_way_of_reading(kinds, scale, dtype):
    layout, members = layout_of(*kinds)
    logits = (torch.randn(5, V, generator=torch.Generator().manual_seed(1)) * scale).to(dtype)
    slots = [4, 0, 3]
    sums = reduce_classes(logits, slots, layout)
    rows, places = [], []
    for row, slot in enumerate(slots):
        for number, tokens in enumerate(members):
            place = int(layout.place[number])
            log_sum, entropy, best = exact(logits[slot], tokens)
            assert sums.log_sum[row, place] == pytest.approx(log_sum, rel=1e-6, abs=2e-5)
            assert sums.entropy[row, place] == pytest.approx(entropy, abs=2e-4)
            assert sums.best[row, place] >= best - 1e-6 * abs(best)
            rows.append(row)
            places.append(place)
    chosen = sums.best_tokens(rows, places)
    wanted = [tokens[int(logits[slot].clamp(-1e4, 1e4)[torch.from_numpy(tokens)].argmax())]
              for slot in slots for tokens in members]  # fmt: skip
    assert chosen == wanted
    largest = [exact(logits[slot], tokens)[2] for slot in slots for tokens in members]
    assert sums.best[rows, places] == pytest.approx(largest, rel=1e-6)  # those asked for are no mere bounds any more
    drawn = sums.draws(rows, places, [0.3] * len(rows))
    assert all(token in tokens for token, tokens in zip(drawn, members * len(slots), strict=True))


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_that_share_the_slots_find_the_same(threads, monkeypatch):
    layout, _ = layout_of("in place", "few")
    logits = torch.randn(9, V, generator=torch.Generator().manual_seed(3)) * 20
    slots = [8, 1, 2, 7, 5]
    alone = reduce_here(logits, slots, layout)
    monkeypatch.setattr(class_reduction, "NEAR", len(layout.members))  # a thread for every slot
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    used, usual = [], class_reduction.ThreadPoolExecutor
    monkeypatch.setattr(class_reduction, "ThreadPoolExecutor", lambda number: used.append(number) or usual(number))
    assert np.array_equal(reduce_here(logits, slots, layout), alone)
    assert used == [min(threads, len(slots))]


@pytest.mark.parametrize("value", [torch.inf, -torch.inf, torch.nan, 3e9])
@pytest.mark.parametrize("kinds", [("few",), ("few", "large"), ("in place", "few")])
def test_infinities_and_what_is_no_number_are_bounded(kinds, value):
    """Also where they stand among tokens of other classes."""
    layout, members = layout_of(*kinds)
    generator = torch.Generator().manual_seed(2)
    logits = torch.randn(4, V, generator=generator)
    logits[1:3].masked_fill_(torch.rand(2, V, generator=generator) < 0.7, value)
    logits[3] = value
    sums = reduce_classes(logits, range(4), layout)
    for row in range(4):
        for number, tokens in enumerate(members):
            log_sum, entropy, best = exact(logits[row], tokens)
            place = layout.place[number]
            assert sums.log_sum[row, place] == pytest.approx(log_sum, rel=1e-6, abs=2e-5)
            assert sums.entropy[row, place] == pytest.approx(entropy, abs=2e-4)
            assert sums.best_tokens([row], [int(place)])[0] in tokens
            assert sums.best[row, place] == pytest.approx(best, rel=1e-6)


def test_a_layout_of_some_classes():
    size = 3 * BLOCK + BLOCK // 2 + 5
    members = [np.arange(0, size, 2), np.arange(1, size, 4), np.array([3])]
    layout = Layout.of(np.array([5, 2, 9]), members, 10, size)
    logits = torch.randn(2, size, generator=torch.Generator().manual_seed(3))
    sums = reduce_classes(logits, [1], layout)
    for number, tokens in zip((5, 2, 9), members, strict=True):
        assert sums.log_sum[0, layout.place[number]] == pytest.approx(exact(logits[1], tokens)[0], abs=2e-5)
    assert (layout.place < 0).sum() == 7


def random_layout(generator: np.random.Generator) -> Layout:
    """Up to six classes of any sizes, spread over all of the vocabulary or crowded in a part of it; or very many."""
    size = int(generator.choice([BLOCK, BLOCK + 1, 3 * BLOCK + 817]))
    kind = generator.integers(-1, generator.choice([1, 3, 6, 300]), size)
    if generator.random() < 0.5:
        kind.sort()
    if generator.random() < 0.3:
        kind[generator.random(size) < 0.8] = -1
    members = [tokens for number in range(kind.max() + 1) if len(tokens := np.flatnonzero(kind == number))]
    return Layout.of(np.arange(len(members)), members, len(members), size)


def random_logits(generator: np.random.Generator, layout: Layout, rows: int) -> torch.Tensor:
    """Some slots lie high or low, and some classes hundreds of nats below the others."""
    logits = generator.normal(size=(rows, layout.size)) * generator.choice([0.1, 3.0, 12.0], (rows, 1))
    logits += generator.choice([0.0, 0.0, 45.0, -70.0, 5000.0], (rows, 1))
    for label in range(layout.count):
        logits[:, layout.tokens_of(label)] -= generator.choice([0.0, 0.0, 30.0, 54.0, 60.0, 90.0, 400.0], (rows, 1))
    return torch.from_numpy(logits).float()


def assert_as_by_torch(logits: torch.Tensor, slots: list[int], layout: Layout) -> None:
    """Every sum, entropy, largest logit and its token, both ways; and some of them one by one in float64."""
    here, there = reduce_here(logits, slots, layout), reduce_there(logits, slots, layout)
    assert here[0] == pytest.approx(there[0], rel=1e-6, abs=2e-5)
    assert here[1] == pytest.approx(there[1], abs=2e-4)
    assert (here[2] == there[2]).all()
    for row, tokens in enumerate(there[3].tolist()):
        labels = range(layout.count)
        assert reduce_classes(logits, slots, layout).best_tokens([row] * len(labels), labels) == tokens
    for row, slot in enumerate(slots):
        label = (7 * row) % layout.count
        right = exact(logits[slot], layout.tokens_of(label))
        assert there[:3, row, label] == pytest.approx(right, rel=1e-6, abs=2e-5)
        assert here[:3, row, label] == pytest.approx(right, rel=1e-6, abs=2e-4)


@pytest.mark.parametrize("seed", range(40))
def test_random_classes_and_logits(seed, monkeypatch):
    monkeypatch.setattr(class_reduction, "NEAR", 2 * BLOCK)
    generator = np.random.default_rng(seed)
    layout = random_layout(generator)
    assert_as_by_torch(random_logits(generator, layout, 7), [0, 1, 2, 5, 6], layout)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("seed", range(6))
def test_half_precision_with_its_many_equals(seed, dtype):
    generator = np.random.default_rng(seed)
    layout = random_layout(generator)
    logits = torch.from_numpy(generator.normal(size=(4, layout.size)) * 3).to(dtype)
    assert_as_by_torch(logits, [3, 0, 1], layout)


@pytest.mark.parametrize("value", [torch.inf, -torch.inf, torch.nan, -torch.nan, 3e9, -3e9, 60.0, -90.0])
@pytest.mark.parametrize("share", [0.001, 0.7, 1.0])
def test_values_beyond_what_a_slot_is_read_for(value, share):
    generator = np.random.default_rng(1)
    layout = random_layout(generator)
    logits = torch.from_numpy(generator.normal(size=(3, layout.size)) * 3).float()
    holes = torch.from_numpy(generator.random((2, layout.size)) < share)
    logits[:2].masked_fill_(holes, value)
    assert_as_by_torch(logits, [0, 1, 2], layout)


def test_rows_are_gathered_from_their_slots():
    logits = torch.arange(12.0).view(3, 4)
    assert gather_rows(logits, [2, 0], torch.tensor([3, 1])).tolist() == [[11.0, 9.0], [3.0, 1.0]]
    assert gather_rows(logits, [2, 0], torch.tensor([[3, 1], [0, 2]])).tolist() == [[11.0, 9.0], [0.0, 2.0]]


def test_draws_are_as_frequent_as_they_are_probable():
    layout, members = layout_of("few", "in place")
    logits = torch.full((1, V), -8.0)
    heavy = members[5][[0, 1, 1500, 2999]]
    logits[0, torch.from_numpy(heavy)] = torch.tensor([1.0, 2.0, 0.5, 2.5])
    sums = reduce_classes(logits, [0], layout)
    place, draws = int(layout.place[5]), 3000
    uniform = np.random.default_rng(0).random(draws).tolist()
    drawn = np.array(sums.draws([0] * draws, [place] * draws, uniform))
    for token in heavy:
        probability = math.exp(float(logits[0, token]) - sums.log_sum[0, place])
        assert abs((drawn == token).mean() - probability) < 4.5 * math.sqrt(probability / draws)
    assert np.isin(drawn, members[5]).all()


def test_pick_never_takes_what_has_no_weight():
    weights = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    for uniform, place in ((0.0, 1), (0.2499, 1), (0.25, 3), (0.9999999, 3), (1.0, 3)):
        found, rest = pick(weights, uniform)
        assert found == place and 0.0 <= rest <= 1.0


@pytest.mark.parametrize("scale", [0.0, 3.0, 200.0])
def test_a_draw_from_logits_in_place_is_that_from_gathered_ones(scale):
    layout, members = layout_of("one", "in place", "few")
    logits = torch.randn(3, V, generator=torch.Generator().manual_seed(5)) * scale
    sums = reduce_classes(logits, [2, 0], layout)
    numbers = np.random.default_rng(1).random(60).tolist()
    for row in range(2):
        for label in range(len(members)):
            places = [tokens.tolist().index(sums._drawn_in_place(row, label, u)) for u in numbers
                      for tokens in [members[label]]]  # fmt: skip
            others = [members[label].tolist().index(sums._drawn(row, label, u)) for u in numbers]
            # rounding of the sum moves a draw by a neighbour at most
            assert np.abs(np.array(places) - np.array(others)).max() <= 1
            assert np.mean(np.array(places) == others) > 0.9
    assert all(int(sums._drawn_in_place(0, 1, u)) in members[1] for u in (0.0, 1.0 - 1e-12))
