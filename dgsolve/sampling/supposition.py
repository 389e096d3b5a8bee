"""Which values the parallel canvases suppose."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.randomness import Stream

POWER = 8  # how strongly slots are preferred whose two most probable values hold all the probability


def open_ended(marginals: Tensor, locked: Tensor) -> Tensor:
    """Int [B]: slots to suppose on top, one for every three that are wholly undecided beyond half of the open ones.

    marginals Float [B, L, V], locked Bool [B, L]. Undecided slots are counted by entropy, log V nats making one. A
    problem with one solution leaves fewer than half; one with very many, as an open grid, leaves most.
    """
    entropy = -(marginals * marginals.clamp(min=1e-12).log()).sum(-1) * ~locked  # [B, L]
    undecided = entropy.sum(1) / math.log(marginals.shape[-1])
    return ((undecided - (~locked).sum(1) / 2) / 3).clamp(min=0).long()


def suppose(canvas: Canvas, marginals: Tensor, turn: Tensor, stream: Stream, slots: Tensor) -> Canvas:
    """Lock each canvas on its own supposition about a few undecided slots.

    canvas: B fresh canvases. marginals Float [B, L, V]: what an earlier canvas of the problem believed. slots Int [B]:
    how many slots each canvas supposes a value for. turn Int [B]: its low bits choose, slot by slot, the most or the
    second most probable value; its high bits choose the slots. So canvases of equal streams whose turns count on cover
    all 2^slots combinations for some slots, then for others. Slots are drawn one after the other, in proportion to
    p_2 (p_1 + p_2)^8: undecided ones, but between two values. What suppositions before it decided is passed over; a
    value that would leave some slot with none is excluded in place of supposed.
    """
    rows = torch.arange(len(turn), device=turn.device)
    most = int(slots.max())
    draws = stream.fork_rows(turn >> slots).uniform((most,))  # [B, most]
    for k in range(most):
        domain = canvas.constraint.domain()  # [B, L, V]
        open_slots = (domain.sum(-1) > 1) & ~canvas.locked & (slots > k)[:, None]
        best = marginals.masked_fill(~domain, -1.0).topk(2, dim=-1)
        weight = (best.values[..., 1] * best.values.sum(-1) ** POWER + 1e-9) * open_slots
        position = draws[:, k : k + 1] * weight.sum(1, keepdim=True)
        slot = (weight.cumsum(1) < position).sum(1).clamp(max=weight.shape[1] - 1)  # [B]
        value = best.indices[rows, slot, (turn >> k) & 1]
        chosen = torch.zeros_like(canvas.locked)
        chosen[rows, slot] = open_slots[rows, slot]
        canvas = _locked_or_excluded(canvas, value[:, None].expand_as(canvas.tokens), chosen)
    return canvas


def _locked_or_excluded(canvas: Canvas, tokens: Tensor, slots: Tensor) -> Canvas:
    """Each canvas locked on `tokens` in `slots`, or without them where the lock leaves some slot no value."""
    locked = canvas.lock(tokens, slots)
    refuted = (canvas.constraint.satisfiable() & ~locked.constraint.satisfiable()).nonzero().flatten()
    if not len(refuted):
        return locked
    without = canvas.constraint.rows(refuted).exclude(tokens[refuted], slots[refuted])
    return locked.put(refuted, replace(canvas.rows(refuted), constraint=without))
