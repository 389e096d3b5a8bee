"""The compiled norm beside Transformers' own."""

import pytest
import torch
from transformers.models.diffusion_gemma.modeling_diffusion_gemma import DiffusionGemmaRMSNorm

from dgsolve.train.fast_norm import FastNorm, use_fast_norms
from dgsolve.train.small_model import SmallModel


@pytest.mark.parametrize("shape", [(3, 5, 7), (2, 3, 4, 33), (1, 128)])
@pytest.mark.parametrize("weighted", [True, False])
def test_it_equals_the_norm_it_stands_for_forward_and_backward(shape: tuple[int, ...], weighted: bool) -> None:
    slow = DiffusionGemmaRMSNorm(shape[-1], with_scale=weighted)
    if weighted:
        torch.nn.init.normal_(slow.weight)
    fast = FastNorm(slow)
    x = torch.randn(shape) * 3
    grad = torch.randn(shape)
    found = []
    for norm in (slow, fast):
        slow.zero_grad()
        entry = x.clone().requires_grad_()
        out = norm(entry)
        out.backward(grad)
        found.append((out.detach(), entry.grad, slow.weight.grad if weighted else torch.zeros(())))
    for expected, got in zip(*found, strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)


def test_a_model_keeps_its_weights_and_its_logits() -> None:
    model = SmallModel.of_width(32, 2).create(0)
    names = list(model.state_dict())
    asked = {"input_ids": torch.arange(5)[None], "decoder_input_ids": torch.arange(7)[None]}
    with torch.no_grad():
        before = model(**asked).logits
        use_fast_norms(model)
        torch.testing.assert_close(model(**asked).logits, before, rtol=1e-4, atol=1e-5)
    assert list(model.state_dict()) == names
    assert not any(isinstance(module, DiffusionGemmaRMSNorm) for module in model.modules())
