"""The sampling that a DiffusionGemma's own generation config recommends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dgsolve.sampling.settings import Sampling

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion

SCOUT_STEPS, PATIENCE = 16, 12  # a canvas of it settles in 10 to 20 steps


def recommended(model: DiffusionGemmaForBlockDiffusion) -> Sampling:
    """The settings that a model's generation config recommends, DiffusionGemma's own where it says nothing."""
    config = model.generation_config
    usual = type(config)._get_default_generation_params()

    def said(name: str) -> Any:
        value = getattr(config, name, None)
        return usual[name] if value is None else value

    return Sampling(
        max_denoising_steps=said("max_denoising_steps"),
        t_min=said("t_min"),
        t_max=said("t_max"),
        entropy_bound=said("sampler_config").entropy_bound,
        stop_entropy=said("confidence_threshold"),
        stable_steps=said("stability_threshold"),
        renoise="rejected",
        place_draws=True,
        scout_steps=SCOUT_STEPS,
        patience=PATIENCE,
    )
