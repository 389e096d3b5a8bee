"""The order in which the tokens of some classes are read: in blocks of one class each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.dense_layout import DenseLayout

LARGE = 1024  # a class of so many tokens is cut into blocks of BLOCK tokens, a smaller one into SMALL_BLOCK
BLOCK, SMALL_BLOCK = 64, 8
CHUNK = 1 << 17  # tokens read at a time, so that they stay in the cache
BLANK = -1e30  # the logit of a place without a token: finite, and below whatever is added to it


@dataclass(frozen=True, eq=False)
class Part:
    """Some blocks side by side; ids Int32 [block, n]: the tokens of each, -1 where there is none."""

    ids: Tensor

    @cached_property
    def index(self) -> Tensor:
        """Int32 [block * n]: the tokens, 0 where there is none."""
        return self.ids.flatten().clamp(min=0)

    @cached_property
    def blanks(self) -> Tensor:
        """Int64: the places without a token."""
        return (self.ids.flatten() < 0).nonzero().flatten()

    def read(self, row: Tensor, out: Tensor) -> None:
        """The logits of a slot, Float [V], in the order of the part, Float32 [block * n]."""
        if row.dtype == out.dtype:
            torch.index_select(row, 0, self.index.to(row.device), out=out)
        else:
            out.copy_(row.index_select(0, self.index.to(row.device)))
        out.index_fill_(0, self.blanks.to(row.device), BLANK)


@dataclass(frozen=True, eq=False)
class Layout:
    """Some classes: first those that are read in place, then k in blocks of one class each, side by side.

    starts Int [k + 1]: the blocks of each class; place Int [C]: of each class among all of them, -1 for the others.
    """

    dense: DenseLayout | None
    starts: np.ndarray
    place: np.ndarray
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, classes: np.ndarray, members: Sequence[np.ndarray], count: int, size: int) -> Layout:
        """members: the tokens of each class in ascending order, none empty; of `count` classes and `size` tokens."""
        sizes = np.array([len(tokens) for tokens in members])
        dense, large = DenseLayout.worthwhile(sizes, size), sizes >= LARGE
        rank = np.where(large, 1, 2)
        rank[dense] = 0
        order = np.argsort(rank, kind="stable")
        parts: list[Part] = []
        blocks: list[int] = []
        for kind, block in ((1, BLOCK), (2, SMALL_BLOCK)):
            tables = [_blocks(members[number], block) for number in order[rank[order] == kind].tolist()]
            blocks += [table.shape[1] for table in tables]
            parts += _gathered(tables)
        place = np.full(count, -1)
        place[classes[order]] = np.arange(len(classes))
        in_place = DenseLayout([members[number] for number in order[: len(dense)].tolist()], size)
        return cls(in_place if len(dense) else None, np.append(0, np.cumsum(blocks, dtype=int)), place, tuple(parts))

    @property
    def dense_count(self) -> int:
        """How many classes are read in place."""
        return len(self.dense.members) if self.dense else 0

    @cached_property
    def tokens(self) -> int:
        """How many places are gathered."""
        return sum(part.ids.numel() for part in self.parts)

    @cached_property
    def occupied(self) -> np.ndarray:
        """Bool [n]: the blocks that have a token."""
        return np.concatenate([(part.ids >= 0).any(0).numpy() for part in self.parts])

    @cached_property
    def _tables(self) -> tuple[list[int], list[np.ndarray]]:
        """The first block of each part, and the tokens of its blocks, Int32 [block, n]."""
        widths = [part.ids.shape[1] for part in self.parts]
        return [0, *np.cumsum(widths)[:-1].tolist()], [part.ids.numpy() for part in self.parts]

    def tokens_of(self, blocks: Sequence[int]) -> np.ndarray:
        """The tokens of some blocks, Int32, in no order."""
        firsts, tables = self._tables
        found = []
        for block in blocks:
            part = bisect_right(firsts, block) - 1
            found.append(tables[part][:, block - firsts[part]])
        ids = found[0] if len(found) == 1 else np.concatenate(found)
        return ids[ids >= 0]


def _blocks(tokens: np.ndarray, block: int) -> np.ndarray:
    """Int32 [block, n]: the tokens in order row by row, so that neighbours are gathered one after the other."""
    columns = -(-len(tokens) // block)
    ids = np.full(block * columns, -1, dtype=np.int32)
    ids[: len(tokens)] = tokens
    return ids.reshape(block, columns)


def _gathered(tables: Sequence[np.ndarray]) -> list[Part]:
    """Parts of the blocks of several classes, Int32 [block, n] each."""
    if not tables:
        return []
    ids = np.concatenate(tables, axis=1)
    columns = np.array_split(ids, -(-ids.size // CHUNK), axis=1)
    return [Part(torch.from_numpy(np.ascontiguousarray(column))) for column in columns]
