"""Temperature over the steps."""

import pytest
import torch

from dgsolve.sampling.schedule import temperature


def test_linear_from_t_max_to_t_min():
    heat = temperature(torch.tensor([0, 12, 47, 60]), 48, 0.8, 0.4).tolist()
    assert heat == pytest.approx([0.8, 0.8 - 0.4 * 12 / 47, 0.4, 0.4])


def test_one_step_has_t_max():
    assert temperature(torch.tensor([0]), 1, 0.8, 0.4).item() == pytest.approx(0.8)
