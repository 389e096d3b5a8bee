"""A prompt of text and images as a DiffusionGemma's encoder reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from dgsolve import chat
from dgsolve.denoisers.image_reader import ImageReader
from dgsolve.errors import UsageError
from dgsolve.images import Image
from dgsolve.plural import counted


@dataclass(frozen=True)
class ShownPrompt:
    """Token ids, and the images among them; equal prompts are read once. sizes: how many tokens each image takes."""

    ids: tuple[int, ...]
    images: tuple[Image, ...] = ()
    sizes: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(
        cls, question: chat.Prompt, tokenizer: Any, config: Any, reader: ImageReader, *, thinking: bool
    ) -> ShownPrompt:
        """Of a text or messages.

        Source: Gemma4Processor, which writes begin of image, a token for each of its soft tokens, end of image.
        Raises UsageError for images where the model has no place for them, or cannot read them, and for places without.
        """
        ids, images = chat.encode(tokenizer, question, thinking=thinking), chat.images(question)
        token = config.image_token_id
        if ids.count(token) != len(images):
            made = f"the model's chat template made {counted(ids.count(token), 'place')} for them"
            hint = "Write no image tokens of its own into the text."
            raise UsageError(f"the prompt shows {counted(len(images), 'image')}, and {made}", hint=hint)
        sizes = tuple(reader.read(image).tokens for image in images)
        return cls(tuple(_widened(ids, token, sizes, config)), images, sizes)

    def inputs(self, encoder: Any, config: Any, cache: Any, reader: ImageReader) -> dict[str, Any]:
        """What the encoder takes: ids Int [1, T], the pixels, and masks in which an image may see all of itself.

        Source: `_prepare_encoder_inputs` of generate(): the encoder alone would drop the masks that it makes itself.
        """
        device = encoder.device
        ids = torch.tensor([self.ids], device=device)
        if not self.images:
            return {"input_ids": ids, "cache": cache}
        patches = [reader.read(image) for image in self.images]
        masks = encoder.create_masks_for_generate(
            config=config,
            inputs_embeds=torch.empty(*ids.shape, 0, dtype=encoder.dtype, device=device),
            attention_mask=torch.ones_like(ids, dtype=torch.bool),
            cache=cache,
            position_ids=torch.arange(len(self), device=device)[None],
            mm_token_type_ids=(ids == config.image_token_id).int(),
        )
        return {
            "input_ids": ids,
            "cache": cache,
            "attention_mask": masks,
            "pixel_values": torch.stack([patch.pixels for patch in patches]).to(device),
            "image_position_ids": torch.stack([patch.places for patch in patches]).to(device),
        }


def _widened(ids: Sequence[int], token: int, sizes: Sequence[int], config: Any) -> list[int]:
    """The ids with each image's one token as often as the image is wide, between the tokens that begin and end it."""
    left, wide = iter(sizes), []
    for each in ids:
        wide += [config.boi_token_id, *[token] * next(left), config.eoi_token_id] if each == token else [each]
    return wide
