"""Sums, best tokens and draws of token classes against each class taken out of the vocabulary by itself."""

import math

import pytest
import torch

from dgsolve.kernels import class_reduction as kernel
from dgsolve.kernels.class_reduction import ClassRuns

# canvases, slots, tokens, classes; some classes come out empty
SHAPES = [(1, 1, 1, 1), (1, 1, 2, 2), (2, 3, 7, 3), (1, 9, 300, 1), (1, 5, 4097, 40), (2, 2, 9001, 5)]


def case(shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    canvases, slots, size, classes = shape
    logits = torch.randn(canvases, slots, size, generator=generator) * 4
    class_of = torch.randint(-1, classes, (size,), generator=generator)
    class_of[0] = 0
    if classes > 2:
        class_of[class_of == classes - 2] = -1
    return logits, torch.rand(canvases, generator=generator) + 0.3, class_of


def reduce(way, logits, temperature, class_of, classes):
    """The sums where the way computes, and log_sum, entropy and best on the CPU, Float64 [3, B, L, C]."""
    runs = ClassRuns.of(class_of.to(way.device), classes)
    sums = way.of(kernel)(logits.to(way.device), temperature.to(way.device), runs)
    return sums, torch.stack([sums.log_sum, sums.entropy.double(), sums.best.double()]).cpu()


def best_tokens(sums, classes):
    return sums.token.cpu().gather(2, classes[..., None])[..., 0].long()


def chosen(class_of, shape, seed=0):
    """A class that has tokens, in every slot."""
    held = class_of[class_of >= 0].unique()
    return held[torch.randint(len(held), shape, generator=torch.Generator().manual_seed(seed))]


def within(logits, temperature, class_of, classes):
    """Float64 [B, L, V]: the logits over the temperature, -inf outside the slot's class."""
    x = (logits.double() / temperature.double()[:, None, None]).clamp(-1e4, 1e4)
    return x.masked_fill(class_of != classes[..., None], -math.inf)


def test_runs_hold_each_token_of_a_class_once_in_order():
    _, _, class_of = case((1, 1, 4097, 40))
    runs = ClassRuns.of(class_of, 40)
    for number, (low, high) in enumerate(zip(runs.starts[:-1].tolist(), runs.starts[1:].tolist(), strict=True)):
        tokens = runs.tokens[low:high].flatten()
        assert tokens[tokens >= 0].tolist() == (class_of == number).nonzero()[:, 0].tolist()
        assert (tokens < 0).sum() < kernel.RUN


def test_a_vocabulary_without_classes_is_refused():
    with pytest.raises(ValueError, match="no token has a class"):
        ClassRuns.of(torch.full((5,), -1), 3)


def test_reference_is_sums_in_plain_python():
    logits, temperature, class_of = case((2, 3, 50, 6))
    found = kernel.class_reduction_reference(logits.double(), temperature.double(), class_of, 6)
    for canvas, slot, number in torch.cartesian_prod(torch.arange(2), torch.arange(3), torch.arange(6)).tolist():
        pairs = zip(logits[canvas, slot].tolist(), class_of.tolist(), strict=True)
        x = [value / temperature[canvas].item() for value, label in pairs if label == number]
        weights = [math.exp(value) for value in x]
        log_sum = math.log(sum(weights)) if x else -math.inf
        entropy = -sum(w / sum(weights) * math.log(w / sum(weights)) for w in weights)
        right = [log_sum, entropy, max(x, default=-math.inf)]
        assert found[:, canvas, slot, number].tolist() == pytest.approx(right, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sums_are_those_of_the_reference(way, shape, dtype):
    logits, temperature, class_of = case(shape)
    logits = logits.to(dtype)
    _, found = reduce(way, logits, temperature, class_of, shape[-1])
    right = kernel.class_reduction_reference(logits.double(), temperature.double(), class_of, shape[-1])
    torch.testing.assert_close(found, right, rtol=1e-5, atol=3e-6)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_best_tokens_and_draws_are_of_the_class(way, shape):
    logits, temperature, class_of = case(shape)
    sums, _ = reduce(way, logits, temperature, class_of, shape[-1])
    classes = chosen(class_of, shape[:2])
    x = within(logits, temperature, class_of, classes)
    assert torch.equal(best_tokens(sums, classes), x.argmax(-1))
    uniform = torch.rand(*shape[:2], generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    draws = way.of(kernel, "draws_")(sums, classes.to(way.device), uniform.to(way.device)).cpu()
    assert torch.equal(class_of[draws], classes)
    ends = x.softmax(-1).cumsum(-1)  # what is not of the class is as wide as nothing
    assert torch.equal(draws, torch.searchsorted(ends, uniform[..., None] * ends[..., -1:], right=True)[..., 0])


def test_classes_without_a_token(way):
    sums, found = reduce(way, torch.zeros(1, 2, 3), torch.ones(1), torch.tensor([0, 2, 2]), 4)
    assert sums.token.tolist() == [[[0, -1, 1, -1]] * 2]
    assert found[0, 0, 0].tolist() == pytest.approx([0.0, -math.inf, math.log(2), -math.inf])


def test_a_draw_falls_on_each_token_in_proportion_to_its_probability(way, monkeypatch):
    monkeypatch.setattr(kernel, "RUN", 4)
    count = 100 if way.suffix == "triton" and way.device == "cpu" else 1600
    uniform = (torch.arange(count).double() + 0.5) / count
    class_of = torch.tensor([0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1])
    logits = torch.linspace(-2, 2, 12)
    logits[3] = -math.inf
    slots = logits.expand(1, count, -1).contiguous()
    sums, _ = reduce(way, slots, torch.tensor([0.7]), class_of, 2)
    classes = torch.zeros(1, count, dtype=torch.long, device=way.device)
    draws = way.of(kernel, "draws_")(sums, classes, uniform[None].to(way.device)).cpu()
    frequency = draws[0].bincount(minlength=12) / count
    right = (logits / 0.7).masked_fill(class_of != 0, -math.inf).softmax(0)
    assert (frequency - right).abs().max() < 1.5 / count and frequency[3] == 0 and (frequency > 0).sum() > 3


@pytest.mark.parametrize("level", [-1e4, 1e4, -math.inf, math.inf, 0.0])
def test_equal_logits(way, level):
    class_of = torch.tensor([1, 0, 1, 2, 2, 2, -1] * 60)
    sums, found = reduce(way, torch.full((1, 2, 420), level), torch.tensor([0.5]), class_of, 3)
    sizes = [60, 120, 180]
    bounded = max(-1e4, min(1e4, level))
    assert found[2, 0, 1].tolist() == [bounded] * 3
    assert found[1, 0, 1].tolist() == pytest.approx([math.log(size) for size in sizes], abs=1e-5)
    assert found[0, 0, 1].tolist() == pytest.approx([bounded + math.log(size) for size in sizes], abs=1e-6)
    assert best_tokens(sums, torch.tensor([[2, 0]])).tolist() == [[3, 1]]


def test_a_class_far_below_the_others_keeps_its_own_numbers(way):
    logits, temperature, class_of = case((1, 2, 1000, 4))
    class_of = torch.arange(1000) % 2
    logits[..., 1::2] -= 5000.0
    logits[0, 1, ::2] = -math.inf
    _, found = reduce(way, logits, temperature, class_of, 2)
    right = kernel.class_reduction_reference(logits.double(), temperature.double(), class_of, 2)
    torch.testing.assert_close(found, right, rtol=1e-6, atol=2e-3)


def test_what_is_no_number_is_at_the_floor(way):
    logits, temperature, class_of = case((1, 3, 700, 3))
    class_of = torch.arange(700) % 3
    logits[0, 1, 301] = math.nan  # a token of class 1
    logits[0, 2] = math.nan
    sums, found = reduce(way, logits, temperature, class_of, 3)
    low = logits.nan_to_num(nan=-1e6).double()
    right = kernel.class_reduction_reference(low, temperature.double(), class_of, 3)
    torch.testing.assert_close(found, right, rtol=1e-6, atol=1e-5)
    assert sums.token[0, 2].tolist() == [0, 1, 2]


def test_public_function_agrees_with_the_constraints_own_reduction():
    from dgsolve.constraints.class_layout import Layout
    from dgsolve.constraints.class_reduction import reduce_classes

    logits, _, class_of = case((1, 4, 3000, 9))
    classes = class_of[class_of >= 0].unique().numpy()
    members = [(class_of == number).nonzero()[:, 0].numpy() for number in classes.tolist()]
    theirs = reduce_classes(logits[0], range(4), Layout.of(classes, members, 9, 3000))
    sums = kernel.class_reduction(logits, torch.ones(1), ClassRuns.of(class_of, 9))
    for number in classes.tolist():
        place = int(theirs.layout.place[number])
        assert sums.log_sum[0, :, number].tolist() == pytest.approx(theirs.log_sum[:, place].tolist(), abs=1e-5)
        assert sums.entropy[0, :, number].tolist() == pytest.approx(theirs.entropy[:, place].tolist(), abs=1e-5)
        assert sums.token[0, :, number].tolist() == theirs.best_tokens(range(4), [place] * 4)
        uniform = torch.rand(1, 4, dtype=torch.float64)
        mine = sums.draws(torch.full((1, 4), number), uniform)
        assert mine[0].tolist() == theirs.draws(range(4), [place] * 4, uniform[0].tolist())
