"""When a canvas has settled."""

from __future__ import annotations

from torch import Tensor


def stable_and_confident(mean_entropy: Tensor, stable_for: Tensor, stop_entropy: float, stable_steps: int) -> Tensor:
    """Bool [B]: mean entropy (nats, [B]) below `stop_entropy` and the mode unchanged for `stable_steps` steps.

    Source: StableAndConfidentStoppingCriteria of DiffusionGemma in Transformers.
    """
    return (mean_entropy < stop_entropy) & (stable_for >= stable_steps)


def confident(probability: Tensor, locked: Tensor, threshold: float) -> Tensor:
    """Bool [B]: every open slot's value has at least this probability; probability Float [B, L], locked Bool [B, L]."""
    return ((probability >= threshold) | locked).all(1)
