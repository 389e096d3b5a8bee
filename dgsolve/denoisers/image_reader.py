"""Images as patches of pixels, by the image processor that a model has beside its tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from torch import Tensor

from dgsolve.errors import UsageError
from dgsolve.images import Image, require_pillow
from dgsolve.quiet_transformers import quiet_transformers

REMEMBERED = 16  # images: the passes of one batch ask for the same ones


@dataclass(frozen=True)
class Patches:
    """An image: pixels Float [P, D], places Int [P, 2] (column and row of a patch, -1 for none), tokens it takes."""

    pixels: Tensor
    places: Tensor
    tokens: int


class ImageReader:
    """Reads images for one model, by an image processor of Transformers, such as Gemma4ImageProcessor.

    place: the folder or the name on the Hub where it is looked for once there are images.
    """

    def __init__(self, processor: Any = None, place: str | None = None) -> None:
        self._processor, self._place = processor, place
        self.read = lru_cache(REMEMBERED)(self._read)

    def processor(self) -> Any:
        """Raises UsageError where there is none, as beside a vision tower that nobody trained."""
        if self._processor is None and self._place is None:
            hint = "Give from_transformers the model's AutoProcessor in place of its tokenizer."
            raise _blind("the model came without an image processor", hint)
        if self._processor is None:
            self._processor = _beside(str(self._place))
        return self._processor

    def _read(self, image: Image) -> Patches:
        with quiet_transformers():
            made = self.processor()(image.pillow, return_tensors="pt")
        tokens = int(made["num_soft_tokens_per_image"][0])
        return Patches(made["pixel_values"][0], made["image_position_ids"][0], tokens)


def _beside(place: str) -> Any:
    """The image processor in a model's folder; ModelUnavailableError where Pillow is missing."""
    from transformers import AutoImageProcessor
    from transformers.image_processing_base import ImageProcessingMixin

    try:
        with quiet_transformers():
            ImageProcessingMixin.get_image_processor_dict(place)
    except OSError as error:
        hint = "Leave the images out, or load a model with a trained vision tower: google/diffusiongemma-26B-A4B-it."
        why = f"{place} has no image processor (preprocessor_config.json or processor_config.json)"
        raise _blind(why, hint) from error
    require_pillow()
    with quiet_transformers():
        return AutoImageProcessor.from_pretrained(place)


def _blind(why: str, hint: str) -> UsageError:
    """The error for images that are shown to a model which cannot see them."""
    return UsageError(f"{why}, so it reads text alone", hint=hint)
