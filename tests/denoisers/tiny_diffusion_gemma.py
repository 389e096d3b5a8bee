"""Small random models of DiffusionGemma's own classes: every layer routes, window and full attention take turns."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.language.vocabulary import TextVocabulary

SIZE, BLOCK = 300, 16
WINDOW = 9  # shorter than prompt and block together, so that layers forget
BEGIN_IMAGE, END_IMAGE, IMAGE = SIZE - 3, SIZE - 2, SIZE - 1


@cache
def tiny_model(spread: float = 0.02, seed: int = 0, attention: str = "sdpa", *, sees: bool = False) -> Any:
    """A model in float64 whose weights vary by `spread`: 0.02 makes nearly uniform proposals, 0.2 sharp ones.

    sees: with a vision tower of two layers whose weights vary as well, images seen in both directions as published.
    """
    from transformers import DiffusionGemmaConfig, DiffusionGemmaForBlockDiffusion, Gemma4VisionConfig

    text = {
        "vocab_size": SIZE,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "global_head_dim": 8,
        "max_position_embeddings": 512,
        "sliding_window": WINDOW,
        "num_experts": 4,
        "top_k_experts": 2,
        "moe_intermediate_size": 16,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention"],
        "initializer_range": spread,
        "use_bidirectional_attention": "vision" if sees else None,
    }
    vision = Gemma4VisionConfig(
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=2 if sees else 1,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=8,
        position_embedding_size=256,
        initializer_range=spread,
    )
    config = DiffusionGemmaConfig(
        text_config=text,
        vision_config=vision.to_dict(),
        canvas_length=BLOCK,
        initializer_range=spread,
        boi_token_id=BEGIN_IMAGE,
        eoi_token_id=END_IMAGE,
        image_token_id=IMAGE,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        kinds = {"experts_implementation": "eager", "attn_implementation": attention}
        model = DiffusionGemmaForBlockDiffusion._from_config(config, **kinds)
    for module in model.modules():
        if type(module).__name__ == "DiffusionGemmaTextRotaryEmbedding":
            module.forward = partial(_rotation, module)
    return model.double().eval()


def _rotation(module: Any, x: Tensor, position_ids: Tensor, layer_type: str) -> tuple[Tensor, Tensor]:
    """Cosines and sines in float64: in float32 they are rounded otherwise at other positions, and that grows."""
    angle = position_ids[..., None].double() * getattr(module, f"{layer_type}_inv_freq").double()
    angle = torch.cat((angle, angle), dim=-1)
    return angle.cos().to(x), angle.sin().to(x)


class Numbers:
    """A tokenizer without a template whose texts are token numbers, "17 4 250"."""

    chat_template = None

    def __call__(self, text: str) -> dict[str, list[int]]:
        return {"input_ids": [int(number) for number in text.split()]}

    def convert_tokens_to_ids(self, token: str) -> None:
        return None


def tiny_vocabulary() -> TextVocabulary:
    """Tokens 0 to 2 are padding, end of turn and beginning; bytes, and two-letter words after them."""
    words = [f"{a}{b}".encode() for a in "abcdefg" for b in "tuvwxyz"][: SIZE - 259]
    pieces = [None, None, None, *(bytes([byte]) for byte in range(256)), *words]
    return TextVocabulary(tuple(pieces), end_ids=(1,), pad_id=0)


class ShownNumbers(Numbers):
    """With a template that writes one token where an image stands, and nothing around texts."""

    chat_template = "images and numbers"

    def apply_chat_template(self, messages: list[dict[str, Any]], **_: Any) -> dict[str, list[int]]:
        ids: list[int] = []
        for message in messages:
            content = message["content"]
            for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                ids += [IMAGE] if part["type"] == "image" else self(part["text"])["input_ids"]
        return {"input_ids": ids}


def tiny_denoiser(spread: float = 0.02) -> DiffusionGemmaDenoiser:
    return DiffusionGemmaDenoiser(tiny_model(spread), Numbers(), tiny_vocabulary())
