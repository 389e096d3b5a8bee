"""Entropy-bounded acceptance."""

from __future__ import annotations

import torch
from torch import Tensor


def accept(entropy: Tensor, locked: Tensor, bound: float) -> Tensor:
    """Bool [B, L]: accept the surest slots while the entropy of those before them stays within `bound`.

    entropy Float [B, L] in nats, locked Bool [B, L]; locked slots count as accepted and cost nothing. With slots sorted
    by entropy h_1 <= h_2 <= ..., slot k is accepted when h_1 + ... + h_(k-1) <= bound, so the surest one always is. Of
    equal entropies the earlier slot counts first, so that every machine accepts the same ones.
    Source: Ben-Hamu et al. 2025, entropy-bounded unmasking, as in DiffusionGemma's EntropyBoundSampler.
    """
    order = torch.where(locked, -1.0, entropy).argsort(dim=1, stable=True)  # [B, L]
    sorted_entropy = entropy.masked_fill(locked, 0.0).gather(1, order)
    before = sorted_entropy.cumsum(1) - sorted_entropy
    return torch.zeros_like(locked).scatter(1, order, before <= bound) | locked
