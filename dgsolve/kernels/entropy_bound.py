"""The denoising step without a constraint, in one pass over the vocabulary.

Of each slot, with x its logits over the temperature and m the largest of them, e_v = exp(x_v - m):
    log-normaliser   log Z = m + log sum_v e_v
    entropy          H = log sum_v e_v - sum_v e_v (x_v - m) / sum_v e_v
    mode             the lowest token with x_v = m
    draw             a block of BLOCK tokens in proportion to its sum of e_v, then a token of it in proportion to e_v
    accepted         the slots in ascending order of H, while the entropies of those before sum to at most `bound`
A block leaves its largest x and its two sums behind, relative to that x; these few numbers give all the rest, and two
blocks of each slot are read again: the one with its mode and the one with its draw.
Source: EntropyBoundSampler and StableAndConfidentStoppingCriteria of DiffusionGemma in Transformers (arXiv 2505.24857),
which go through the vocabulary again for each of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dgsolve.kernels.optional_triton import jit, tl
from dgsolve.kernels.slot_values import (
    FLOOR,
    blocks_of,
    first_best,
    load_scaled,
    pick,
    pick_place,
    power_of_two,
    scaled,
    sums_of,
)
from dgsolve.sampling.entropy_bound import accept

BLOCK = 4096  # tokens; CPU and GPU draw the same as both have the same blocks
CHUNK = 1 << 17  # logits that the CPU reads at a time, so that they stay in its cache
SLOTS = 64  # entropies that the acceptance compares at a time


@dataclass(frozen=True)
class EntropyBoundStep:
    """mode, draw Int64 [B, L]; log_z, entropy (nats) Float32 [B, L]; accepted Bool [B, L].

    A slot with a NaN among its logits has NaN for its entropy and log_z.
    """

    mode: Tensor
    draw: Tensor
    log_z: Tensor
    entropy: Tensor
    accepted: Tensor


def entropy_bound(
    logits: Tensor, temperature: Tensor, uniform: Tensor, locked: Tensor, bound: float
) -> EntropyBoundStep:
    """Read the logits, Float [B, L, V], of B canvases at one temperature > 0 each, Float [B].

    uniform Float32 [B, L, 2], between 0 and 1: what `Stream.uniform((L, 2))` gives, so that a canvas has the same draw
    in any batch. locked Bool [B, L]: slots that count as accepted and cost nothing. bound: nats.
    """
    return (_by_triton if logits.is_cuda else _by_torch)(logits, temperature, uniform, locked, bound)


def entropy_bound_reference(
    logits: Tensor, temperature: Tensor, uniform: Tensor, locked: Tensor, bound: float
) -> EntropyBoundStep:
    """The same in plain torch, in the dtype of the logits: float64 for a test."""
    x = (logits / temperature[:, None, None]).clamp(FLOOR, -FLOOR)
    log_p = x.log_softmax(-1)
    p = log_p.exp()  # [B, L, V]
    pad = -p.shape[-1] % BLOCK
    blocks = torch.nn.functional.pad(p, (0, pad)).flatten(0, 1).unflatten(1, (-1, BLOCK))  # [B L, n, BLOCK]
    block = pick(blocks.sum(-1), uniform[..., 0].flatten())
    token = pick(blocks[torch.arange(len(block)), block], uniform[..., 1].flatten())
    entropy = -(p * log_p).sum(-1)
    draw = (block * BLOCK + token).view(entropy.shape)
    return EntropyBoundStep(x.argmax(-1), draw, x.logsumexp(-1), entropy, accept(entropy, locked, bound))


def _by_torch(logits: Tensor, temperature: Tensor, uniform: Tensor, locked: Tensor, bound: float) -> EntropyBoundStep:
    rows, shape = logits.flatten(0, 1), logits.shape[:2]  # [N, V]
    heat = temperature.float().repeat_interleave(shape[1])[:, None]  # [N, 1]
    best, total, moment = _block_sums(rows, heat).unbind(0)  # [N, n]
    top = best.amax(1, keepdim=True)
    weight = (best - top).exp()
    sums = weight * total
    whole = sums.sum(1)
    moments = (weight * moment + (best - top) * sums).sum(1)
    mode = _read_block(rows, heat, best.argmax(1))
    block = pick(sums, uniform[..., 0].flatten())
    near = _read_block(rows, heat, block) - best.gather(1, block[:, None])
    draw = block * BLOCK + pick(near.exp(), uniform[..., 1].flatten())
    entropy = (whole.log() - moments / whole).clamp(min=0.0).view(shape)
    found = best.argmax(1) * BLOCK + mode.argmax(1)
    log_z = (top[:, 0] + whole.log()).view(shape)
    return EntropyBoundStep(found.view(shape), draw.view(shape), log_z, entropy, accept(entropy, locked, bound))


def _block_sums(rows: Tensor, heat: Tensor) -> Tensor:
    """Float32 [3, N, n], of each block: the largest x, the sum of e = exp(x - largest), and of e * (x - largest)."""
    count, size = rows.shape
    firsts, together = range(0, size, BLOCK), CHUNK // BLOCK
    found = torch.empty(3, count, len(firsts), device=rows.device)
    for low in range(0, count, together):
        some = slice(low, low + together)
        for block, first in enumerate(firsts):
            sums = sums_of(rows[some, first : first + BLOCK] / heat[some])
            for part, values in zip(found, sums, strict=True):
                part[some, block] = values
    return found


def _read_block(rows: Tensor, heat: Tensor, block: Tensor) -> Tensor:
    """Float32 [N, BLOCK]: x in one block of each row, Int [N]; -inf behind the last token."""
    tokens = block[:, None] * BLOCK + torch.arange(min(BLOCK, rows.shape[1]), device=rows.device)
    within = tokens < rows.shape[1]
    x = scaled(rows.gather(1, tokens.clamp(max=rows.shape[1] - 1)), heat)
    return x.masked_fill_(~within, -torch.inf)


def _by_triton(logits: Tensor, temperature: Tensor, uniform: Tensor, locked: Tensor, bound: float) -> EntropyBoundStep:
    canvases, slots, size = logits.shape
    logits, uniform, heat = logits.contiguous(), uniform.contiguous(), temperature.float().contiguous()
    blocks, rows, block = blocks_of(BLOCK, size), canvases * slots, min(BLOCK, power_of_two(size))
    sums = torch.empty(3, rows, blocks, device=logits.device)
    mode, draw = torch.empty(2, canvases, slots, dtype=torch.long, device=logits.device).unbind(0)
    log_z, entropy = torch.empty(2, canvases, slots, device=logits.device).unbind(0)
    accepted = torch.empty(canvases, slots, dtype=torch.bool, device=logits.device)
    with torch.cuda.device_of(logits):
        _block_kernel[rows * blocks,](
            logits, heat, sums, slots, size, blocks, rows * blocks, block, num_warps=4, enable_fp_fusion=True
        )
        _slot_kernel[rows,](
            logits, heat, uniform, sums, mode, draw, log_z, entropy, slots, size, blocks, rows * blocks,
            power_of_two(blocks), block, num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
        _accept_kernel[canvases, blocks_of(SLOTS, slots)](
            entropy, locked.contiguous(), accepted, slots, float(bound), SLOTS, num_warps=4, enable_fp_fusion=True
        )
    return EntropyBoundStep(mode, draw, log_z, entropy, accepted)


@jit
def _block_kernel(logits, heat, sums, slots, size, blocks, stride, BLOCK: tl.constexpr):
    """One block of one slot: its largest x, the sum of e and the sum of e * (x - largest)."""
    program = tl.program_id(0)
    row = (program // blocks).to(tl.int64)
    tokens = program % blocks * BLOCK + tl.arange(0, BLOCK)
    x = load_scaled(logits + row * size, tokens, tokens < size, 1.0 / tl.load(heat + row // slots))
    best = tl.max(x, 0)
    e = tl.exp(x - best)
    tl.store(sums + program, best)
    tl.store(sums + stride + program, tl.sum(e, 0))
    tl.store(sums + 2 * stride + program, tl.sum(e * (x - best), 0))


@jit
def _slot_kernel(
    logits, heat, uniform, sums, mode, draw, log_z, entropy, slots, size, blocks, stride,
    BLOCKS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """One slot: what its blocks say together, its mode and its draw."""
    row = tl.program_id(0).to(tl.int64)
    number = tl.arange(0, BLOCKS)
    there = number < blocks
    place = row * blocks + number
    best = tl.load(sums + place, mask=there, other=-1e30)
    top = tl.max(best, 0)
    weight = tl.exp(best - top)
    total = weight * tl.load(sums + stride + place, mask=there, other=0.0)
    moment = weight * tl.load(sums + 2 * stride + place, mask=there, other=0.0) + (best - top) * total
    whole = tl.sum(total, 0)
    surprise = tl.log(whole)
    unsure = surprise - tl.sum(moment, 0) / whole
    tl.store(log_z + row, top + surprise)
    tl.store(entropy + row, tl.where(unsure < 0.0, 0.0, unsure))

    cold = 1.0 / tl.load(heat + row // slots)
    lane = tl.arange(0, BLOCK)
    first = tl.minimum(first_best(best, number), blocks - 1) * BLOCK
    x = load_scaled(logits + row * size, first + lane, first + lane < size, cold)
    tl.store(mode + row, tl.minimum(first + first_best(x, lane), size - 1).to(tl.int64))

    block = pick_place(total, number, tl.load(uniform + 2 * row))
    first = block * BLOCK
    x = load_scaled(logits + row * size, first + lane, first + lane < size, cold)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(draw + row, (first + pick_place(e, lane, tl.load(uniform + 2 * row + 1))).to(tl.int64))


@jit
def _accept_kernel(entropy, locked, accepted, slots, bound, SLOTS: tl.constexpr):
    """Some slots of one canvas: the entropies of those that come before each, equals by their place, summed."""
    canvas = tl.program_id(0).to(tl.int64) * slots
    slot = tl.program_id(1) * SLOTS + tl.arange(0, SLOTS)
    own = tl.load(entropy + canvas + slot, mask=slot < slots, other=0.0)
    before = tl.zeros([SLOTS], tl.float32)
    for first in range(0, slots, SLOTS):
        other = first + tl.arange(0, SLOTS)
        free = (other < slots) & (tl.load(locked + canvas + other, mask=other < slots, other=1) == 0)
        rival = tl.load(entropy + canvas + other, mask=free, other=0.0)
        sooner = (rival[None, :] < own[:, None]) | ((rival[None, :] == own[:, None]) & (other[None, :] < slot[:, None]))
        before += tl.sum(tl.where(sooner, rival[None, :], 0.0), 1)
    held = tl.load(locked + canvas + slot, mask=slot < slots, other=0) != 0
    tl.store(accepted + canvas + slot, held | (before <= bound), mask=slot < slots)
