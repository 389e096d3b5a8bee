"""A random DiffusionGemma with as many tokens as the published one, and a tokenizer in the layout of Gemma's."""

from __future__ import annotations

import string
from functools import cache
from typing import Any

from dgsolve.model import Model

TOKENS, BLOCK = 262_144, 16
SPECIAL = ("<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "<|turn>", "<turn|>")
PAD, END, BEGIN, TURN_END = (SPECIAL.index(name) for name in ("<pad>", "<eos>", "<bos>", "<turn|>"))
RESPONSE = 50  # the third of the ids that end a text in the published configuration
WORDS = ("name", "age", "true", "false", "null", "\u2581the", "\u2581a", "\u00e9t", "\u00fc", "\u6771\u4eac")


@cache
def gemma_tokenizer() -> Any:
    """BPE with byte fallback, as SentencePiece writes it: most of its tokens are unused ones at the end."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers
    from transformers import PreTrainedTokenizerFast

    characters = ("\u2581", "\n", *string.digits, *string.ascii_letters, *string.punctuation, *"".join(WORDS[7:]))
    merges: dict[tuple[str, str], None] = {}
    for word in WORDS:
        for end in range(1, len(word)):
            merges[word[:end], word[end]] = None
    first = [*SPECIAL, *(f"<unused{number}>" for number in range(RESPONSE - len(SPECIAL))), "<|tool_response>"]
    texts = [*(f"<0x{byte:02X}>" for byte in range(256)), *characters, *("".join(pair) for pair in merges)]
    known = dict.fromkeys([*first, *texts])
    tail = (f"<unused{number}>" for number in range(RESPONSE, TOKENS))
    vocabulary = {text: token for token, text in zip(range(TOKENS), (*known, *tail), strict=False)}
    model = models.BPE(vocabulary, list(merges), unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()])
    marked = (*SPECIAL, "<|tool_response>")
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in marked])
    names = {"pad_token": "<pad>", "eos_token": "<eos>", "bos_token": "<bos>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names, clean_up_tokenization_spaces=False)


@cache
def gemma_sized() -> Model:
    """Blocks of 16 slots, ends of text as published: 1, 106 there, here the token that ends a turn, and 50."""
    import torch
    from transformers import DiffusionGemmaForBlockDiffusion

    from dgsolve.loading import from_transformers
    from tests.denoisers.tiny_diffusion_gemma import tiny_model

    config = type(tiny_model().config).from_dict(tiny_model().config.to_dict())
    config.text_config.vocab_size, config.text_config.initializer_range = TOKENS, 0.1
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = DiffusionGemmaForBlockDiffusion._from_config(config, experts_implementation="eager")
    model.generation_config.eos_token_id = [END, TURN_END, RESPONSE]
    return from_transformers(model.float().eval(), gemma_tokenizer())
