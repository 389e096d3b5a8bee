"""Finite automata over bytes, always deterministic, trimmed and minimal, so that equal languages are equal objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from dgsolve.language.draft import Draft, live
from dgsolve.language.minimal import minimal
from dgsolve.language.ranges import Ranges, Targets, ranges
from dgsolve.language.size_limit import TooLargeError

__all__ = ["Acceptor", "Row", "TooLargeError"]

Row = tuple[tuple[int, int, int], ...]  # (low byte, high byte, target), sorted, disjoint


class Acceptor:
    """A minimal deterministic automaton; state 0 is the start, the others are numbered breadth first.

    `Acceptor(rows, finals)` takes any deterministic automaton: rows[q] are the arcs of state q as (low byte, high byte,
    target), ranges sorted and disjoint. Every state of the acceptor reaches a final one, except where the language is
    empty: one state, no arcs, not final. Equal languages are equal acceptors.

    >>> from dgsolve.language.algebra import byte_set
    >>> Acceptor([[(97, 98, 1)], []], [1]) == byte_set(b"ab")
    True
    """

    kinds: tuple[Ranges, ...]  # the byte ranges of the arcs of each state
    targets: tuple[Targets, ...]  # where they lead
    finals: frozenset[int]

    def __init__(self, rows: Sequence[Iterable[tuple[int, int, int]]], finals: Iterable[int]) -> None:
        arcs = [tuple(row) for row in rows]
        kinds = [ranges(tuple((low, high) for low, high, _ in row)) for row in arcs]
        self._take(minimal(live(Draft(kinds, [tuple(to for _, _, to in row) for row in arcs], set(finals)))))

    @classmethod
    def of_minimal(cls, draft: Draft) -> Acceptor:
        """The acceptor of what `minimal` gave."""
        new = cls.__new__(cls)
        new._take(draft)
        return new

    def _take(self, draft: Draft) -> None:
        self.kinds, self.targets, self.finals = tuple(draft.kinds), tuple(draft.targets), frozenset(draft.finals)

    def __len__(self) -> int:
        return len(self.targets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Acceptor):
            return NotImplemented
        return self is other or (hash(self) == hash(other) and self._content == other._content)

    def __hash__(self) -> int:
        return self._hash

    @property
    def _content(self) -> tuple[object, ...]:
        return self.targets, self.kinds, self.finals

    @cached_property
    def _hash(self) -> int:
        return hash(self._content)

    @property
    def empty(self) -> bool:
        return not self.finals

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """rows[q] are the arcs of state q."""
        both = zip(self.kinds, self.targets, strict=True)
        return tuple(
            tuple((low, high, to) for (low, high), to in zip(kind.pairs, targets, strict=True))
            for kind, targets in both
        )

    @cached_property
    def arcs(self) -> np.ndarray:
        """Int32[E 4]: source, low byte, high byte, target; sorted by source, then byte."""
        counts = [len(targets) for targets in self.targets]
        arcs = np.empty((sum(counts), 4), np.int32)
        arcs[:, 0] = np.repeat(np.arange(len(counts)), counts)
        arcs[:, 1:3] = np.array([pair for kind in self.kinds for pair in kind.pairs]).reshape(-1, 2)
        arcs[:, 3] = np.fromiter(chain.from_iterable(self.targets), np.int32, len(arcs))
        arcs.flags.writeable = False
        return arcs

    @cached_property
    def final_mask(self) -> np.ndarray:
        """Bool[Q]"""
        mask = np.zeros(len(self), bool)
        mask[list(self.finals)] = True
        mask.flags.writeable = False
        return mask

    @cached_property
    def start_entered(self) -> bool:
        """Whether an arc leads back to the start."""
        return 0 in chain.from_iterable(self.targets)

    @cached_property
    def sink(self) -> int:
        """The final state without arcs (there is one at most), -1 where every accepted text goes on."""
        return next((state for state in self.finals if not self.targets[state]), -1)

    def step(self, state: int, byte: int) -> int:
        """The state after `byte`, -1 where there is none."""
        for (low, high), target in zip(self.kinds[state].pairs, self.targets[state], strict=True):
            if low <= byte <= high:
                return target
        return -1

    def only_byte(self, state: int) -> bool:
        """Whether the text goes on from `state`, and with one byte alone."""
        arcs = self.kinds[state].pairs
        return len(arcs) == 1 and arcs[0][0] == arcs[0][1] and state not in self.finals

    def reach(self, text: bytes) -> int:
        """The state after `text`, -1 where no accepted text begins so."""
        state = 0
        for byte in text:
            state = self.step(state, byte)
            if state < 0:
                return -1
        return state

    def accepts(self, text: bytes) -> bool:
        return self.reach(text) in self.finals

    @cached_property
    def shortest(self) -> bytes | None:
        """A shortest text (the least such one), None where the language is empty."""
        came: dict[int, tuple[int, int]] = {0: (0, 0)}  # (the state before, the byte): whole texts would be quadratic
        queue = deque([0])
        while queue:
            state = queue.popleft()
            if state in self.finals:
                text = bytearray()
                while state:
                    state, byte = came[state]
                    text.append(byte)
                return bytes(reversed(text))
            for (low, _), target in zip(self.kinds[state].pairs, self.targets[state], strict=True):
                if target not in came:
                    came[target] = state, low
                    queue.append(target)
        return None
