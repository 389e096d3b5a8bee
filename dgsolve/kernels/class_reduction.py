"""What an automaton needs to know of each class of tokens in each slot, in one pass over the vocabulary.

Of a slot and a class c, with x the logits over the temperature, m the largest x of the class and e_v = exp(x_v - m):
    log-sum      log W(c) = m + log sum_{v in c} e_v
    entropy      of the token within its class, log sum e_v - sum e_v (x_v - m) / sum e_v
    best         m, and the lowest token of the class that has it
    draw         a token of the class in proportion to e_v
The tokens are read class by class, in runs of RUN places that never hold two classes, so no two programs add to one
place in memory. A run leaves its largest x, the token that has it and its two sums behind, relative to that x. Draws
are asked for after the automaton has chosen one class in each slot, and then read one run of it again.
Source: the log-sum-exp of blocks merged as in online softmax (arXiv 1805.02867).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from dgsolve.kernels import optional_triton
from dgsolve.kernels.optional_triton import jit, tl
from dgsolve.kernels.slot_values import (
    BLANK,
    FLOOR,
    blocks_of,
    bounded,
    load_bounded,
    pick,
    pick_place,
    power_of_two,
    sums_of,
)

RUN = 128  # tokens
CHUNK = 1 << 22  # logits that torch takes at a time
TILE = 16  # runs that a program of the GPU reads side by side
ROWS = 8  # slots for which it does so, with the tokens of its runs at hand
CLASSES, MERGED = 16, 64  # classes whose runs it puts together, and runs of each at a time


@dataclass(frozen=True, eq=False)
class ClassRuns:
    """The tokens of C classes in n runs, those of one class side by side; no token is in two classes.

    tokens Int32 [n, RUN]: ascending within a class, -1 behind its last; starts Int32 [C + 1]: the runs of each class,
    none where it has no token.

    >>> ClassRuns.of(torch.tensor([1, 0, -1, 1]), 3).starts
    tensor([0, 1, 2, 2], dtype=torch.int32)
    """

    tokens: Tensor
    starts: Tensor

    @classmethod
    def of(cls, class_of: Tensor, classes: int) -> ClassRuns:
        """class_of Int [V]: the class of each token, -1 for none, which not all may have."""
        if not bool((class_of >= 0).any()):
            raise ValueError("no token has a class: give class_of with a number of 0 or more for some token")
        token = class_of.argsort(stable=True)[int((class_of < 0).sum()) :]
        owner = class_of[token].long()
        sizes = owner.bincount(minlength=classes)
        runs = (sizes + RUN - 1) // RUN
        starts = torch.nn.functional.pad(runs.cumsum(0), (1, 0))
        within = torch.arange(len(token), device=token.device) - (sizes.cumsum(0) - sizes)[owner]
        tokens = torch.full((int(starts[-1]) * RUN,), -1, dtype=torch.int32, device=token.device)
        tokens[starts[owner] * RUN + within] = token.int()
        return cls(tokens.view(-1, RUN), starts.int())

    @cached_property
    def owner(self) -> Tensor:
        """Int64 [n]: the class of each run."""
        counts = self.starts.diff()
        return torch.arange(len(counts), device=counts.device).repeat_interleave(counts)

    @cached_property
    def index(self) -> Tensor:
        """Int32 [n * RUN]: the token of each place, 0 where there is none."""
        return self.tokens.flatten().clamp(min=0)

    @cached_property
    def blanks(self) -> Tensor:
        """Int64: the places without a token."""
        return (self.tokens.flatten() < 0).nonzero()[:, 0]

    @cached_property
    def most(self) -> int:
        """The runs of the class with the most."""
        return int(self.starts.diff().amax())


@dataclass(frozen=True, eq=False)
class ClassSums:
    """best, log_total (log of the sum of e) and entropy (nats) Float32 [B, L, C]; token Int32 [B, L, C]: the best one.

    They are -inf, 0, 0 and -1 for a class without a token, and finite for all others whatever the logits are.
    by_run Float32 [3, B L, n]: of each run the largest x, the sum of e = exp(x - largest), and of e * (x - largest).
    """

    logits: Tensor
    temperature: Tensor
    runs: ClassRuns
    by_run: Tensor
    log_total: Tensor
    entropy: Tensor
    best: Tensor
    token: Tensor

    @property
    def log_sum(self) -> Tensor:
        """Float64 [B, L, C]: in it, as the weights of slots add up to thousands of nats."""
        return self.best.double() + self.log_total

    def draws(self, classes: Tensor, uniform: Tensor) -> Tensor:
        """Int64 [B, L]: a token of a class in each slot, Int [B, L], by one number in 0 .. 1 each, Float64 [B, L].

        It is the token on which the number falls when those of the class stand side by side, as wide as e_v.
        """
        by = _draws_by_triton if optional_triton.on_triton(self.logits) else _draws_by_torch
        return by(self, classes, uniform)


def class_reduction(logits: Tensor, temperature: Tensor, runs: ClassRuns) -> ClassSums:
    """Reduce the logits, Float [B, L, V], of B canvases at one temperature > 0 each, Float [B]."""
    by = _by_triton if optional_triton.on_triton(logits) else _by_torch
    return by(logits, temperature, runs)


def class_reduction_reference(logits: Tensor, temperature: Tensor, class_of: Tensor, classes: int) -> Tensor:
    """log_sum, entropy and best, Float [3, B, L, C], in the dtype of the logits: float64 for a test."""
    x = (logits / temperature[:, None, None]).clamp(FLOOR, -FLOOR)
    found = x.new_empty(3, *x.shape[:2], classes)
    for number in range(classes):
        members = x[..., class_of == number]  # [B, L, c]
        if members.shape[-1] == 0:
            found[..., number] = torch.tensor([-torch.inf, 0.0, -torch.inf], device=x.device)[:, None, None]
            continue
        log_p = members.log_softmax(-1)
        found[0, ..., number] = members.logsumexp(-1)
        found[1, ..., number] = -(log_p.exp() * log_p).sum(-1)
        found[2, ..., number] = members.amax(-1)
    return found


def _by_torch(logits: Tensor, temperature: Tensor, runs: ClassRuns) -> ClassSums:
    rows, heat = logits.flatten(0, 1), temperature.float().repeat_interleave(logits.shape[1])[:, None]
    by_run = torch.empty(3, len(rows), len(runs.tokens), device=logits.device)
    token = torch.empty(by_run.shape[1:], dtype=torch.int32, device=logits.device)
    together = max(1, CHUNK // len(runs.index))
    for low in range(0, len(rows), together):
        some = slice(low, low + together)
        x = bounded(rows[some].index_select(1, runs.index), heat[some])
        x = x.index_fill_(1, runs.blanks, BLANK).view(-1, *runs.tokens.shape)
        place = x.argmax(2, keepdim=True)
        token[some] = runs.tokens.expand(len(x), -1, -1).gather(2, place)[..., 0]
        for part, values in zip(by_run, sums_of(x), strict=True):
            part[some] = values
    parts = (part.unflatten(0, logits.shape[:2]) for part in _merged(by_run, token, runs))
    return ClassSums(logits, temperature, runs, by_run, *parts)


def _merged(by_run: Tensor, token: Tensor, runs: ClassRuns) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """[N, C] each: log_total, entropy, best and token, from those of the runs."""
    best, total, moment = by_run.unbind(0)
    owner, shape = runs.owner.expand(len(best), -1), (len(best), len(runs.starts) - 1)
    top = best.new_full(shape, -torch.inf).scatter_reduce_(1, owner, best, "amax")
    below = best - top[:, runs.owner]
    sums = below.exp() * total
    whole = best.new_zeros(shape).index_add_(1, runs.owner, sums)
    moments = best.new_zeros(shape).index_add_(1, runs.owner, below.exp() * moment + below * sums)
    whole = torch.where(whole == 0, 1.0, whole)
    leading = torch.where(below == 0, token, torch.iinfo(torch.int32).max)
    first = token.new_full(shape, -1).scatter_reduce_(1, owner, leading, "amin", include_self=False)
    return whole.log(), (whole.log() - moments / whole).clamp(min=0.0), top, first


def _draws_by_torch(sums: ClassSums, classes: Tensor, uniform: Tensor) -> Tensor:
    wanted, slots = classes.flatten(), classes.shape[1]
    low, high = sums.runs.starts[wanted].long(), sums.runs.starts[wanted + 1].long()
    run = low[:, None] + torch.arange(sums.runs.most, device=low.device)  # [N, r]
    there = run < high[:, None]
    run = torch.where(there, run, low[:, None])
    best, total, _ = sums.by_run.gather(2, run.expand(3, -1, -1)).masked_fill_(~there, BLANK)
    weights = (best - best.amax(1, keepdim=True)).exp() * total
    place, rest = pick(weights.clamp(min=0.0), uniform.flatten())
    token = sums.runs.tokens[run.gather(1, place[:, None])[:, 0]].long()  # [N, RUN]
    heat = sums.temperature.float().repeat_interleave(slots)[:, None]
    x = bounded(sums.logits.flatten(0, 1).gather(1, token.clamp(min=0)), heat)
    near = (x - best.gather(1, place[:, None])).exp().masked_fill_(token < 0, 0.0)
    return token.gather(1, pick(near, rest)[0][:, None]).view(classes.shape)


def _by_triton(logits: Tensor, temperature: Tensor, runs: ClassRuns) -> ClassSums:
    (canvases, slots, size), count, classes = logits.shape, len(runs.tokens), len(runs.starts) - 1
    logits, heat = logits.contiguous(), temperature.float().contiguous()
    rows, tiles = canvases * slots, blocks_of(TILE, count)
    by_run = torch.empty(3, rows, count, device=logits.device)
    leading = torch.empty(rows, count, dtype=torch.int32, device=logits.device)
    merged = torch.empty(3, canvases, slots, classes, device=logits.device)
    token = torch.empty(canvases, slots, classes, dtype=torch.int32, device=logits.device)
    with torch.cuda.device_of(logits):
        _run_kernel[blocks_of(ROWS, rows) * tiles,](
            logits, heat, runs.tokens, by_run, leading, slots, size, rows, count, rows * count, tiles,
            TILE, RUN, ROWS,
            num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
        _class_kernel[rows, blocks_of(CLASSES, classes)](
            by_run, leading, runs.starts, merged, token, count, rows * count, classes, rows * classes, CLASSES, MERGED,
            num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    log_total, entropy, best = merged.unbind(0)
    return ClassSums(logits, heat, runs, by_run, log_total, entropy, best, token)


def _draws_by_triton(sums: ClassSums, classes: Tensor, uniform: Tensor) -> Tensor:
    runs, (canvases, slots, size) = sums.runs, sums.logits.shape
    drawn = torch.empty(canvases, slots, dtype=torch.long, device=sums.logits.device)
    with torch.cuda.device_of(sums.logits):
        _draw_kernel[canvases * slots,](
            sums.logits, sums.temperature, runs.tokens, runs.starts, sums.by_run, classes.contiguous(),
            uniform.double().contiguous(), drawn, slots, size, len(runs.tokens), sums.by_run.stride(0),
            power_of_two(runs.most), RUN, num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    return drawn


@jit
def _run_kernel(
    logits, heat, tokens, by_run, leading, slots, size, rows, runs, stride, tiles,
    TILE: tl.constexpr, RUN: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """TILE runs in ROWS slots: of each the largest x, its first token, the sum of e and of e * (x - largest)."""
    program = tl.program_id(0)
    run = program % tiles * TILE + tl.arange(0, TILE)
    there = run < runs
    place = run[:, None] * RUN + tl.arange(0, RUN)[None, :]
    token = tl.load(tokens + place, mask=there[:, None], other=-1)
    first = (program // tiles).to(tl.int64) * ROWS
    for step in range(ROWS):
        row = tl.minimum(first + step, rows - 1)  # the last program may do the last slot again
        x = load_bounded(logits + row * size, token, token >= 0, 1.0 / tl.load(heat + row // slots))
        best = tl.max(x, 1)
        e = tl.exp(x - best[:, None])
        found = by_run + row * runs + run
        tl.store(found, best, mask=there)
        tl.store(found + stride, tl.sum(e, 1), mask=there)
        tl.store(found + 2 * stride, tl.sum(e * (x - best[:, None]), 1), mask=there)
        lead = tl.min(tl.where(x == best[:, None], token, 2147483647), 1)
        tl.store(leading + row * runs + run, lead, mask=there)


@jit
def _class_kernel(
    by_run, leading, starts, merged, token, runs, stride, classes, out_stride,
    CLASSES: tl.constexpr, MERGED: tl.constexpr,
):  # fmt: skip
    """Some classes of one slot: what their runs say together."""
    row = tl.program_id(0).to(tl.int64)
    number = tl.program_id(1) * CLASSES + tl.arange(0, CLASSES)
    low = tl.load(starts + number, mask=number < classes, other=0)
    high = tl.load(starts + number + 1, mask=number < classes, other=0)
    top = tl.full([CLASSES], -1e30, tl.float32)
    total = tl.zeros([CLASSES], tl.float32)
    moment = tl.zeros([CLASSES], tl.float32)
    first = tl.full([CLASSES], -1, tl.int32)
    for step in range(0, tl.max(high - low, 0), MERGED):
        run = low[:, None] + step + tl.arange(0, MERGED)[None, :]
        there = run < high[:, None]
        found = by_run + row * runs + run
        best = tl.load(found, mask=there, other=-1e30)
        most = tl.max(best, 1)
        lead = tl.load(leading + row * runs + run, mask=there, other=2147483647)
        lead = tl.min(tl.where(best == most[:, None], lead, 2147483647), 1)
        first = tl.where(most > top, lead, first)
        higher = tl.maximum(top, most)
        fall, below = top - higher, best - higher[:, None]
        sums = tl.exp(below) * tl.load(found + stride, mask=there, other=0.0)
        moments = tl.exp(below) * tl.load(found + 2 * stride, mask=there, other=0.0) + below * sums
        moment = tl.exp(fall) * (moment + fall * total) + tl.sum(moments, 1)
        total = tl.exp(fall) * total + tl.sum(sums, 1)
        top = higher
    empty = high == low
    total = tl.where(empty, 1.0, total)
    log_total = tl.log(total)
    out = row * classes + number
    tl.store(merged + out, log_total, mask=number < classes)
    tl.store(merged + out_stride + out, tl.maximum(log_total - moment / total, 0.0), mask=number < classes)
    tl.store(merged + 2 * out_stride + out, tl.where(empty, -float("inf"), top), mask=number < classes)
    tl.store(token + out, first, mask=number < classes)


@jit
def _draw_kernel(
    logits, heat, tokens, starts, by_run, wanted, uniform, drawn, slots, size, runs, stride,
    MOST: tl.constexpr, RUN: tl.constexpr,
):  # fmt: skip
    """One slot: a run of a class, and one of its tokens."""
    row = tl.program_id(0).to(tl.int64)
    label = tl.load(wanted + row)
    low, high = tl.load(starts + label), tl.load(starts + label + 1)
    lane, place = tl.arange(0, MOST), tl.arange(0, RUN)
    there = lane < high - low
    best = tl.load(by_run + row * runs + low + lane, mask=there, other=-1e30)
    total = tl.load(by_run + stride + row * runs + low + lane, mask=there, other=0.0)
    run, rest = pick_place(tl.exp(best - tl.max(best, 0)) * total, lane, tl.load(uniform + row))
    token = tl.load(tokens + (low + run) * RUN + place)
    x = load_bounded(logits + row * size, token, token >= 0, 1.0 / tl.load(heat + row // slots))
    found, _ = pick_place(tl.exp(x - tl.max(x, 0)), place, rest)
    tl.store(drawn + row, tl.load(tokens + (low + run) * RUN + found).to(tl.int64))
