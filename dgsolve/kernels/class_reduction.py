"""What an automaton needs to know of each class of tokens in each slot, in one pass over the vocabulary.

Of a slot and a class c, with x the logits over the temperature, m the largest x of the class and e_v = exp(x_v - m):
    log-sum      log W(c) = m + log sum_{v in c} e_v
    entropy      of the token within its class, log sum e_v - sum e_v (x_v - m) / sum e_v
    best         m, and the lowest token of the class that has it
    draw         a token of the class in proportion to e_v
The tokens are read class by class, in runs of RUN places that never hold two classes, so no two programs add to one
place in memory. A run leaves its largest x and its two sums behind, relative to that x. Best tokens and draws are asked
for after the automaton has chosen one class in each slot, and then read one run of it again.
Source: the log-sum-exp of blocks merged as in online softmax (arXiv 1805.02867).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from dgsolve.kernels.optional_triton import jit, tl
from dgsolve.kernels.slot_values import (
    BLANK,
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

RUN = 128  # tokens; CPU and GPU draw the same as both have the same runs
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
    """log_sum, entropy (nats), best Float32 [B, L, C]; -inf, 0 and -inf for a class without a token.

    by_run Float32 [3, B L, n]: of each run the largest x, the sum of e = exp(x - largest), and of e * (x - largest).
    """

    logits: Tensor
    temperature: Tensor
    runs: ClassRuns
    by_run: Tensor
    log_sum: Tensor
    entropy: Tensor
    best: Tensor

    def best_tokens(self, classes: Tensor) -> Tensor:
        """Int64 [B, L]: the most probable token of a class in each slot, Int [B, L]; the lowest of equals."""
        return (_best_by_triton if self.logits.is_cuda else _best_by_torch)(self, classes)

    def draws(self, classes: Tensor, uniform: Tensor) -> Tensor:
        """Int64 [B, L]: a token of a class in each slot, Int [B, L].

        uniform Float32 [B, L, 2], between 0 and 1: for the run, and for the token of the run.
        """
        return (_draws_by_triton if self.logits.is_cuda else _draws_by_torch)(self, classes, uniform)


def class_reduction(logits: Tensor, temperature: Tensor, runs: ClassRuns) -> ClassSums:
    """Reduce the logits, Float [B, L, V], of B canvases at one temperature > 0 each, Float [B]."""
    by_run, merged = (_by_triton if logits.is_cuda else _by_torch)(logits, temperature, runs)
    log_sum, entropy, best = merged.unflatten(1, logits.shape[:2])
    return ClassSums(logits, temperature, runs, by_run, log_sum, entropy, best)


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


def _by_torch(logits: Tensor, temperature: Tensor, runs: ClassRuns) -> tuple[Tensor, Tensor]:
    rows, heat = logits.flatten(0, 1), temperature.float().repeat_interleave(logits.shape[1])
    by_run = torch.empty(3, len(rows), len(runs.tokens))
    for number, (row, warmth) in enumerate(zip(rows, heat, strict=True)):
        x = row.index_select(0, runs.index).float().div_(warmth)
        x.index_fill_(0, runs.blanks, BLANK)
        for part, values in zip(by_run, sums_of(x.view(-1, RUN)), strict=True):
            part[number] = values
    return by_run, _merged(by_run, runs)


def _merged(by_run: Tensor, runs: ClassRuns) -> Tensor:
    """Float32 [3, N, C]: log_sum, entropy and best, from those of the runs."""
    best, total, moment = by_run.unbind(0)
    owner, shape = runs.owner.expand(len(best), -1), (len(best), len(runs.starts) - 1)
    top = best.new_full(shape, -torch.inf).scatter_reduce_(1, owner, best, "amax")
    below = best - top[:, runs.owner]
    sums = below.exp() * total
    whole = best.new_zeros(shape).index_add_(1, runs.owner, sums)
    moments = best.new_zeros(shape).index_add_(1, runs.owner, below.exp() * moment + below * sums)
    entropy = torch.where(whole == 0, 0.0, (whole.log() - moments / whole).clamp(min=0.0))
    return torch.stack([top + whole.log(), entropy, top])


def _best_by_torch(sums: ClassSums, classes: Tensor) -> Tensor:
    wanted = classes.flatten()
    top = sums.best.flatten(0, 1).gather(1, wanted[:, None])
    run, found = _runs_of(sums, wanted)
    run = run.gather(1, (found[0] == top).int().argmax(1, keepdim=True))  # [N, 1]
    token, x = _read_runs(sums, run[:, 0])
    return token.gather(1, x.argmax(1, keepdim=True)).view(classes.shape)


def _draws_by_torch(sums: ClassSums, classes: Tensor, uniform: Tensor) -> Tensor:
    wanted = classes.flatten()
    top = sums.best.flatten(0, 1).gather(1, wanted[:, None])
    run, found = _runs_of(sums, wanted)
    place = pick((found[0] - top).exp() * found[1], uniform[..., 0].flatten())
    token, x = _read_runs(sums, run.gather(1, place[:, None])[:, 0])
    near = (x - found[0].gather(1, place[:, None])).exp()
    return token.gather(1, pick(near, uniform[..., 1].flatten())[:, None]).view(classes.shape)


def _runs_of(sums: ClassSums, classes: Tensor) -> tuple[Tensor, Tensor]:
    """The runs of one class in each slot, Int64 [N, r], and what was found of them; BLANK behind the last."""
    low, high = sums.runs.starts[classes].long(), sums.runs.starts[classes + 1].long()
    run = low[:, None] + torch.arange(sums.runs.most)
    there = run < high[:, None]
    run = torch.where(there, run, low[:, None])
    found = sums.by_run.gather(2, run.expand(3, -1, -1)).masked_fill_(~there, BLANK)
    return run, found


def _read_runs(sums: ClassSums, run: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens of one run in each slot, Int64 [N, RUN], and x of each; BLANK behind the last."""
    rows, slots = sums.logits.flatten(0, 1), sums.logits.shape[1]
    token = sums.runs.tokens[run].long()
    heat = sums.temperature.float().repeat_interleave(slots)[:, None]
    x = scaled(rows.gather(1, token.clamp(min=0)), heat)
    return token, x.masked_fill_(token < 0, BLANK)


