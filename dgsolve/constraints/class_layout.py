"""Which tokens are read for some classes, and which of the classes each of them has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

IN_PLACE = 0.35  # the share of all tokens from which on it costs less to read all of them in place than to gather some
BLOCK = 8192  # logits that are put in order at a time: they and their exponentials stay in the near caches


class Runs(NamedTuple):
    """The places that are read, BLOCK after BLOCK, and within each block class after class.

    order UInt16 [n]: the places, counted from their block's first; starts Int [b + 1]: where those of each block begin.
    A run is what a block has of one class: runs first[j]:first[j + 1] are those of block j; kind Int32 is a run's
    class, end Int where it ends, counted from the start of its block. Within a run places ascend.
    """

    order: np.ndarray
    starts: np.ndarray
    first: np.ndarray
    kind: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, kinds: np.ndarray, count: int) -> Runs:
        """By the class of every place, Int [t], `count` where it has none."""
        places = np.flatnonzero(kinds < count)
        places = places[np.lexsort((kinds[places], places // BLOCK))]
        block, kind = places // BLOCK, kinds[places]
        begins = np.flatnonzero(np.diff(block, prepend=-1) | np.diff(kind.astype(np.int64), prepend=-1))
        blocks = np.arange(-(-len(kinds) // BLOCK) + 1)
        starts = np.searchsorted(block, blocks)
        ends = np.append(begins[1:], len(places)) - starts[block[begins]]
        first = np.searchsorted(block[begins], blocks)
        return cls((places % BLOCK).astype(np.uint16), starts, first, kind[begins].astype(np.int32), ends)


@dataclass(frozen=True, eq=False)
class Layout:
    """Some of C classes, k of them, over a vocabulary of V tokens.

    place Int [C]: the number of each class among the k, -1 for the others. members Int32 [n]: their tokens class by
    class, ascending within each; starts Int [k + 1]: where those of each class begin. size: V.
    """

    place: np.ndarray
    members: np.ndarray
    starts: np.ndarray
    size: int

    @classmethod
    def of(cls, classes: np.ndarray, members: Sequence[np.ndarray], count: int, size: int) -> Layout:
        """members: the tokens of each class in ascending order, none empty; of `count` classes and `size` tokens."""
        place = np.full(count, -1)
        place[classes] = np.arange(len(classes))
        starts = np.append(0, np.cumsum([len(tokens) for tokens in members], dtype=np.int64))
        return cls(place, np.concatenate(members).astype(np.int32), starts, size)

    @property
    def count(self) -> int:
        """k."""
        return len(self.starts) - 1

    @property
    def in_place(self) -> bool:
        """Whether all logits of a slot are read, where they lie."""
        return len(self.members) > IN_PLACE * self.size

    @cached_property
    def tokens(self) -> np.ndarray:
        """Int32 [t]: the tokens whose logits are read, in ascending order."""
        return np.arange(self.size, dtype=np.int32) if self.in_place else np.sort(self.members)

    @cached_property
    def runs(self) -> Runs:
        """Of the places in `tokens`."""
        kind = np.full(self.size, self.count)
        kind[self.members] = np.repeat(np.arange(self.count), np.diff(self.starts))
        return Runs.of(kind[self.tokens], self.count)

    def tokens_of(self, label: int) -> np.ndarray:
        """The tokens of a class, given by its number, Int32, in ascending order."""
        return self.members[self.starts[label] : self.starts[label + 1]]
