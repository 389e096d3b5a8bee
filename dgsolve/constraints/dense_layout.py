"""The largest token classes, which are read where they lie: chunk by chunk through the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

COLUMNS = 16  # classes at most: matrix products with more columns cost more than to gather the smaller classes
LEAST_SIZE = 256  # tokens of a class that is worth a column
DENSE = 0.35  # the share of all tokens from which on it costs less to read all of them in place than to gather some
DEPTH, WIDTH = 64, 32  # tokens of a block, and blocks of a chunk; block j of a chunk is DEPTH tokens side by side


@dataclass(frozen=True, eq=False)
class DenseLayout:
    """members: the tokens of each of d classes, Int, in ascending order; size: of the vocabulary, V."""

    members: Sequence[np.ndarray]
    size: int

    @staticmethod
    def worthwhile(sizes: np.ndarray, size: int) -> np.ndarray:
        """Int: which classes, by their sizes, are best read so; the largest first."""
        largest = np.argsort(-sizes, kind="stable")[:COLUMNS]
        chosen = largest[sizes[largest] >= LEAST_SIZE]
        return chosen if sizes[chosen].sum() > DENSE * size else chosen[:0]

    @cached_property
    def kind(self) -> np.ndarray:
        """Int8 [V]: the number of each token's class, d where it has none of these."""
        kind = np.full(self.size, len(self.members), dtype=np.int8)
        for number, tokens in enumerate(self.members):
            kind[tokens] = number
        return kind

    @cached_property
    def one_hot(self) -> Tensor:
        """Float [V, d]: 1 where the token is of the class."""
        return torch.from_numpy((self.kind[:, None] == np.arange(len(self.members))).astype(np.float32))

    @cached_property
    def chunks(self) -> list[tuple[int, int, int]]:
        """First token, tokens of a block, and blocks; the last tokens, too few for a row of blocks, are one each."""
        whole = self.size // DEPTH * DEPTH
        firsts = range(0, whole, DEPTH * WIDTH)
        chunks = [(first, DEPTH, min(DEPTH * WIDTH, whole - first) // DEPTH) for first in firsts]
        return chunks + [(whole, 1, self.size - whole)] * (whole < self.size)

    @cached_property
    def _blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """Int32 [n]: the first token of each block, and how far apart its tokens are."""
        firsts = [first + depth * np.arange(width) for first, depth, width in self.chunks]
        apart = [np.full(width, int(depth > 1)) for _, depth, width in self.chunks]
        return np.concatenate(firsts).astype(np.int32), np.concatenate(apart).astype(np.int32)

    @cached_property
    def block_count(self) -> int:
        """n."""
        return sum(width for _, _, width in self.chunks)

    def tokens_of(self, blocks: np.ndarray) -> np.ndarray:
        """Int32 [..., DEPTH]: the tokens of some blocks, Int [...]; those of a block of one are all the same."""
        first, apart = self._blocks
        tokens: np.ndarray = first[blocks][..., None] + apart[blocks][..., None] * np.arange(DEPTH, dtype=np.int32)
        return tokens
