"""Keys and values that a causal model computed for each row, cropped row by row to what is still right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.denoisers.cached_layers import CachedLayers

if TYPE_CHECKING:
    from transformers import DynamicCache


@dataclass(frozen=True)
class KeyValues(CachedLayers):
    """present Bool [B, T]: the columns a row knows.

    Rows hold different numbers of columns, in the order of their text and with gaps wherever; a causal model does not
    mind gaps that its attention mask leaves out. Nothing is changed in place, so an older state stays usable.
    """

    present: Tensor

    @classmethod
    def empty(cls, rows: int, device: torch.device) -> KeyValues:
        """Of `rows` rows that know nothing."""
        return cls((), (), torch.zeros(rows, 0, dtype=torch.bool, device=device))

    @property
    def lengths(self) -> Tensor:
        """Int [B]: how many tokens of each row are known."""
        return self.present.sum(1)

    def crop(self, lengths: Tensor) -> KeyValues:
        """Only the first `lengths`, Int [B], tokens of each row, moved together so that all rows end in one column."""
        longest = int(lengths.max())
        if bool(self.present[:, :longest].all()) and bool((lengths == longest).all()):
            return self._map(lambda tensor: tensor[:, :, :longest], self.present[:, :longest])
        known = self.present & (self.present.cumsum(1) <= lengths[:, None])
        columns = known.long().argsort(dim=1, stable=True)[:, known.shape[1] - longest :]  # [B, longest]
        return self._map(lambda tensor: _gather(tensor, columns), known.gather(1, columns))

    def rows(self, index: Tensor) -> KeyValues:
        """Of the rows at `index`, Int [b]."""
        return self._map(lambda tensor: tensor[index], self.present[index])

    def put(self, index: Tensor, other: KeyValues) -> KeyValues:
        """With the rows at `index`, Int [b], taken from `other`."""
        mine, theirs = self._alike(other)
        return mine._join(theirs, lambda a, b: a.index_copy(0, index.to(a.device), b))

    def append(self, other: KeyValues) -> KeyValues:
        """With the rows of `other` after these."""
        mine, theirs = self._alike(other)
        return mine._join(theirs, lambda a, b: torch.cat([a, b]))

    @classmethod
    def from_transformers(cls, cache: DynamicCache, present: Tensor) -> KeyValues:
        """What a pass left behind; `present`, Bool [B, T], says which columns are tokens."""
        layers: list[Any] = cache.layers
        return cls(tuple(layer.keys for layer in layers), tuple(layer.values for layer in layers), present)

    def _alike(self, other: KeyValues) -> tuple[KeyValues, KeyValues]:
        columns = max(self.present.shape[1], other.present.shape[1])
        return self._padded(columns, other), other._padded(columns, self)

    def _padded(self, columns: int, other: KeyValues) -> KeyValues:
        """With `columns` columns, new ones in front; a row that knows nothing yet takes the layers of `other`."""
        rows, known = self.present.shape
        mine = self
        if not self.keys:
            mine = other._map(lambda layer: layer.new_zeros(rows, layer.shape[1], known, layer.shape[3]), self.present)
        extra = columns - known
        return mine._map(lambda tensor: F.pad(tensor, (0, 0, extra, 0)), F.pad(self.present, (extra, 0)))

    def _join(self, other: KeyValues, joined: Callable[[Tensor, Tensor], Tensor]) -> KeyValues:
        pairs = (zip(self.keys, other.keys, strict=True), zip(self.values, other.values, strict=True))
        keys, values = (tuple(joined(mine, theirs) for mine, theirs in pair) for pair in pairs)
        return KeyValues(keys, values, joined(self.present, other.present))

    def _map(self, changed: Callable[[Tensor], Tensor], present: Tensor) -> KeyValues:
        return KeyValues(tuple(map(changed, self.keys)), tuple(map(changed, self.values)), present)


def _gather(tensor: Tensor, columns: Tensor) -> Tensor:
    """tensor [B, heads, T, width] at `columns`, Int [B, t]."""
    index = columns[:, None, :, None].expand(-1, tensor.shape[1], -1, tensor.shape[3])
    return tensor.gather(2, index)
