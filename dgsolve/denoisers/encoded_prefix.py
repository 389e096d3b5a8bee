"""What DiffusionGemma's encoder read before the canvas: keys and values of each row, newest in the last column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.denoisers.cached_layers import CachedLayers

if TYPE_CHECKING:
    from transformers import DynamicCache


@dataclass(frozen=True)
class EncodedPrefix(CachedLayers):
    """lengths Int [B]: how many tokens each row has read.

    windows: how many of the newest tokens a layer keeps, None for all; T of a layer is what its longest row keeps, and
    shorter rows begin in a later column. Nothing is changed in place, so an older state stays usable.
    """

    lengths: Tensor
    windows: tuple[int | None, ...]

    @classmethod
    def empty(cls, rows: int, windows: tuple[int | None, ...]) -> EncodedPrefix:
        """Of `rows` rows that have read nothing."""
        return cls((), (), torch.zeros(rows, dtype=torch.long), windows)

    @classmethod
    def from_transformers(cls, cache: DynamicCache, lengths: Tensor, windows: tuple[int | None, ...]) -> EncodedPrefix:
        """What a pass of the encoder left behind, of rows that have read `lengths`, Int [B], tokens by now."""
        layers: list[Any] = cache.layers
        keys, values = (tuple(getattr(layer, part) for layer in layers) for part in ("keys", "values"))
        return cls(keys, values, lengths, windows)._cropped()

    def columns(self, window: int | None) -> int:
        """How many columns layers of this window have."""
        longest = max(self.lengths.tolist(), default=0)
        return longest if window is None else min(longest, window)

    def places(self, window: int | None) -> Tensor:
        """Int [B, T]: which token of the row each column of such layers holds; below 0 where there is none."""
        columns = self.columns(window)
        return self.lengths[:, None] - columns + torch.arange(columns)

    def rows(self, index: Tensor) -> EncodedPrefix:
        """Of the rows at `index`, Int [b]."""
        return self._map(lambda tensor: tensor[index.to(tensor.device)], self.lengths[index])._cropped()

    def append(self, other: EncodedPrefix) -> EncodedPrefix:
        """With the rows of `other` after these."""
        lengths = torch.cat([self.lengths, other.lengths])
        if not (self.keys and other.keys):  # a side that has read nothing takes the layers of the other
            known = self if self.keys else other
            before, after = (0, len(other.lengths)) if self.keys else (len(self.lengths), 0)
            pads = (0, 0, 0, 0, 0, 0, before, after)
            return known._map(lambda tensor: F.pad(tensor, pads), lengths)
        both = zip((self.keys, self.values), (other.keys, other.values), strict=True)
        keys, values = (tuple(map(_stacked, mine, theirs)) for mine, theirs in both)
        return EncodedPrefix(keys, values, lengths, self.windows)

    def put(self, index: Tensor, other: EncodedPrefix) -> EncodedPrefix:
        """With the rows at `index`, Int [b], taken from `other`."""
        rows = len(self.lengths)
        order = torch.arange(rows).index_copy(0, index, torch.arange(len(index)) + rows)
        return self.append(other).rows(order)

    def _cropped(self) -> EncodedPrefix:
        """Without columns that no row keeps."""
        kept = [self.columns(window) for window in self.windows]
        keys, values = (_newest(part, kept) for part in (self.keys, self.values))
        return EncodedPrefix(keys, values, self.lengths, self.windows)

    def _map(self, changed: Callable[[Tensor], Tensor], lengths: Tensor) -> EncodedPrefix:
        return EncodedPrefix(tuple(map(changed, self.keys)), tuple(map(changed, self.values)), lengths, self.windows)


def _newest(layers: Sequence[Tensor], kept: Sequence[int]) -> tuple[Tensor, ...]:
    both = zip(layers, kept, strict=False)  # no layers at all where nothing has been read
    return tuple(tensor[:, :, tensor.shape[2] - columns :] for tensor, columns in both)


def _stacked(mine: Tensor, theirs: Tensor) -> Tensor:
    """Rows of both, new columns in front of the shorter ones."""
    columns = max(mine.shape[2], theirs.shape[2])
    wide = [F.pad(tensor, (0, 0, columns - tensor.shape[2], 0)) for tensor in (mine, theirs)]
    return torch.cat(wide)
