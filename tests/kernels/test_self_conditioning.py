"""Expected embeddings against the formula as Transformers writes it, and against float64."""

import math

import pytest
import torch

from dgsolve.kernels import self_conditioning as kernel

# canvases, slots, tokens, columns
SHAPES = [(1, 1, 1, 1), (1, 1, 2, 3), (2, 3, 7, 5), (1, 5, 257, 300), (3, 50, 100, 16)]


def case(shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    canvases, slots, size, columns = shape
    logits = torch.randn(canvases, slots, size, generator=generator) * 4
    temperature = torch.rand(canvases, generator=generator) + 0.3
    return logits, temperature, torch.randn(size, columns, generator=generator).to(dtype)


def run(way, logits, temperature, embedding, scale=1.0, rows=None):
    rows = None if rows is None else rows.to(way.device)
    tensors = (x.to(way.device) for x in (logits, temperature, embedding))
    return way.of(kernel)(*tensors, scale, rows).cpu()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_reference_is_the_line_of_transformers(dtype):
    from transformers.models.diffusion_gemma.modeling_diffusion_gemma import DiffusionGemmaTextScaledWordEmbedding

    logits, temperature, weight = case((2, 3, 50, 8), dtype)
    embed = DiffusionGemmaTextScaledWordEmbedding(50, 8, 0, embed_scale=3.0).to(dtype)
    embed.weight.data = weight
    kept = (logits / temperature[:, None, None]).to(dtype)  # as its loop hands them to the next step
    soft = torch.matmul(kept.softmax(-1, dtype=torch.float32).to(dtype), embed.weight) * embed.embed_scale.to(dtype)
    assert torch.equal(kernel.self_conditioning_reference(logits, temperature, weight, 3.0), soft)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_expectation_is_that_of_float64(way, shape):
    logits, temperature, embedding = case(shape)
    found = run(way, logits, temperature, embedding, 3.0)
    right = kernel.self_conditioning_reference(logits.double(), temperature.double(), embedding.double(), 3.0)
    assert found.dtype == embedding.dtype
    torch.testing.assert_close(found.double(), right, rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_bfloat16_is_as_near_as_transformers(way, shape):
    logits, temperature, embedding = case(shape, torch.bfloat16)
    kept = (logits / temperature[:, None, None]).bfloat16().double()
    exact = kept.softmax(-1) @ embedding.double()
    theirs = kernel.self_conditioning_reference(logits, temperature, embedding)
    found = run(way, logits, temperature, embedding)
    assert found.dtype == torch.bfloat16
    error, their_error = ((x.double() - exact).abs().max().item() for x in (found, theirs))
    cut_off = 0.15 if way.suffix == "triton" and way.device == "cpu" else 0.01  # Triton's interpreter does not round
    assert error <= 1.5 * their_error + cut_off


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_only_the_allowed_rows(way, dtype):
    logits, temperature, embedding = case((2, 4, 200, 40), dtype)
    rows = torch.tensor([199, 3, 77, 4, 100])
    found = run(way, logits[..., rows], temperature, embedding, rows=rows)
    masked = torch.full_like(logits, -1e4)
    masked[..., rows] = logits[..., rows]
    right = kernel.self_conditioning_reference(masked, temperature, embedding)
    torch.testing.assert_close(found.float(), right.float(), rtol=1e-5, atol=2e-5 if dtype == torch.float32 else 0.03)


@pytest.mark.parametrize("level", [-1e4, 1e4, -math.inf, math.inf])
def test_equal_logits_give_the_mean(way, level):
    _, temperature, embedding = case((1, 3, 150, 8))
    found = run(way, torch.full((1, 3, 150), level), temperature, embedding)
    torch.testing.assert_close(found, embedding.mean(0).expand(1, 3, 8), rtol=1e-4, atol=1e-5)


def test_one_token_far_above_the_others_wherever_it_stands(way):
    logits, temperature, embedding = case((1, 4, 300, 8))
    logits[0, range(4), [0, 63, 64, 299]] = 1e4
    logits[0, 3, :150] = -math.inf
    found = run(way, logits, temperature, embedding)
    torch.testing.assert_close(found[0], embedding[[0, 63, 64, 299]], rtol=1e-6, atol=1e-6)


def test_blocks_of_the_cpu_are_summed(monkeypatch):
    monkeypatch.setattr(kernel, "CHUNK", 40)
    logits, temperature, embedding = case((1, 4, 103, 8))
    right = kernel.self_conditioning_reference(logits, temperature, embedding)
    torch.testing.assert_close(kernel.self_conditioning(logits, temperature, embedding), right, rtol=1e-5, atol=1e-5)


def test_a_nan_is_not_hidden(way):
    logits, temperature, embedding = case((1, 3, 150, 8))
    logits[0, 1, 99] = math.nan
    assert run(way, logits, temperature, embedding).isnan().all(-1).tolist() == [[False, True, False]]
