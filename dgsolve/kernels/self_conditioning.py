"""The embedding that a slot's logits expect, without the probabilities of all tokens in memory.

With x the logits over the temperature, rounded to the dtype of the embedding E as Transformers keeps them, per slot
    s = scale * sum_v softmax(x)_v E_v
The vocabulary is read block by block: with m the largest x so far, the sum of e_v = exp(x_v - m) and the sum of e_v E_v
are kept, and both are scaled down when a block has a larger x. What is added up is Float32; the e_v that are multiplied
with E have its dtype. Parts of the vocabulary are summed side by side and then put together in the same way.
Source: DiffusionGemmaDecoderModel.forward in Transformers; online softmax as in flash attention (arXiv 2205.14135),
with the rows of E as its values.
"""

from __future__ import annotations

import torch
from torch import Tensor

from dgsolve.kernels import optional_triton
from dgsolve.kernels.optional_triton import jit, tl
from dgsolve.kernels.slot_values import FLOOR, blocks_of, load_scaled, power_of_two, scaled

CHUNK = 1 << 21  # logits that the CPU reads at a time, so that few of their exponentials are in memory at once
SLOTS, WIDTH, TOKENS = 128, 256, 32  # of a program of the GPU: slots, columns of E, and tokens at a time
LEAST = 16  # of each that the matrix units of a GPU take


def self_conditioning(
    logits: Tensor, temperature: Tensor, embedding: Tensor, scale: float = 1.0, rows: Tensor | None = None
) -> Tensor:
    """[B, L, D] in the dtype of the embedding, from logits Float [B, L, V] at temperatures > 0, Float [B].

    embedding Float [V, D]; rows Int [K]: the only tokens allowed, whose logits then are all that is given,
    Float [B, L, K], and whose rows are all that is read of the embedding.
    """
    by = _by_triton if optional_triton.on_triton(logits) else _by_torch
    return by(logits, temperature, embedding, scale, rows)


def self_conditioning_reference(
    logits: Tensor, temperature: Tensor, embedding: Tensor, scale: float = 1.0, rows: Tensor | None = None
) -> Tensor:
    """The same as Transformers writes it; float64 for a test."""
    x = (logits / temperature[:, None, None]).clamp(FLOOR, -FLOOR).to(embedding.dtype)
    p = x.softmax(-1, dtype=torch.promote_types(embedding.dtype, torch.float32)).to(embedding.dtype)
    return p @ (embedding if rows is None else embedding[rows]) * scale


def _by_torch(logits: Tensor, temperature: Tensor, embedding: Tensor, scale: float, rows: Tensor | None) -> Tensor:
    flat, width = logits.flatten(0, 1), logits.shape[-1]
    heat = temperature.float().repeat_interleave(logits.shape[1])[:, None]  # [N, 1]
    top = scaled(flat.amax(1, keepdim=True), heat).to(embedding.dtype).float()
    found, total = top.new_zeros(len(flat), embedding.shape[1]), torch.zeros_like(top)
    together = max(1, CHUNK // len(flat))
    for low in range(0, width, together):
        some = slice(low, low + together)
        e = scaled(flat[:, some], heat).to(embedding.dtype).float().sub_(top).exp_()
        total += e.sum(1, keepdim=True)
        found += e.to(embedding.dtype) @ (embedding[some] if rows is None else embedding[rows[some]])
    return (found / total * scale).to(embedding.dtype).view(*logits.shape[:2], -1)


def _by_triton(logits: Tensor, temperature: Tensor, embedding: Tensor, scale: float, rows: Tensor | None) -> Tensor:
    (canvases, slots, width), columns, count = logits.shape, embedding.shape[1], logits.shape[0] * logits.shape[1]
    half = max(2, embedding.element_size()) // 2  # with a Float32 embedding the registers hold half as much
    block = min(SLOTS // half, max(LEAST, power_of_two(count)))
    side, depth = min(WIDTH, max(LEAST, power_of_two(columns))), TOKENS // half
    tiles, sides = blocks_of(block, count), blocks_of(side, columns)
    parts = max(1, min(_processors(logits) // (tiles * sides), blocks_of(depth, width)))
    length = blocks_of(parts, blocks_of(depth, width)) * depth  # tokens of a part
    found = torch.empty(parts, count, columns, device=logits.device)
    sums = torch.empty(2, parts, count, device=logits.device)
    with torch.cuda.device_of(logits):
        _part_kernel[sides, tiles, parts](
            logits.contiguous(), temperature.float().contiguous(), embedding.contiguous(),
            embedding if rows is None else rows.int().contiguous(), found, sums,
            slots, width, columns, count, length, parts * count,
            rows is not None, not logits.is_cuda, block, side, depth, num_warps=8, num_stages=2, enable_fp_fusion=True,
        )  # fmt: skip
    best, total = sums
    weight = (best - best.amax(0)).exp()  # [parts, N]
    whole = (found * weight[..., None]).sum(0) / (total * weight).sum(0)[:, None]
    return (whole * scale).to(embedding.dtype).view(canvases, slots, columns)


def _processors(logits: Tensor) -> int:
    """How many programs run side by side at least."""
    return torch.cuda.get_device_properties(logits.device).multi_processor_count if logits.is_cuda else 4


@jit
def _part_kernel(
    logits, heat, embedding, rows, found, sums, slots, width, columns, count, length, stride,
    CHOSEN: tl.constexpr, WIDE: tl.constexpr, SLOTS: tl.constexpr, WIDTH: tl.constexpr, TOKENS: tl.constexpr,
):  # fmt: skip
    """Some columns of some slots over one part of the vocabulary; neighbours read the same logits."""
    column = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    slot = tl.program_id(1) * SLOTS + tl.arange(0, SLOTS)
    part = tl.program_id(2)
    at = tl.minimum(slot, count - 1).to(tl.int64)
    cold = 1.0 / tl.load(heat + at // slots)
    best = tl.full([SLOTS], -1e30, tl.float32)
    total = tl.zeros([SLOTS], tl.float32)
    whole = tl.zeros([SLOTS, WIDTH], tl.float32)
    for first in range(part * length, tl.minimum((part + 1) * length, width), TOKENS):
        token = first + tl.arange(0, TOKENS)
        there = (token < width)[None, :]
        x = load_scaled(logits, at[:, None] * width + token[None, :], there, cold[:, None])
        x = tl.where(there, x.to(embedding.dtype.element_ty).to(tl.float32), -1e30)
        higher = tl.maximum(best, tl.max(x, 1))
        e = tl.exp(x - higher[:, None])
        fall = tl.exp(best - higher)
        row = tl.load(rows + token, mask=token < width, other=0) if CHOSEN else token
        value = tl.load(
            embedding + row.to(tl.int64)[:, None] * columns + column[None, :],
            mask=(token < width)[:, None] & (column < columns)[None, :],
            other=0.0,
        )
        total = total * fall + tl.sum(e, 1)
        e = e.to(value.dtype)
        if WIDE:  # Triton's interpreter takes the bits of bfloat16 for integers when it multiplies matrices
            e, value = e.to(tl.float32), value.to(tl.float32)
        whole = tl.dot(e, value, whole * fall[:, None], input_precision="ieee")
        best = higher
    place = part.to(tl.int64) * count + slot
    tl.store(sums + place, best, mask=slot < count)
    tl.store(sums + stride + place, total, mask=slot < count)
    inside = (slot < count)[:, None] & (column < columns)[None, :]
    tl.store(found + place[:, None] * columns + column[None, :], whole, mask=inside)
