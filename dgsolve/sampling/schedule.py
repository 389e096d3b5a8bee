"""Temperature over the denoising steps."""

from __future__ import annotations

from torch import Tensor


def temperature(step: Tensor, max_denoising_steps: int, t_max: float, t_min: float) -> Tensor:
    """Linear from t_max at step 0 to t_min at the last step: step Int [B] -> Float [B]."""
    progress = step.float() / max(1, max_denoising_steps - 1)
    return t_max + (t_min - t_max) * progress.clamp(max=1.0)
