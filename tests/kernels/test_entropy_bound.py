"""The unconstrained step against sums in float64, Transformers' own sampler, and every number that a draw can take."""

import math

import pytest
import torch

from dgsolve.kernels import entropy_bound as kernel
from dgsolve.randomness import Stream
from dgsolve.sampling.entropy_bound import accept

SHAPES = [(1, 1, 1), (1, 1, 2), (2, 3, 7), (3, 1, 129), (1, 5, 4096), (2, 70, 3), (2, 2, 9001)]


def case(shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    canvases, slots, _ = shape
    logits = torch.randn(shape, generator=generator) * 4
    temperature = torch.rand(canvases, generator=generator) + 0.3
    return logits, temperature, Stream(torch.arange(canvases) + seed).uniform((slots, 2))


def free(logits):
    return torch.zeros(logits.shape[:2], dtype=torch.bool)


def run(way, logits, temperature, uniform, locked=None, bound=0.1):
    locked = free(logits) if locked is None else locked
    found = way.of(kernel)(*(x.to(way.device) for x in (logits, temperature, uniform, locked)), bound)
    return kernel.EntropyBoundStep(*(x.cpu() for x in vars(found).values()))


def assert_same(found, logits, temperature, uniform, bound=0.1, absolute=3e-6):
    right = kernel.entropy_bound_reference(logits.double(), temperature.double(), uniform, free(logits), bound)
    assert torch.equal(found.mode, right.mode) and torch.equal(found.draw, right.draw)
    assert found.mode.dtype == found.draw.dtype == torch.int64 and found.entropy.dtype == torch.float32
    torch.testing.assert_close(found.log_z.double(), right.log_z, rtol=1e-6, atol=absolute)
    torch.testing.assert_close(found.entropy.double(), right.entropy, rtol=1e-5, atol=absolute)
    assert torch.equal(found.accepted, accept(found.entropy, free(logits), bound))


@pytest.mark.parametrize("bound", [0.0, 0.5, 40.0])
def test_reference_is_what_transformers_computes(bound):
    from transformers.models.diffusion_gemma import generation_diffusion_gemma as gemma

    logits, temperature, uniform = case((3, 20, 50))
    found = kernel.entropy_bound_reference(logits.double(), temperature.double(), uniform, free(logits), bound)
    processed = logits.double() / temperature.double()[:, None, None]
    sampler = gemma.EntropyBoundSampler(gemma.EntropyBoundSamplerConfig(entropy_bound=bound or 1e-300), 20, 50, 48)
    sampler.accept_canvas(found.draw, found.draw, processed, 1)
    assert torch.equal(found.accepted, sampler.accepted_token_mask)
    assert torch.equal(found.mode, processed.argmax(-1))
    torch.testing.assert_close(found.entropy, torch.distributions.Categorical(logits=processed).entropy())
    for canvas in range(3):
        weights = [[math.exp(x) for x in row] for row in processed[canvas].tolist()]
        assert found.log_z[canvas].tolist() == pytest.approx([math.log(sum(row)) for row in weights])


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
    side = 10 if way.suffix == "triton" and way.device == "cpu" else 40  # Triton's interpreter is slow
    u = (torch.arange(side) + 0.5) / side
    uniform = torch.cartesian_prod(u, u)[None]  # every pair of numbers
    logits = torch.tensor([1.0, -3.0, 0.5, 2.0, -math.inf, 0.0, 1.5, 1.5, -1.0, -20.0, 3.0])
    found = run(way, logits.expand(1, side * side, -1).contiguous(), torch.tensor([1.0]), uniform)
    frequency = found.draw[0].bincount(minlength=11) / side**2
    assert frequency[4] == frequency[9] == 0 and (frequency > 0).sum() > 5
    assert (frequency - logits.softmax(0)).abs().max() < 1.5 / side


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
    right = kernel.entropy_bound_reference(masked.double(), temperature.double(), uniform, free(logits), 0.1)
    few = kernel.entropy_bound_reference(
        logits[..., allowed].double(), temperature.double(), uniform, free(logits), 0.1
    )
    assert torch.isin(found.draw, allowed).all() and torch.equal(found.draw, right.draw)
    assert torch.equal(found.mode, allowed[few.mode])
    torch.testing.assert_close(found.entropy.double(), few.entropy, rtol=1e-5, atol=3e-6)


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
    assert found.entropy.max() < 1e-30 and found.accepted.all()


def test_a_nan_is_not_hidden(way):
    logits, temperature, uniform = case((1, 3, 5000))
    logits[0, 1, 4321] = math.nan
    found = run(way, logits, temperature, uniform)
    assert found.entropy.isnan().tolist() == found.log_z.isnan().tolist() == [[False, True, False]]
    assert (
        (found.draw >= 0).all() and (found.draw < 5000).all() and (found.mode >= 0).all() and (found.mode < 5000).all()
    )


def test_the_surest_slots_are_accepted(way):
    logits = torch.zeros(1, 80, 2)
    logits[0, 60:, 0] = 60.0  # 20 sure slots, 60 with log 2 each
    found = run(way, logits, torch.tensor([1.0]), case(logits.shape)[2], bound=2.5 * math.log(2))
    assert found.accepted[0, 60:].all() and found.accepted[0, :60].sum() == 3


def test_locked_slots_are_accepted_and_cost_nothing(way):
    logits, temperature, uniform = case((2, 70, 3))
    locked = torch.rand(2, 70, generator=torch.Generator().manual_seed(2)) < 0.4
    found = run(way, logits, temperature, uniform, locked, bound=1.0)
    assert torch.equal(found.accepted, accept(found.entropy, locked, 1.0))
    assert found.accepted[locked].all() and not found.accepted.all()
    assert not torch.equal(found.accepted, accept(found.entropy, free(logits), 1.0) | locked)


def test_public_function_picks_the_way_by_the_tensors():
    values = case((2, 3, 70))
    assert_same(kernel.entropy_bound(*values, free(values[0]), 0.1), *values)
