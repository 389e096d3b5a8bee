"""What a DiffusionGemma's own configuration says: the sampling it recommends, and whether a pass can be made."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.sampling.settings import Sampling
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_number

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion

SCOUT_STEPS, PATIENCE = 16, 12  # a canvas of it settles in 10 to 20 steps


def recommended(model: DiffusionGemmaForBlockDiffusion) -> Sampling:
    """The settings that a model's generation config recommends, DiffusionGemma's own where it says nothing.

    Raises ModelUnavailableError where it recommends what no sampler can do.
    """
    config = model.generation_config
    usual = type(config)._get_default_generation_params()

    def said(name: str) -> Any:
        value = getattr(config, name, None)
        return usual[name] if value is None else value

    own = Sampling(renoise="rejected", place_draws=True, scout_steps=SCOUT_STEPS, patience=PATIENCE)
    try:
        return replace(
            own,
            max_denoising_steps=said("max_denoising_steps"),
            t_min=said("t_min"),
            t_max=said("t_max"),
            entropy_bound=said("sampler_config").entropy_bound,
            stop_entropy=said("confidence_threshold"),
            stable_steps=said("stability_threshold"),
        )
    except UsageError as error:
        message = f"the generation config of {_place(model)} cannot be followed: {error.message}"
        raise ModelUnavailableError(message, hint="Correct it there, or leave it out.") from error


def require_sound(model: DiffusionGemmaForBlockDiffusion) -> None:
    """Raise ModelUnavailableError for a configuration by which weights can be read, and no pass be made."""
    config: Any = model.config
    text = config.text_config
    for name, value, least, most in (
        ("canvas_length", config.canvas_length, 1, text.max_position_embeddings),
        ("sliding_window", text.sliding_window, 1, math.inf),
        ("top_k_experts", text.top_k_experts, 1, text.num_experts),
        ("final_logit_softcapping", text.final_logit_softcapping, 1e-3, math.inf),
    ):
        if not is_number(value) or not least <= value <= most:
            wanted = f"{least:g} or more" if most == math.inf else f"from {least} to {most}"
            message = f"the configuration of {_place(model)} has {name}={shown(value)}: it must be {wanted}"
            raise ModelUnavailableError(message, hint="Take config.json and the weights from one model.")


def _place(model: DiffusionGemmaForBlockDiffusion) -> str:
    return model.name_or_path or "the model"
