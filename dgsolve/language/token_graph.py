"""Transitions between states by token class: which states matter, and how far each is from a final one."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dgsolve.language.ragged import distinct, runs

FAR = np.iinfo(np.int32).max


class Graph(NamedTuple):
    """The transitions of state q are offsets[q]:offsets[q + 1] of classes and targets, sorted by class."""

    offsets: np.ndarray
    classes: np.ndarray
    targets: np.ndarray

    @classmethod
    def build(cls, origins: np.ndarray, classes: np.ndarray, targets: np.ndarray, states: int) -> Graph:
        """From transitions in any order of states, sorted by class for each state."""
        narrow = origins.astype(np.uint16) if states <= 1 << 16 else origins  # 16 bits are sorted by radix
        order = np.argsort(narrow, kind="stable")
        return cls(_offsets(origins, states), classes[order], targets[order])

    @classmethod
    def by_class(cls, counts: np.ndarray, origins: np.ndarray, targets: np.ndarray, states: int) -> Graph:
        """From the transitions of class 0, then those of class 1, and so on, counts[k] of class k; no state has two of
        one class. Each is written straight into its row, which takes half the time of sorting them."""
        offsets = _offsets(origins, states)
        free = offsets[:-1].astype(np.int64)  # where the next transition of each state goes
        placed, classes = np.empty_like(targets), np.empty(len(targets), np.int32)
        ends = np.cumsum(counts).tolist()
        for number, (low, high) in enumerate(pairwise([0, *ends])):
            here = origins[low:high]
            place = free[here]
            classes[place], placed[place] = number, targets[low:high]
            free[here] = place + 1
        return cls(offsets, classes, placed)

    @property
    def origins(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))

    @property
    def reversed(self) -> Graph:
        """The ways back, most of those between the same two states as one: for `depths`, which asks for no more."""
        turns = np.ones(len(self.targets), bool)  # neighbouring classes often lead to the same state
        np.not_equal(self.targets[1:], self.targets[:-1], out=turns[1:])
        turns[self.offsets[:-1][np.diff(self.offsets) > 0]] = True
        origins = np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(_before(turns)[self.offsets]))
        return Graph.build(self.targets[turns], self.classes[turns], origins, len(self.offsets) - 1)

    def depths(self, starts: np.ndarray) -> np.ndarray:
        """Int32 [Q]: the fewest transitions to each state from any of `starts`, Bool [Q]; FAR where there is no way."""
        depths, sizes = np.full(len(starts), FAR, np.int32), np.diff(self.offsets)
        front, depth = np.flatnonzero(starts), 0
        while front.size:
            depths[front] = depth
            _, index = runs(self.offsets[front], sizes[front])
            near = self.targets[index]
            near = near[depths[near] == FAR]
            front, depth = distinct(near) if near.size else near, depth + 1
        return depths

    def kept(self, states: np.ndarray) -> Graph:
        """Only the transitions among these states, Bool [Q], which are numbered anew."""
        if states.all():
            return self
        numbers = np.cumsum(states, dtype=np.int32) - np.int32(1)
        inside = states[self.origins] & states[self.targets]
        origins = numbers[self.origins[inside]]
        return Graph(_offsets(origins, int(states.sum())), self.classes[inside], numbers[self.targets[inside]])

    def merged(self, count: int) -> tuple[Graph, np.ndarray]:
        """Classes that act alike made one; with the new number of each of `count`, -1 for those of no transition."""
        random = np.random.default_rng(0)
        numbers = random.integers(0, 1 << 64, (2, len(self.offsets) - 1), np.uint64) | np.uint64(1)
        origins, sums, used = self.origins, np.zeros(count, np.uint64), np.zeros(count, bool)
        np.add.at(sums, self.classes, numbers[0][origins] * numbers[1][self.targets])
        used[self.classes] = True
        _, first, group = np.unique(sums, return_index=True, return_inverse=True)
        firsts = np.sort(first[used[first]])  # the first class of each group stands for it, which keeps them sorted
        fresh = np.where(used, np.searchsorted(firsts, first[group]), -1).astype(np.int32)
        stays = np.isin(np.arange(count), firsts)[self.classes]
        offsets = _offsets(origins[stays], len(self.offsets) - 1)
        return Graph(offsets, fresh[self.classes[stays]], self.targets[stays]), fresh


def _before(marks: np.ndarray) -> np.ndarray:
    """Int32 [N + 1]: how many marks, Bool [N], stand before each place."""
    return np.append(np.int32(0), np.cumsum(marks, dtype=np.int32))


def _offsets(origins: np.ndarray, states: int) -> np.ndarray:
    return np.append(0, np.cumsum(np.bincount(origins, minlength=states))).astype(np.int32)
