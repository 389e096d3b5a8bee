"""What the kernels do alike with the logits of a slot: read them, and pick a place in proportion to weights."""

from __future__ import annotations

import torch
from torch import Tensor

from dgsolve.kernels.optional_triton import jit, tl

FLOOR = -1e4  # logits over the temperature lie between FLOOR and -FLOOR: 0 * -inf is NaN
LEAST = -87.0  # exp of less is nothing beside 1, and slow on a CPU, as it leaves float32's normal range
BLANK = -1e30  # the logit of a place without a token: finite, and its exp is 0 beside any token's


def scaled(logits: Tensor, temperature: Tensor) -> Tensor:
    """The logits over the temperature, Float32, within the bounds; temperature broadcasts against the logits."""
    return (logits.float() / temperature).clamp_(FLOOR, -FLOOR)


def bounded(logits: Tensor, temperature: Tensor) -> Tensor:
    """`scaled`, and finite whatever the model gives: what is no number is FLOOR."""
    return scaled(logits, temperature).nan_to_num_(nan=FLOOR)


def sums_of(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of x, Float32 [..., n], which is overwritten: the largest, the sum of e = exp(x - largest), of e * (x - largest).

    x is logits over the temperature as they are: what lies beyond the bounds is bounded first, as `bounded` does.
    """
    best = x.amax(-1)
    # where the largest is well within the bounds no logit needs bounding: those far below it count for nothing
    if not ((best > FLOOR - LEAST) & (best <= -FLOOR)).all():
        x.nan_to_num_(nan=FLOOR)
        best = torch.where(x == BLANK, x, x.clamp(FLOOR, -FLOOR), out=x).amax(-1)
    x.sub_(best.unsqueeze(-1)).clamp_(min=LEAST)
    e = x.exp()
    return best, e.sum(-1), e.mul_(x).sum(-1)


def pick(weights: Tensor, uniform: Tensor) -> tuple[Tensor, Tensor]:
    """Int64 [N], the place in proportion to weights, Float [N, n], on which a number in 0 .. 1 falls, Float [N];
    and how far into it, Float64 [N] in 0 .. 1.

    Places without weight are never picked; the weights of a row must not all be 0.
    """
    weights = weights.double()
    ends = weights.cumsum(1)
    total = ends[:, -1:].contiguous()
    position = uniform.to(ends)[:, None] * total
    place = torch.searchsorted(ends, position, right=True)
    place = torch.minimum(place, torch.searchsorted(ends, total))  # rounding may reach behind the last weight
    width = weights.gather(1, place)
    rest = (position - (ends.gather(1, place) - width)) / width
    return place[:, 0], rest[:, 0].clamp(0.0, 1.0)


def blocks_of(size: int, number: int) -> int:
    """How many blocks of a size hold so many."""
    return -(-number // size)


def power_of_two(number: int) -> int:
    """The least power of two that is not smaller, as Triton's blocks must have."""
    return 1 << (number - 1).bit_length()


@jit
def load_scaled(logits, offsets, mask, cold):
    """`scaled` of the logits at `offsets`, with cold = 1 / temperature; BLANK where the mask is off."""
    x = tl.load(logits + offsets, mask=mask, other=0.0).to(tl.float32) * cold
    x = tl.maximum(x, -1e4, propagate_nan=tl.PropagateNan.ALL)
    x = tl.minimum(x, 1e4, propagate_nan=tl.PropagateNan.ALL)
    return tl.where(mask, x, -1e30)


@jit
def load_bounded(logits, offsets, mask, cold):
    """`bounded` of them, in the same way."""
    x = load_scaled(logits, offsets, mask, cold)
    return tl.where(x == x, x, -1e4)


@jit
def pick_place(weights, places, uniform):
    """`pick` of one row of weights at places 0, 1, ...; the number a Float64."""
    wide = weights.to(tl.float64)
    ends = tl.cumsum(wide, 0)
    position = uniform * tl.max(ends, 0)
    last = tl.max(tl.where(weights > 0, places, 0), 0)
    place = tl.min(tl.where((ends > position) & (weights > 0), places, last), 0)
    width = tl.sum(tl.where(places == place, wide, 0.0), 0)
    rest = (position - (tl.sum(tl.where(places == place, ends, 0.0), 0) - width)) / width
    return place, tl.minimum(tl.maximum(rest, 0.0), 1.0)
