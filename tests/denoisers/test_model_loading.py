"""Loading a causal denoiser, and what it cannot read."""

import pytest

from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.errors import ModelUnavailableError, UsageError
from tests.denoisers.tiny_causal import PROMPTS, asked, canvas, run


def test_what_cannot_be_read_is_refused(denoisers, tables, tokenizer):
    from transformers import T5Config, T5ForConditionalGeneration

    denoiser, vocabulary = denoisers[0], denoisers[0].vocabulary(None)
    with pytest.raises(UsageError, match="cannot read a text: it has no prompt"):
        denoiser.start(asked(None), canvas(tables[0], vocabulary))
    with pytest.raises(UsageError, match=r"prompt has 300 tokens and the answer may have 40.* 256 tokens"):
        denoiser.start(asked("z" * 300), canvas(tables[0], vocabulary))
    with pytest.raises(UsageError, match="window=0"):
        CausalDenoiser(denoiser.model, tokenizer, vocabulary, window=0)
    small = T5Config(vocab_size=300, d_model=8, d_ff=8, num_layers=1, num_heads=1, d_kv=8)
    with pytest.raises(UsageError, match="no causal language model"):
        CausalDenoiser.from_transformers(T5ForConditionalGeneration(small), tokenizer)


def test_loads_from_a_folder_and_says_what_is_missing(denoisers, tokenizer, tmp_path, tables):
    denoisers[0].model.save_pretrained(tmp_path / "tiny")
    with pytest.raises(ModelUnavailableError, match=r"tiny has no tokenizer"):
        CausalDenoiser.load(tmp_path / "tiny", device="cpu")
    tokenizer.save_pretrained(tmp_path / "tiny")
    loaded = CausalDenoiser.load(tmp_path / "tiny", device="cpu", window=7)
    assert loaded.weights == tmp_path / "tiny" / "model.safetensors"
    assert run(loaded, PROMPTS[:1], tables[0])[0] == run(denoisers[0], PROMPTS[:1], tables[0])[0]
    with pytest.raises(UsageError, match="no language model called 'smoll'") as unknown:
        CausalDenoiser.load("smoll")
    assert "smollm2" in unknown.value.hint