def _by_triton(logits: Tensor, temperature: Tensor, runs: ClassRuns) -> tuple[Tensor, Tensor]:
    (canvases, slots, size), count, classes = logits.shape, len(runs.tokens), len(runs.starts) - 1
    rows, tiles, heat = canvases * slots, blocks_of(TILE, count), temperature.float().contiguous()
    by_run = torch.empty(3, rows, count, device=logits.device)
    merged = torch.empty(3, rows, classes, device=logits.device)
    with torch.cuda.device_of(logits):
        _run_kernel[blocks_of(ROWS, rows) * tiles,](
            logits.contiguous(), heat, runs.tokens, by_run, slots, size, rows, count, rows * count, tiles,
            TILE, RUN, ROWS,
            num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
        _class_kernel[rows, blocks_of(CLASSES, classes)](
            by_run, runs.starts, merged, count, rows * count, classes, rows * classes, CLASSES, MERGED,
            num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    return by_run, merged


def _best_by_triton(sums: ClassSums, classes: Tensor) -> Tensor:
    return _tokens_by_triton(sums, classes, sums.best, False)  # no random numbers are read


def _draws_by_triton(sums: ClassSums, classes: Tensor, uniform: Tensor) -> Tensor:
    return _tokens_by_triton(sums, classes, uniform.contiguous(), True)


def _tokens_by_triton(sums: ClassSums, classes: Tensor, uniform: Tensor, draw: bool) -> Tensor:
    runs, (canvases, slots, size) = sums.runs, sums.logits.shape
    tokens = torch.empty(canvases, slots, dtype=torch.long, device=sums.logits.device)
    with torch.cuda.device_of(sums.logits):
        _token_kernel[canvases * slots,](
            sums.logits.contiguous(), sums.temperature.float().contiguous(), runs.tokens, runs.starts, sums.by_run,
            classes.contiguous(), uniform, tokens, slots, size, len(runs.tokens), sums.by_run.stride(0),
            power_of_two(runs.most), RUN, draw, num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    return tokens


@jit
def _run_kernel(
    logits, heat, tokens, by_run, slots, size, rows, runs, stride, tiles,
    TILE: tl.constexpr, RUN: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """TILE runs in ROWS slots: the largest x of each run, the sum of e and the sum of e * (x - largest)."""
    program = tl.program_id(0)
    run = program % tiles * TILE + tl.arange(0, TILE)
    there = run < runs
    place = run[:, None] * RUN + tl.arange(0, RUN)[None, :]
    token = tl.load(tokens + place, mask=there[:, None], other=-1)
    first = (program // tiles).to(tl.int64) * ROWS
    for step in range(ROWS):
        row = tl.minimum(first + step, rows - 1)  # the last program may do the last slot again
        x = load_scaled(logits + row * size, token, token >= 0, 1.0 / tl.load(heat + row // slots))
        best = tl.max(x, 1)
        e = tl.exp(x - best[:, None])
        found = by_run + row * runs + run
        tl.store(found, best, mask=there)
        tl.store(found + stride, tl.sum(e, 1), mask=there)
        tl.store(found + 2 * stride, tl.sum(e * (x - best[:, None]), 1), mask=there)


@jit
def _class_kernel(
    by_run, starts, merged, runs, stride, classes, out_stride, CLASSES: tl.constexpr, MERGED: tl.constexpr
):
    """Some classes of one slot: what their runs say together."""
    row = tl.program_id(0).to(tl.int64)
    number = tl.program_id(1) * CLASSES + tl.arange(0, CLASSES)
    low = tl.load(starts + number, mask=number < classes, other=0)
    high = tl.load(starts + number + 1, mask=number < classes, other=0)
    top = tl.full([CLASSES], -1e30, tl.float32)
    total = tl.zeros([CLASSES], tl.float32)
    moment = tl.zeros([CLASSES], tl.float32)
    for step in range(0, tl.max(high - low, 0), MERGED):
        run = low[:, None] + step + tl.arange(0, MERGED)[None, :]
        there = run < high[:, None]
        found = by_run + row * runs + run
        best = tl.load(found, mask=there, other=-1e30)
        higher = tl.maximum(top, tl.max(best, 1))
        fall, below = top - higher, best - higher[:, None]
        sums = tl.exp(below) * tl.load(found + stride, mask=there, other=0.0)
        moments = tl.exp(below) * tl.load(found + 2 * stride, mask=there, other=0.0) + below * sums
        moment = tl.exp(fall) * (moment + fall * total) + tl.sum(moments, 1)
        total = tl.exp(fall) * total + tl.sum(sums, 1)
        top = higher
    empty = high == low
    log_total = tl.log(tl.where(empty, 1.0, total))
    entropy = log_total - moment / tl.where(empty, 1.0, total)
    out = merged + row * classes + number
    tl.store(out, tl.where(empty, -float("inf"), top + log_total), mask=number < classes)
    tl.store(out + out_stride, tl.where(entropy < 0.0, 0.0, entropy), mask=number < classes)
    tl.store(out + 2 * out_stride, tl.where(empty, -float("inf"), top), mask=number < classes)


@jit
def _token_kernel(
    logits, heat, tokens, starts, by_run, wanted, uniform, chosen, slots, size, runs, stride,
    MOST: tl.constexpr, RUN: tl.constexpr, DRAW: tl.constexpr,
):  # fmt: skip
    """One slot: the best token of a class, or a draw from it."""
    row = tl.program_id(0).to(tl.int64)
    label = tl.load(wanted + row)
    low, high = tl.load(starts + label), tl.load(starts + label + 1)
    lane, place = tl.arange(0, MOST), tl.arange(0, RUN)
    there = lane < high - low
    best = tl.load(by_run + row * runs + low + lane, mask=there, other=-1e30)
    if DRAW:
        total = tl.load(by_run + stride + row * runs + low + lane, mask=there, other=0.0)
        run = low + pick_place(tl.exp(best - tl.max(best, 0)) * total, lane, tl.load(uniform + 2 * row))
    else:
        run = tl.minimum(low + first_best(best, lane), high - 1)
    token = tl.load(tokens + run * RUN + place)
    x = load_scaled(logits + row * size, token, token >= 0, 1.0 / tl.load(heat + row // slots))
    if DRAW:
        found = pick_place(tl.exp(x - tl.max(x, 0)), place, tl.load(uniform + 2 * row + 1))
    else:
        found = first_best(x, place)
    # where all are NaN, the place may be behind the last token
    tl.store(chosen + row, tl.maximum(tl.load(tokens + run * RUN + found), 0).to(tl.int64))
