"""The order in which the tokens of some classes are read: in blocks of one class each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

LARGE = 1024  # a class of so many tokens is cut into blocks of BLOCK tokens, a smaller one into SMALL_BLOCK
BLOCK, SMALL_BLOCK = 64, 8
CHUNK = 1 << 17  # tokens read at a time, so that they stay in the cache
BLANK = -1e30  # the logit of a place without a token: finite, and below whatever is added to it
DENSE = 0.3  # a class with a greater share of all tokens is read in place, the others masked: cheaper than gathering it


@dataclass(frozen=True, eq=False)
class Part:
    """Some blocks side by side; ids Int32 [block, n]: the tokens of each, -1 where there is none.

    With `first`, the part is the tokens from `first` on, in order, those of other classes left out.
    """

    ids: Tensor
    first: int | None = None

    @cached_property
    def index(self) -> Tensor:
        """Int32 [block * n]: the tokens, 0 where there is none."""
        return self.ids.flatten().clamp(min=0)

    @cached_property
    def blanks(self) -> Tensor:
        """Int64: the places without a token."""
        return (self.ids.flatten() < 0).nonzero().flatten()

    @cached_property
    def mask(self) -> Tensor:
        """Float [block * n]: BLANK at the places without a token."""
        return torch.zeros(self.ids.numel()).index_fill_(0, self.blanks, BLANK)

    def read(self, row: Tensor, out: Tensor) -> None:
        """The logits of a slot, Float [V], in the order of the part, Float32 [block * n]."""
        if self.first is not None:
            torch.add(row[self.first : self.first + self.ids.numel()], self.mask.to(row.device), out=out)
        elif row.dtype == out.dtype:
            torch.index_select(row, 0, self.index.to(row.device), out=out)
            out.index_fill_(0, self.blanks.to(row.device), BLANK)
        else:
            out.copy_(row.index_select(0, self.index.to(row.device)))
            out.index_fill_(0, self.blanks.to(row.device), BLANK)


@dataclass(frozen=True, eq=False)
class Layout:
    """Tokens of some classes in blocks of one class each, blocks of a class side by side.

    classes Int [k]; starts Int [k + 1]: the blocks of each class; place Int [C]: of each class among `classes`, -1 for
    the others.
    """

    classes: np.ndarray
    starts: np.ndarray
    place: np.ndarray
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, classes: np.ndarray, members: Sequence[np.ndarray], count: int, size: int) -> Layout:
        """members: the tokens of each class in ascending order, none empty; of `count` classes and `size` tokens."""
        sizes = np.array([len(tokens) for tokens in members])
        in_place, large = sizes > DENSE * size, sizes >= LARGE
        # those in place come first: then the row is in the cache when others are gathered
        order = np.argsort(np.where(in_place, 0, np.where(large, 1, 2)), kind="stable")
        parts: list[Part] = []
        blocks: list[int] = []
        for number in np.flatnonzero(in_place).tolist():
            parts += _in_place(members[number], size)
            blocks.append(sum(part.ids.shape[1] for part in parts) - sum(blocks))
        for chosen, block in ((~in_place & large, BLOCK), (~in_place & ~large, SMALL_BLOCK)):
            tables = [_blocks(members[number], block) for number in np.flatnonzero(chosen).tolist()]
            blocks += [table.shape[1] for table in tables]
            parts += _gathered(tables)
        place = np.full(count, -1)
        place[classes[order]] = np.arange(len(classes))
        return cls(classes[order], np.concatenate([[0], np.cumsum(blocks)]), place, tuple(parts))

    @cached_property
    def tokens(self) -> int:
        """How many places are read."""
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


def _in_place(tokens: np.ndarray, size: int) -> Iterator[Part]:
    """Parts that go through the vocabulary in order; the last tokens, too few for a row of blocks, are gathered."""
    ids = np.full(size, -1, dtype=np.int32)
    ids[tokens] = tokens
    whole = size // BLOCK * BLOCK
    for first in range(0, whole, CHUNK):
        part = np.ascontiguousarray(ids[first : min(first + CHUNK, whole)])
        yield Part(torch.from_numpy(part.reshape(BLOCK, -1)), first)
    if whole < size:
        yield Part(torch.from_numpy(np.ascontiguousarray(ids[whole:, None])))
