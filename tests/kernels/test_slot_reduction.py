"""The unconstrained step against sums in float64, Transformers' own sampler, and every number that a draw can take."""

import math
from types import SimpleNamespace

import pytest
import torch

from dgsolve.kernels import slot_reduction as kernel
from dgsolve.randomness import Stream

SHAPES = [(1, 1, 1), (1, 1, 2), (2, 3, 7), (3, 1, 129), (1, 5, 4096), (2, 70, 3), (2, 2, 9001)]


def case(shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    canvases, slots, _ = shape
    logits = torch.randn(shape, generator=generator) * 4
    temperature = torch.rand(canvases, generator=generator) + 0.3
    return logits, temperature, Stream(torch.arange(canvases) + seed).fine_uniform((slots,))


def run(way, logits, temperature, uniform):
    logits, temperature, uniform = (x.to(way.device) for x in (logits, temperature, uniform))
    sums = way.of(kernel)(logits, temperature)
    draw = way.of(kernel, "draws_")(sums, uniform)
    found = SimpleNamespace(mode=sums.mode, log_z=sums.log_z, entropy=sums.entropy, draw=draw)
    return SimpleNamespace(**{name: value.cpu() for name, value in vars(found).items()})


def drawn(logits, temperature, uniform):
    """The token on which each number falls, by one cumulative sum over the vocabulary."""
    p = (logits.double() / temperature.double()[:, None, None]).clamp(-1e4, 1e4).softmax(-1)
    ends = p.cumsum(-1)
    place = torch.searchsorted(ends, uniform[..., None] * ends[..., -1:], right=True)[..., 0]
    return place.clamp(max=p.shape[-1] - 1)


def assert_same(found, logits, temperature, uniform, absolute=3e-6):
    mode, log_z, entropy = kernel.slot_reduction_reference(logits.double(), temperature.double())
    assert torch.equal(found.mode, mode) and torch.equal(found.draw, drawn(logits, temperature, uniform))
    assert found.mode.dtype == found.draw.dtype == torch.int64 and found.entropy.dtype == torch.float32
    torch.testing.assert_close(found.log_z.double(), log_z, rtol=1e-6, atol=absolute)
    torch.testing.assert_close(found.entropy.double(), entropy, rtol=1e-5, atol=absolute)


def test_reference_is_what_transformers_computes():
    from transformers.models.diffusion_gemma import generation_diffusion_gemma as gemma

    logits, temperature, _ = case((3, 20, 50))
    mode, log_z, entropy = kernel.slot_reduction_reference(logits.double(), temperature.double())
    processed = logits.double() / temperature.double()[:, None, None]
    stopping = gemma.StableAndConfidentStoppingCriteria(1, float(entropy.mean(1)[1]) + 1e-9)
    stopping(mode, processed)
    assert stopping(mode, processed).tolist() == (entropy.mean(1) <= entropy.mean(1)[1]).tolist()
    assert torch.equal(mode, processed.argmax(-1))
    torch.testing.assert_close(entropy, torch.distributions.Categorical(logits=processed).entropy())
    for canvas in range(3):
        weights = [[math.exp(x) for x in row] for row in processed[canvas].tolist()]
        assert log_z[canvas].tolist() == pytest.approx([math.log(sum(row)) for row in weights])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_step_is_that_of_the_reference(way, shape):
    values = case(shape)
    assert_same(run(way, *values), *values)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_logits_of_half_precision(way, dtype):
    logits, temperature, uniform = case((2, 3, 1000))
    assert_same(run(way, logits.to(dtype), temperature, uniform), logits.to(dtype), temperature, uniform)


def test_a_draw_falls_on_each_token_in_proportion_to_its_probability(way, monkeypatch):
    monkeypatch.setattr(kernel, "BLOCK", 4)
    count = 100 if way.suffix == "triton" and way.device == "cpu" else 1600  # Triton's interpreter is slow
    uniform = (torch.arange(count).double() + 0.5) / count
    logits = torch.tensor([1.0, -3.0, 0.5, 2.0, -math.inf, 0.0, 1.5, 1.5, -1.0, -20.0, 3.0])
    found = run(way, logits.expand(1, count, -1).contiguous(), torch.tensor([1.0]), uniform[None])
    frequency = found.draw[0].bincount(minlength=11) / count
    assert frequency[4] == frequency[9] == 0 and (frequency > 0).sum() > 5
    assert (frequency - logits.softmax(0)).abs().max() < 1.5 / count


def test_a_canvas_has_the_same_step_in_any_batch(way):
    logits, temperature, uniform = case((3, 5, 300))
    together = run(way, logits, temperature, uniform)
    for canvas in (2, 0):
        alone = run(way, *(x[canvas : canvas + 1].clone() for x in (logits, temperature, uniform)))
        for one, all_of_them in zip(vars(alone).values(), vars(together).values(), strict=True):
            assert torch.equal(one[0], all_of_them[canvas])


def test_canvases_that_are_not_contiguous(way):
    logits, temperature, uniform = case((2, 300, 6))
    logits = logits.transpose(1, 2)
    assert_same(run(way, logits, temperature, uniform[:, :6]), logits, temperature, uniform[:, :6])


@pytest.mark.parametrize("floor", [-1e4, -1e30, -math.inf, torch.finfo(torch.float32).min])
def test_tokens_at_the_floor_have_no_part(way, floor, monkeypatch):
    monkeypatch.setattr(kernel, "BLOCK", 32)
    logits, temperature, uniform = case((1, 12, 100))
    allowed = torch.randperm(100, generator=torch.Generator().manual_seed(1))[:3].sort().values
    masked = torch.full_like(logits, floor)
    masked[..., allowed] = logits[..., allowed]
    found = run(way, masked, temperature, uniform)
    few, _, entropy = kernel.slot_reduction_reference(logits[..., allowed].double(), temperature.double())
    assert torch.equal(found.draw, allowed[drawn(logits[..., allowed], temperature, uniform)])
    assert torch.equal(found.mode, allowed[few])
    torch.testing.assert_close(found.entropy.double(), entropy, rtol=1e-5, atol=3e-6)


@pytest.mark.parametrize("level", [-1e4, 1e4, -math.inf, math.inf, 0.0, 123.0])
def test_equal_logits(way, level, monkeypatch):
    monkeypatch.setattr(kernel, "BLOCK", 64)
    _, _, uniform = case((1, 20, 100))
    found = run(way, torch.full((1, 20, 100), level), torch.tensor([0.5]), uniform)
    assert (found.mode == 0).all()
    assert found.entropy.tolist()[0] == pytest.approx([math.log(100)] * 20, abs=1e-5)
    assert len(found.draw.unique()) > 12 and found.draw.max() < 100


def test_one_logit_far_above_all_others(way):
    logits = torch.full((1, 3, 5000), -1e4)
    logits[0, [0, 1, 2], [0, 4999, 77]] = 1e4
    found = run(way, logits, torch.tensor([0.4]), case(logits.shape)[2])
    assert found.mode.tolist() == found.draw.tolist() == [[0, 4999, 77]]
    assert found.entropy.max() < 1e-30


def test_what_is_no_number_is_at_the_floor(way):
    logits, temperature, uniform = case((1, 3, 5000))
    logits[0, 1, 4321] = math.nan
    logits[0, 2] = math.nan
    assert_same(run(way, logits, temperature, uniform), logits.nan_to_num(nan=-1e6), temperature, uniform)


def test_public_function_picks_the_way_by_the_tensors():
    logits, temperature, uniform = case((2, 3, 70))
    sums = kernel.slot_reduction(logits, temperature)
    found = SimpleNamespace(mode=sums.mode, log_z=sums.log_z, entropy=sums.entropy, draw=sums.draws(uniform))
    assert_same(found, logits, temperature, uniform)
