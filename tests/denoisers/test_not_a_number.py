"""Models whose weights are damaged: the constraint would make an answer of nothing."""

import copy

import pytest
import torch

from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.errors import ModelUnavailableError
from dgsolve.model import Model
from tests.denoisers.tiny_causal import byte_level, network
from tests.denoisers.tiny_diffusion_gemma import tiny_denoiser


def diffusion():
    denoiser = copy.deepcopy(tiny_denoiser())
    return denoiser, denoiser.model.model.decoder.layers[0].input_layernorm.weight


def causal():
    model = network(0)
    return CausalDenoiser.from_transformers(model, byte_level(300, "a")), model.model.layers[0].input_layernorm.weight


@pytest.mark.parametrize("made", [diffusion, causal])
@pytest.mark.parametrize("damage", [torch.nan, torch.inf])
def test_a_model_that_says_no_numbers_is_told(made, damage):
    denoiser, weight = made()
    generator = Model(denoiser).generator({"enum": [1, 2]}, instruct=False, max_new_tokens=4)
    assert generator("1 2") in (1, 2)
    with torch.no_grad():
        weight[0] = damage
    with pytest.raises(ModelUnavailableError, match=r"is not a number \(nan\)") as caught:
        generator("1 2")
    assert "dtype=" in caught.value.hint
