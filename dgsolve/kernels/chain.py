"""A chain of automaton states over all slots of a canvas: forward, backward, a joint draw and the mode in one launch.

Slot i has arcs from the states q before it to the states q' behind it, each with a bundle m of weight W_i(m):
    backward   b_i(q)  = sum over the arcs of q of W_i(m) b_{i+1}(q'),   b = 1 behind the last slot
    forward    a_{i+1}(q') = sum over the arcs to q' of a_i(q) W_i(m),   a = 1 for the state that the canvas begins in
    total      Z = b_0;   probability of a bundle  P_i(m) = sum over its arcs of a_i(q) W_i(m) b_{i+1}(q') / Z
    draw       from the first slot on, an arc of the state reached with probability W_i(m) b_{i+1}(q') / b_i(q)
    mode       the same walk along the largest W*_i(m) b*_{i+1}(q'), b* being b with a maximum for the sum
All in logarithms. Messages are Float64, as weights of thousands of nats add up over the slots; exp and log, which are
slow in it, are taken in Float32 of what is left beside the largest term.
One program walks backwards and draws, one walks forwards, one walks backwards with the maximum and follows the mode.
The class sums stay where the logits are, and many canvases cost as much time as one; `GpuPosterior` is the caller. On a
CPU, and for what `small_enough` refuses, `constraints.compiled_chain` does the same.
Source: forward-backward and Viterbi (Rabiner 1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from dgsolve.kernels import optional_triton
from dgsolve.kernels.optional_triton import jit, tl
from dgsolve.kernels.slot_values import pick, power_of_two

if TYPE_CHECKING:
    from dgsolve.constraints.token_lattice import Step

NEVER = -1e300  # the logarithm of 0: finite, as -inf - -inf is NaN, and far below every weight
TILE = 2048  # arcs that a program of the GPU reads at a time
WALK = 128  # arcs of one state that a walk reads at a time
NOWHERE = -1  # the bundle of a slot that the draw or the mode of a canvas without any way cannot fill
SUM, FORWARD, BEST = 0, 1, 2  # the three programs of a canvas; the first index of the messages


@dataclass(frozen=True, eq=False)
class ArcOrder:
    """All arcs of S steps, those of one group side by side; Int32 all.

    Group g of step s has the arcs starts[offsets[s] + g] .. starts[offsets[s] + g + 1]. before, behind [A]: the states
    of each arc, by their places in the slot's step; bundle [A].
    """

    offsets: Tensor
    starts: Tensor
    before: Tensor
    behind: Tensor
    bundle: Tensor

    @classmethod
    def of(cls, steps: Sequence[Step], key: int) -> ArcOrder:
        """Grouped by the state before (key 0), the state behind (1) or the bundle (2)."""
        columns, starts, offsets, done = [], [], [0], 0
        for step in steps:
            before = np.repeat(np.arange(len(step.states)), np.diff(step.starts))
            arcs = np.stack([before, step.target, step.label])
            counts = (len(step.states), len(step.after), len(step.bundle_starts) - 1)[key]
            starts.append(done + np.append(0, np.cumsum(np.bincount(arcs[key], minlength=counts))))
            columns.append(arcs[:, np.argsort(arcs[key], kind="stable")])
            offsets.append(offsets[-1] + counts + 1)
            done += arcs.shape[1]
        joined = [np.array(offsets), np.concatenate(starts), *np.concatenate(columns, axis=1)]
        return cls(*(torch.from_numpy(np.ascontiguousarray(column, dtype=np.int32)) for column in joined))

    def to(self, device: torch.device) -> ArcOrder:
        return ArcOrder(*(getattr(self, field.name).to(device) for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Lattice:
    """What B canvases of L slots can pass; slots may share a step, of which there are S.

    step Int32 [B, L]; place Int32 [B, L + 1]: where a canvas's messages before each slot begin, and behind the last;
    counts Int32 [B, L + 1]: the states there, and `states` all of them; bundles Int32 [S].
    """

    leaving: ArcOrder
    arriving: ArcOrder
    by_bundle: ArcOrder
    step: Tensor
    place: Tensor
    counts: Tensor
    bundles: Tensor
    states: int

    @classmethod
    def of(cls, canvases: Sequence[Sequence[Step]], device: torch.device) -> Lattice:
        """The steps of each canvas, as many for all; a canvas begins in the first state of its first step."""
        number: dict[int, int] = {}
        distinct: list[Step] = []
        for step in (step for steps in canvases for step in steps):
            if id(step) not in number:
                number[id(step)] = len(distinct)
                distinct.append(step)
        chosen = np.array([[number[id(step)] for step in steps] for steps in canvases], np.int32)
        counts = np.array([[*(len(step.states) for step in steps), len(steps[-1].after)] for steps in canvases])
        place = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
        bundles = np.array([len(step.bundle_starts) - 1 for step in distinct])
        leaving, arriving, by_bundle = (ArcOrder.of(distinct, key).to(device) for key in range(3))
        tables = [torch.from_numpy(table.astype(np.int32)).to(device) for table in (chosen, place, counts, bundles)]
        return cls(leaving, arriving, by_bundle, tables[0], tables[1], tables[2], tables[3], int(counts.sum()))


@dataclass(frozen=True, eq=False)
class ChainResult:
    """log_total Float64 [B]; probability Float32 [B, L, M]; draw, mode Int64 [B, L]: bundles.

    Of a canvas that no way fits, log_total is -inf and the others mean nothing.
    """

    log_total: Tensor
    probability: Tensor
    draw: Tensor
    mode: Tensor


def chain(lattice: Lattice, weights: Tensor, best: Tensor, uniform: Tensor) -> ChainResult:
    """Of B canvases at once.

    weights Float [B, L, M]: log W of each bundle of the slot's step; best, the same for the mode: the largest logit of
    the bundle. uniform Float [B, L], between 0 and 1, for the draw.
    """
    by = _by_triton if optional_triton.on_triton(weights) else chain_reference
    return by(lattice, weights, best, uniform)


def chain_reference(lattice: Lattice, weights: Tensor, best: Tensor, uniform: Tensor) -> ChainResult:
    """The same slot by slot in plain torch, in Float64."""
    arcs = [_StepArcs.of(lattice.leaving, step) for step in range(len(lattice.bundles))]
    canvases = zip(
        lattice.step.tolist(), lattice.counts.tolist(), weights.double(), best.double(), uniform, strict=True
    )
    rows = [_canvas([arcs[step] for step in steps], counts, *tensors) for steps, counts, *tensors in canvases]
    totals, probabilities, draws, modes = zip(*rows, strict=True)
    return ChainResult(torch.stack(totals), torch.stack(probabilities), torch.stack(draws), torch.stack(modes))


@dataclass(frozen=True, eq=False)
class _StepArcs:
    """The arcs of one step, those of state q at starts[q] .. starts[q + 1]; sizes Int64 [Q]: how many these are."""

    starts: list[int]
    sizes: Tensor
    before: Tensor
    behind: Tensor
    bundle: Tensor

    @classmethod
    def of(cls, order: ArcOrder, step: int) -> _StepArcs:
        starts = order.starts[int(order.offsets[step]) : int(order.offsets[step + 1])].long()
        arcs = slice(int(starts[0]), int(starts[-1]))
        starts = starts - starts[0]
        return cls(starts.tolist(), starts.diff(), order.before[arcs], order.behind[arcs], order.bundle[arcs])

    def terms(self, weights: Tensor, behind: Tensor) -> Tensor:
        """Of each arc, the weight of its bundle with the message of the state behind it."""
        return weights.index_select(0, self.bundle).add_(behind.index_select(0, self.behind))

    def largest(self, terms: Tensor) -> Tensor:
        """Of each state, NEVER where it has no arc."""
        return torch.segment_reduce(terms, "max", lengths=self.sizes, initial=NEVER, unsafe=True)

    def log_sums(self, terms: Tensor) -> Tensor:
        """Of each state, log of the sum of exp(terms); NEVER where it has no arc."""
        top = self.largest(terms)
        e = (terms - top.index_select(0, self.before)).exp_()
        total = torch.segment_reduce(e, "sum", lengths=self.sizes, unsafe=True)
        return top + torch.where(top < NEVER / 2, 0.0, total.log())


def _canvas(
    arcs: Sequence[_StepArcs], counts: Sequence[int], weights: Tensor, best: Tensor, uniform: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    behind, best_behind = ([weights.new_zeros(counts[-1])] for _ in range(2))  # from the last slot to the first
    for step, row, best_row in zip(reversed(arcs), weights.flip(0), best.flip(0), strict=True):
        behind.append(step.log_sums(step.terms(row, behind[-1])))
        best_behind.append(step.largest(step.terms(best_row, best_behind[-1])))
    behind.reverse()
    best_behind.reverse()
    share, probability = weights.new_ones(1), torch.zeros_like(weights)
    for slot, step in enumerate(arcs):
        taken = step.terms(weights[slot], behind[slot + 1]).sub_(behind[slot].index_select(0, step.before)).exp_()
        taken *= share.index_select(0, step.before)
        probability[slot].index_add_(0, step.bundle, taken)
        share = weights.new_zeros(counts[slot + 1]).index_add_(0, step.behind, taken)
    draw, mode = _walk(arcs, weights, behind, uniform), _walk(arcs, best, best_behind, None)
    total = behind[0][0]
    return torch.where(total < NEVER / 2, -torch.inf, total), probability.float(), draw, mode


def _walk(arcs: Sequence[_StepArcs], weights: Tensor, behind: Sequence[Tensor], uniform: Tensor | None) -> Tensor:
    """The bundle of each slot on a way from the first state: a draw, or the best where there are no random numbers."""
    state, found = 0, []
    for slot, step in enumerate(arcs):
        low, high = step.starts[state], step.starts[state + 1]
        if low == high:
            found.append(NOWHERE)
            state = 0
            continue
        x = weights[slot, step.bundle[low:high]] + behind[slot + 1][step.behind[low:high]]
        if uniform is None:
            edge = low + int(x.argmax())
        else:
            edge = low + int(pick((x - x.max()).exp()[None], uniform[slot : slot + 1])[0])
        found.append(int(step.bundle[edge]))
        state = int(step.behind[edge])
    return torch.tensor(found, device=weights.device)


def _by_triton(lattice: Lattice, weights: Tensor, best: Tensor, uniform: Tensor) -> ChainResult:
    (canvases, slots, most), device = weights.shape, weights.device
    weights, best = weights.contiguous(), best.contiguous()
    states = lattice.states
    messages = torch.empty(3, states, dtype=torch.float64, device=device)
    chosen = torch.empty(2, canvases, slots, dtype=torch.long, device=device)
    probability = torch.zeros(canvases, slots, most, device=device)
    out, into, by = lattice.leaving, lattice.arriving, lattice.by_bundle
    width = min(64, max(4, power_of_two(len(out.before) // len(out.starts) + 1)))
    with torch.cuda.device_of(weights):
        _chain_kernel[canvases, 3](
            lattice.step, lattice.place, lattice.counts, weights, best, uniform.contiguous(), messages, chosen,
            out.offsets, out.starts, out.behind, out.bundle, into.offsets, into.starts, into.before, into.bundle,
            slots, most, states, canvases * slots, TILE // width, width, WALK, num_warps=8, enable_fp_fusion=True,
        )  # fmt: skip
        _bundle_kernel[canvases, slots](
            lattice.step, lattice.place, lattice.bundles, weights, messages, probability,
            by.offsets, by.starts, by.before, by.behind,
            slots, most, states, TILE // width, width, num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip
    total = messages[SUM, lattice.place[:, 0].long()]
    return ChainResult(torch.where(total < NEVER / 2, -torch.inf, total), probability, chosen[0], chosen[1])


@jit
def _little(x):
    """exp of a Float64 that is at most about 0, in Float32."""
    return tl.exp(tl.maximum(x, -200.0).to(tl.float32))


@jit
def _spread(starts, other, bundle, weights, given, found, groups, best, GROUPS: tl.constexpr, ARCS: tl.constexpr):
    """Of each group of arcs, log of the sum of exp(weight + message of the other state), or the largest of them."""
    for first in range(0, groups, GROUPS):
        group = first + tl.arange(0, GROUPS)
        low = tl.load(starts + group, mask=group < groups, other=0)
        high = tl.load(starts + group + 1, mask=group < groups, other=0)
        top = tl.full([GROUPS], -1e300, tl.float64)
        total = tl.zeros([GROUPS], tl.float32)
        for step in range(0, tl.max(high - low, 0), ARCS):
            arc = low[:, None] + step + tl.arange(0, ARCS)[None, :]
            there = arc < high[:, None]
            weight = tl.load(weights + tl.load(bundle + arc, mask=there, other=0), mask=there, other=0.0)
            x = tl.load(given + tl.load(other + arc, mask=there, other=0), mask=there, other=-1e300) + weight
            higher = tl.maximum(top, tl.max(x, 1))
            total = total * _little(top - higher) + tl.sum(_little(x - higher[:, None]), 1)
            top = higher
        none = (top < -1e299) | best
        tl.store(found + group, top + tl.log(tl.where(none, 1.0, total)), mask=group < groups)


@jit
def _drawn_arc(low, high, behind, bundle, weights, after, whole, number, WALK: tl.constexpr):
    """The arc of low .. high on which a number in 0 .. 1 falls, in proportion to its weight and what follows."""
    found, last, done = high, low, 0.0
    for first in range(low, high, WALK):
        arc = first + tl.arange(0, WALK)
        there = arc < high
        weight = tl.load(weights + tl.load(bundle + arc, mask=there, other=0), mask=there, other=0.0)
        x = tl.load(after + tl.load(behind + arc, mask=there, other=0), mask=there, other=-1e300) + weight
        p = tl.where(x < -1e299, 0.0, _little(x - whole))
        ends = done + tl.cumsum(p, 0)
        found = tl.minimum(found, tl.min(tl.where((ends > number) & (p > 0), arc, high), 0))
        last = tl.maximum(last, tl.max(tl.where(p > 0, arc, low), 0))
        done += tl.sum(p, 0)
    return tl.where(found < high, found, last)


@jit
def _best_arc(low, high, behind, bundle, weights, after, whole, WALK: tl.constexpr):
    """The first arc of low .. high on the best way, whose weight is `whole`."""
    found = high
    for first in range(low, high, WALK):
        arc = first + tl.arange(0, WALK)
        there = arc < high
        weight = tl.load(weights + tl.load(bundle + arc, mask=there, other=0), mask=there, other=0.0)
        x = tl.load(after + tl.load(behind + arc, mask=there, other=0), mask=there, other=-1e300) + weight
        found = tl.minimum(found, tl.min(tl.where(there & (x == whole), arc, high), 0))
    return tl.minimum(found, high - 1)


@jit
def _chain_kernel(
    steps, places, counts, weights, best, uniform, messages, chosen,
    out_offsets, out_starts, out_behind, out_bundle, in_offsets, in_starts, in_before, in_bundle,
    slots, most, states, stride, GROUPS: tl.constexpr, ARCS: tl.constexpr, WALK: tl.constexpr,
):  # fmt: skip
    """One canvas, one of the three: back and a draw, forth, or back by the maximum and the mode."""
    canvas, task = tl.program_id(0).to(tl.int64), tl.program_id(1)
    steps += canvas * slots
    places += canvas * (slots + 1)
    counts += canvas * (slots + 1)
    messages += task.to(tl.int64) * states
    weights += canvas * slots * most
    if task == 1:
        _begin(messages + tl.load(places), tl.load(counts), -1e300, GROUPS)
        for slot in range(slots):
            step = tl.load(steps + slot)
            before, after = messages + tl.load(places + slot), messages + tl.load(places + slot + 1)
            starts = in_starts + tl.load(in_offsets + step)
            groups = tl.load(counts + slot + 1)
            _spread(starts, in_before, in_bundle, weights + slot * most, before, after, groups, False, GROUPS, ARCS)
            tl.debug_barrier()
    else:
        if task == 2:
            weights = best + canvas * slots * most
        _begin(messages + tl.load(places + slots), tl.load(counts + slots), 0.0, GROUPS)
        for back in range(slots):
            slot = slots - 1 - back
            step = tl.load(steps + slot)
            before, after = messages + tl.load(places + slot), messages + tl.load(places + slot + 1)
            starts = out_starts + tl.load(out_offsets + step)
            groups = tl.load(counts + slot)
            _spread(
                starts, out_behind, out_bundle, weights + slot * most, after, before, groups, task == 2, GROUPS, ARCS
            )
            tl.debug_barrier()
        state = 0
        for slot in range(slots):
            starts = out_starts + tl.load(out_offsets + tl.load(steps + slot)) + state
            low, high = tl.load(starts), tl.load(starts + 1)
            whole = tl.load(messages + tl.load(places + slot) + state)
            after = messages + tl.load(places + slot + 1)
            if task == 2:
                arc = _best_arc(low, high, out_behind, out_bundle, weights + slot * most, after, whole, WALK)
            else:
                number = tl.load(uniform + canvas * slots + slot)
                arc = _drawn_arc(low, high, out_behind, out_bundle, weights + slot * most, after, whole, number, WALK)
            taken = tl.load(out_bundle + arc, mask=low < high, other=-1)
            tl.store(chosen + (task // 2) * stride + canvas * slots + slot, taken.to(tl.int64))
            state = tl.load(out_behind + arc, mask=low < high, other=0)


@jit
def _begin(messages, count, others, GROUPS: tl.constexpr):
    """0 for the first state, and `others` for all others."""
    for first in range(0, count, GROUPS):
        state = first + tl.arange(0, GROUPS)
        tl.store(messages + state, tl.where(state == 0, 0.0, others).to(tl.float64), mask=state < count)
    tl.debug_barrier()


@jit
def _bundle_kernel(
    steps, places, bundles, weights, messages, probability, offsets, starts, before, behind,
    slots, most, states, GROUPS: tl.constexpr, ARCS: tl.constexpr,
):  # fmt: skip
    """One slot: the probability of each of its bundles."""
    canvas, slot = tl.program_id(0).to(tl.int64), tl.program_id(1)
    step = tl.load(steps + canvas * slots + slot)
    place = places + canvas * (slots + 1)
    total = tl.load(messages + tl.load(place))
    forth = messages + states + tl.load(place + slot)
    back = messages + tl.load(place + slot + 1)
    starts += tl.load(offsets + step)
    row = (canvas * slots + slot) * most
    count = tl.load(bundles + step)
    for first in range(0, count, GROUPS):
        group = first + tl.arange(0, GROUPS)
        low = tl.load(starts + group, mask=group < count, other=0)
        high = tl.load(starts + group + 1, mask=group < count, other=0)
        weight = tl.load(weights + row + group, mask=group < count, other=0.0) - total
        found = tl.zeros([GROUPS], tl.float32)
        for number in range(0, tl.max(high - low, 0), ARCS):
            arc = low[:, None] + number + tl.arange(0, ARCS)[None, :]
            there = arc < high[:, None]
            x = tl.load(forth + tl.load(before + arc, mask=there, other=0), mask=there, other=-1e300)
            x += tl.load(back + tl.load(behind + arc, mask=there, other=0), mask=there, other=0.0) + weight[:, None]
            found += tl.sum(tl.where(x < -150.0, 0.0, _little(x)), 1)
        tl.store(probability + row + group, found, mask=group < count)
