"""Which values the parallel canvases suppose."""

from __future__ import annotations

import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.randomness import Stream


def suppose(canvas: Canvas, marginals: Tensor, combination: Tensor, stream: Stream, slots: int) -> Canvas:
    """Lock each canvas on its own supposition about a few undecided slots.

    canvas: B fresh canvases. marginals Float [B, L, V]: what an earlier canvas of the problem believed. combination
    Int [B]: bit k says whether slot k of the supposition takes its second most probable value, so canvases with
    equal streams and 2^slots different combinations cover all of them. Slots are drawn one after the other, in
    proportion to the probability of their second value; one that the suppositions before it decided is passed over.
    """
    rows = torch.arange(len(combination), device=combination.device)
    draws = stream.uniform((slots,))  # [B, slots]
    for k in range(slots):
        domain = canvas.constraint.domain()  # [B, L, V]
        open_slots = (domain.sum(-1) > 1) & ~canvas.locked
        best = marginals.masked_fill(~domain, 0.0).topk(2, dim=-1)
        weight = (best.values[..., 1] + 1e-9) * open_slots
        position = draws[:, k : k + 1] * weight.sum(1, keepdim=True)
        slot = (weight.cumsum(1) < position).sum(1).clamp(max=weight.shape[1] - 1)  # [B]
        value = best.indices[rows, slot, (combination >> k) & 1]
        chosen = torch.zeros_like(canvas.locked)
        chosen[rows, slot] = open_slots[rows, slot]
        canvas = canvas.lock(torch.where(chosen, value[:, None], canvas.tokens), chosen)
    return canvas
