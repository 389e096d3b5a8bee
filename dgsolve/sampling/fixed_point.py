"""Fixed-point acceptance for causal denoisers, and the noise that makes a greedy choice a draw."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from dgsolve.randomness import Stream

KEPT_SLOTS = 128  # whose noise stays in memory: two windows of the widest


def accept(draft: Tensor, fed: Tensor) -> Tensor:
    """Int [B]: how many leading slots of a window are settled after a pass; at least one, at most W.

    draft Int [B, W]: the choice in every slot, given the logits of a pass over `fed`, Int [B, W]. Row i of a causal
    model's logits is right where the i tokens before it are: so the prefix on which draft and fed agree is settled,
    and the first draft token that differs too, since what came before it was right.
    Source: Song et al. 2021, parallel feedforward computation as Jacobi iteration; Santilli et al. 2023 for decoding.
    """
    agree = (draft == fed).long().cumprod(1).sum(1)
    return (agree + 1).clamp(max=draft.shape[1])


def noise(seeds: Tensor, first: Tensor, shape: tuple[int, int], temperature: float) -> Tensor:
    """Float32 [B, W, V]: noise to add to the logits of the W slots from `first` on; `shape` is (W, V).

    seeds, first Int [B]. argmax(logits + temperature * Gumbel) is a draw from softmax(logits / temperature), so a
    greedy walk over noisy logits samples. It depends on (seed, slot, token) alone, not on the pass, so it has a fixed
    point: the text that sampling from left to right with the same noise writes.
    """
    width, size = shape
    rows = [
        torch.stack([_gumbel(seed, slot, size) for slot in range(start, start + width)])
        for seed, start in zip(seeds.tolist(), first.tolist(), strict=True)
    ]
    return torch.stack(rows).mul_(temperature).to(seeds.device)


@lru_cache(maxsize=KEPT_SLOTS)
def _gumbel(seed: int, slot: int, size: int) -> Tensor:
    """[V]: -log(-log u), drawn once while the window passes over the slot."""
    uniform = Stream(torch.tensor([seed])).fork(slot).uniform((size,))[0]
    return uniform.log().neg().log().neg()
