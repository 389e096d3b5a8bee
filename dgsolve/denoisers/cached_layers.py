"""Keys and values that a model computed, layer by layer, as Transformers' models want to find them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch import Tensor

if TYPE_CHECKING:
    from transformers import DynamicCache


@dataclass(frozen=True)
class CachedLayers:
    """keys and values, a tensor [B, heads, T, width] a layer each. Nothing is changed in place."""

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]

    def to_transformers(self) -> DynamicCache:
        """As Transformers' models want it, every layer as long as it is: attention masks say what a window hides."""
        from transformers import DynamicCache

        cache = DynamicCache()
        for number, (keys, values) in enumerate(zip(self.keys, self.values, strict=True)):
            cache.update(keys[:, :, :0], values[:, :, :0], number)  # makes the layer without a copy of all
            layer: Any = cache.layers[number]
            layer.keys, layer.values = keys, values
        return cache
