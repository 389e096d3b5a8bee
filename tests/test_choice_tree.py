"""The tree of spellings on a real causal language model, tiny, against adding up all spellings one by one."""

import pytest
import torch

from dgsolve import Choice, Model
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.language.vocabulary import TextVocabulary

PIECES = ["a", "b", "c", "ab", "bc", "abc", '"', '"a', "<end>"]
WORDS = ["abc", "ab", "b", "cab", "bb"]
SLOTS = 8


@pytest.fixture(scope="module")
def model():
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast

    merges = [("a", "b"), ("b", "c"), ("ab", "c"), ('"', "a")]
    raw = Tokenizer(models.BPE({piece: k for k, piece in enumerate(PIECES)}, merges))
    raw.pre_tokenizer, raw.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    raw.add_special_tokens(["<end>"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<end>", pad_token="<end>")
    torch.manual_seed(0)
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 24, "num_hidden_layers": 2}
    ends = {"eos_token_id": 8, "pad_token_id": 8, "bos_token_id": None}
    sizes = {"vocab_size": 9, "hidden_size": 16, "initializer_range": 0.5, "max_position_embeddings": 64}
    config = LlamaConfig(**sizes, **heads, **ends)
    network = AutoModelForCausalLM.from_config(config).eval()
    vocabulary = TextVocabulary((*(piece.encode() for piece in PIECES[:-1]), None), end_ids=(8,), pad_id=8)
    return Model(CausalDenoiser(network, tokenizer, vocabulary))


@torch.inference_mode()
def spellings(model, prompt, texts):
    """The probability of each text under constrained decoding from left to right, by going through all spellings."""
    found = dict.fromkeys(texts, 0.0)
    stack = [((), "", 1.0)]
    while stack:
        tokens, text, mass = stack.pop()
        allowed = [k for k, piece in enumerate(PIECES[:-1]) if any(t.startswith(text + piece) for t in texts)]
        allowed += [8] if text in texts else []
        logits = model.denoiser.model(torch.tensor([[*prompt, *tokens]])).logits[0, -1].double()
        for token, share in zip(allowed, logits[allowed].softmax(-1).tolist(), strict=True):
            if token == 8:
                found[text] += mass * share
            else:
                stack.append(((*tokens, token), text + PIECES[token], mass * share))
    return found


@pytest.mark.parametrize("as_json", [False, True])
def test_all_spellings_of_each_choice(model, as_json):
    texts = [f'"{word}"' for word in WORDS] if as_json else WORDS
    form = {"enum": WORDS} if as_json else Choice(WORDS)
    result = model.run("ab" * 9, form, max_new_tokens=SLOTS, instruct=False)
    prompt = model.denoiser.tokenizer("ab" * 9)["input_ids"]
    expected = spellings(model, prompt, texts)
    assert sum(expected.values()) == pytest.approx(1)
    found = result.distribution[""]
    assert found == pytest.approx(expected, abs=2e-6) and found.rest <= 1e-6
    assert result.confidence[""] <= found[result.text] + found.rest + 1e-6  # it is summed in float32
    assert max(found, key=found.get) == max(expected, key=expected.get)
