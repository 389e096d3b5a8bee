"""Temperature over the denoising steps."""

from __future__ import annotations

from torch import Tensor


def temperature(step: Tensor, max_denoising_steps: int, t_max: float, t_min: float) -> Tensor:
    """t_min + (t_max - t_min) * n / N with n of N steps left, this one included: step Int [B] -> Float [B].

    So it is t_max at step 0, and one step above t_min at the last.
    Source: LinearTemperatureScheduleLogitsProcessor of DiffusionGemma in Transformers.
    """
    left = (max_denoising_steps - step).clamp(min=1)
    return t_min + (t_max - t_min) * (left / max_denoising_steps)
