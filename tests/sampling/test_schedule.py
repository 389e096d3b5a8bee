"""Temperature over the steps."""

import pytest
import torch

from dgsolve.sampling.schedule import temperature


def test_linear_from_t_max_to_a_step_above_t_min_as_in_transformers():
    from transformers.models.diffusion_gemma.generation_diffusion_gemma import LinearTemperatureScheduleLogitsProcessor

    heat = temperature(torch.tensor([0, 12, 47, 60]), 48, 0.8, 0.4).tolist()
    assert heat == pytest.approx([0.8, 0.7, 0.4 + 0.4 / 48, 0.4 + 0.4 / 48])
    theirs = LinearTemperatureScheduleLogitsProcessor(0.4, 0.8, 48)
    left = [48, 36, 1]  # they count the steps that are left
    assert heat[:3] == pytest.approx([1 / float(theirs(None, torch.tensor(1.0), n)) for n in left])


def test_one_step_has_t_max():
    assert temperature(torch.tensor([0]), 1, 0.8, 0.4).item() == pytest.approx(0.8)
