"""The small DiffusionGemma: of the published classes, every layer routing, loadable, the same for the same seed."""

import pytest
import torch
from transformers import DiffusionGemmaForBlockDiffusion

from dgsolve.errors import UsageError
from dgsolve.train.small_model import SmallModel

TINY = SmallModel.of_width(32, 2)


def test_the_default_has_the_sizes_that_the_card_tells() -> None:
    model = SmallModel().create(0)
    assert sum(weight.numel() for weight in model.parameters()) == 1_732_088
    assert [layer.experts.num_experts for layer in model.model.decoder.layers] == [4] * 6
    assert model.config.text_config.layer_types == ["sliding_attention", "sliding_attention", "full_attention"] * 2


def test_saved_and_loaded_it_says_the_same(tmp_path) -> None:
    model = TINY.create(0).eval()
    model.save_pretrained(tmp_path)
    loaded = DiffusionGemmaForBlockDiffusion.from_pretrained(tmp_path).eval()
    asked = {"input_ids": torch.arange(5)[None], "decoder_input_ids": torch.arange(7)[None]}
    with torch.no_grad():
        torch.testing.assert_close(loaded(**asked).logits, model(**asked).logits)
    settings = loaded.generation_config
    assert settings.eos_token_id == [1, 6] and settings.max_new_tokens == 96
    assert (settings.sampler_config.entropy_bound, settings.stability_threshold) == (0.02, 2)


def test_seeds() -> None:
    first, again, other = (TINY.create(seed).lm_head.weight for seed in (1, 1, 2))
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_a_width_that_does_not_divide_into_heads_is_refused() -> None:
    with pytest.raises(UsageError, match="width of 40 is no multiple of 32") as refused:
        SmallModel.of_width(40, 2)
    assert refused.value.hint == "Try 64."
