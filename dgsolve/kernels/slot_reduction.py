"""What the step without a constraint needs to know of each slot, in one pass over the vocabulary.

Of each slot, with x its logits over the temperature and m the largest of them, e_v = exp(x_v - m):
    log-normaliser   log Z = m + log sum_v e_v
    entropy          H = log sum_v e_v - sum_v e_v (x_v - m) / sum_v e_v
    mode             the lowest token with x_v = m
    draw             a token in proportion to e_v
A block of BLOCK tokens leaves its largest x, the token that has it and its two sums behind, relative to that x; these
few numbers give all but the draw, for which they choose a block, the only one that is read again. By H slots are
accepted as `sampling.entropy_bound` says, which is no work.
Source: EntropyBoundSampler and StableAndConfidentStoppingCriteria of DiffusionGemma in Transformers (arXiv 2505.24857),
which go through the vocabulary again for each of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dgsolve.kernels import optional_triton
from dgsolve.kernels.optional_triton import jit, tl
from dgsolve.kernels.slot_values import (
    FLOOR,
    blocks_of,
    bounded,
    load_bounded,
    pick,
    pick_place,
    power_of_two,
    sums_of,
)

BLOCK = 4096  # tokens
CHUNK = 1 << 17  # logits that the CPU reads at a time, so that they stay in its cache


@dataclass(frozen=True, eq=False)
class SlotSums:
    """mode Int64 [B, L]; log_z, entropy (nats) Float32 [B, L], finite whatever the logits are.

    by_block Float32 [3, B L, n]: of each block the largest x, the sum of e = exp(x - largest), of e * (x - largest).
    """

    logits: Tensor
    temperature: Tensor
    by_block: Tensor
    mode: Tensor
    log_z: Tensor
    entropy: Tensor

    def draws(self, uniform: Tensor) -> Tensor:
        """Int64 [B, L]: a token in each slot, by one number in 0 .. 1 each, Float64 [B, L].

        It is the token on which the number falls when all stand side by side, each as wide as its probability.
        """
        by = _draws_by_triton if optional_triton.on_triton(self.logits) else _draws_by_torch
        return by(self, uniform)


def slot_reduction(logits: Tensor, temperature: Tensor) -> SlotSums:
    """Read the logits, Float [B, L, V], of B canvases at one temperature > 0 each, Float [B]."""
    by = _by_triton if optional_triton.on_triton(logits) else _by_torch
    return by(logits, temperature)


def slot_reduction_reference(logits: Tensor, temperature: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """mode, log_z and entropy in plain torch, in the dtype of the logits: float64 for a test."""
    x = (logits / temperature[:, None, None]).clamp(FLOOR, -FLOOR)
    log_p = x.log_softmax(-1)
    return x.argmax(-1), x.logsumexp(-1), -(log_p.exp() * log_p).sum(-1)


def _by_torch(logits: Tensor, temperature: Tensor) -> SlotSums:
    rows, shape = logits.flatten(0, 1), logits.shape[:2]  # [N, V]
    heat = _heat(temperature, shape[1])
    by_block = _block_sums(rows, heat)
    best, total, moment = by_block.unbind(0)  # [N, n]
    top, block = best.max(1, keepdim=True)
    weight = (best - top).exp()
    sums = weight * total
    whole = sums.sum(1)
    moments = (weight * moment + (best - top) * sums).sum(1)
    entropy = (whole.log() - moments / whole).clamp(min=0.0)
    mode = block[:, 0] * BLOCK + _read_block(rows, heat, block).argmax(1)
    found = mode, top[:, 0] + whole.log(), entropy
    return SlotSums(logits, temperature, by_block, *(values.view(shape) for values in found))


def _block_sums(rows: Tensor, heat: Tensor) -> Tensor:
    count, size = rows.shape
    firsts, together = range(0, size, BLOCK), CHUNK // BLOCK
    found = torch.empty(3, count, len(firsts), device=rows.device)
    for low in range(0, count, together):
        some = slice(low, low + together)
        for block, first in enumerate(firsts):
            sums = sums_of(rows[some, first : first + BLOCK].float() / heat[some])
            for part, values in zip(found, sums, strict=True):
                part[some, block] = values
    return found


def _draws_by_torch(sums: SlotSums, uniform: Tensor) -> Tensor:
    best, total, _ = sums.by_block.unbind(0)
    rows, heat = sums.logits.flatten(0, 1), _heat(sums.temperature, sums.logits.shape[1])
    block, rest = pick((best - best.amax(1, keepdim=True)).exp() * total, uniform.flatten())
    near = _read_block(rows, heat, block[:, None]) - best.gather(1, block[:, None])
    return (block * BLOCK + pick(near.exp(), rest)[0]).view(uniform.shape)


def _read_block(rows: Tensor, heat: Tensor, block: Tensor) -> Tensor:
    """Float32 [N, BLOCK]: x in one block of each row, Int [N, 1]; -inf behind the last token."""
    tokens = block * BLOCK + torch.arange(min(BLOCK, rows.shape[1]), device=rows.device)
    within = tokens < rows.shape[1]
    x = bounded(rows.gather(1, tokens.clamp(max=rows.shape[1] - 1)), heat)
    return x.masked_fill_(~within, -torch.inf)


def _heat(temperature: Tensor, slots: int) -> Tensor:
    """Float32 [B L, 1]."""
    return temperature.float().repeat_interleave(slots)[:, None]


def _by_triton(logits: Tensor, temperature: Tensor) -> SlotSums:
    canvases, slots, size = logits.shape
    logits, heat = logits.contiguous(), temperature.float().contiguous()
    rows, block = canvases * slots, min(BLOCK, power_of_two(size))
    blocks = blocks_of(block, size)
    by_block = torch.empty(3, rows, blocks, device=logits.device)
    token = torch.empty(rows, blocks, dtype=torch.int32, device=logits.device)
    mode = torch.empty(canvases, slots, dtype=torch.long, device=logits.device)
    log_z, entropy = torch.empty(2, canvases, slots, device=logits.device).unbind(0)
    with torch.cuda.device_of(logits):
        _block_kernel[rows * blocks,](
            logits, heat, by_block, token, slots, size, blocks, rows * blocks, block, num_warps=4, enable_fp_fusion=True
        )
        _slot_kernel[rows,](
            by_block, token, mode, log_z, entropy, blocks, rows * blocks, power_of_two(blocks),
            num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    return SlotSums(logits, heat, by_block, mode, log_z, entropy)


def _draws_by_triton(sums: SlotSums, uniform: Tensor) -> Tensor:
    (canvases, slots, size), blocks = sums.logits.shape, sums.by_block.shape[2]
    drawn = torch.empty(canvases, slots, dtype=torch.long, device=sums.logits.device)
    with torch.cuda.device_of(sums.logits):
        _draw_kernel[canvases * slots,](
            sums.logits, sums.temperature, sums.by_block, uniform.double().contiguous(), drawn,
            slots, size, blocks, sums.by_block.stride(0), power_of_two(blocks), min(BLOCK, power_of_two(size)),
            num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    return drawn


@jit
def _block_kernel(logits, heat, by_block, token, slots, size, blocks, stride, BLOCK: tl.constexpr):
    """One block of one slot: its largest x, where it is, the sum of e and the sum of e * (x - largest)."""
    program = tl.program_id(0).to(tl.int64)
    row = program // blocks
    tokens = (program % blocks).to(tl.int32) * BLOCK + tl.arange(0, BLOCK)
    x = load_bounded(logits + row * size, tokens, tokens < size, 1.0 / tl.load(heat + row // slots))
    best = tl.max(x, 0)
    e = tl.exp(x - best)
    tl.store(by_block + program, best)
    tl.store(by_block + stride + program, tl.sum(e, 0))
    tl.store(by_block + 2 * stride + program, tl.sum(e * (x - best), 0))
    tl.store(token + program, tl.min(tl.where(x == best, tokens, size), 0))


@jit
def _slot_kernel(by_block, token, mode, log_z, entropy, blocks, stride, BLOCKS: tl.constexpr):
    """One slot: what its blocks say together."""
    row = tl.program_id(0).to(tl.int64)
    number = tl.arange(0, BLOCKS)
    there = number < blocks
    place = row * blocks + number
    best = tl.load(by_block + place, mask=there, other=-1e30)
    top = tl.max(best, 0)
    weight = tl.exp(best - top)
    total = weight * tl.load(by_block + stride + place, mask=there, other=0.0)
    moment = weight * tl.load(by_block + 2 * stride + place, mask=there, other=0.0) + (best - top) * total
    whole = tl.sum(total, 0)
    surprise = tl.log(whole)
    first = tl.load(token + place, mask=there, other=2147483647)
    tl.store(log_z + row, top + surprise)
    tl.store(entropy + row, tl.maximum(surprise - tl.sum(moment, 0) / whole, 0.0))
    tl.store(mode + row, tl.min(tl.where(best == top, first, 2147483647), 0).to(tl.int64))


@jit
def _draw_kernel(
    logits, heat, by_block, uniform, drawn, slots, size, blocks, stride, BLOCKS: tl.constexpr, BLOCK: tl.constexpr
):
    """One slot: a block, and one of its tokens."""
    row = tl.program_id(0).to(tl.int64)
    number, lane = tl.arange(0, BLOCKS), tl.arange(0, BLOCK)
    there = number < blocks
    best = tl.load(by_block + row * blocks + number, mask=there, other=-1e30)
    total = tl.load(by_block + stride + row * blocks + number, mask=there, other=0.0)
    block, rest = pick_place(tl.exp(best - tl.max(best, 0)) * total, number, tl.load(uniform + row))
    token = block * BLOCK + lane
    x = load_bounded(logits + row * size, token, token < size, 1.0 / tl.load(heat + row // slots))
    place, _ = pick_place(tl.exp(x - tl.max(x, 0)), lane, rest)
    tl.store(drawn + row, (block * BLOCK + place).to(tl.int64))
