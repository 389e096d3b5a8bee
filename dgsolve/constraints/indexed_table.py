"""A token table as the posterior reads it: tokens by class, edges by state, and what can still be completed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dgsolve.constraints.token_set import TokenSet

if TYPE_CHECKING:
    from dgsolve.language.token_table import TokenTable

FREE = -2  # the class of a slot without a pin; -1 is the class of tokens that fit nowhere


class IndexedTable:
    """Indices into one TokenTable that are built once and shared by all canvases under it. pieces: bytes per token."""

    def __init__(self, table: TokenTable, pieces: Sequence[bytes | None] | None = None) -> None:
        self.source, self.pieces = table, pieces
        self.token_class, self.distance = table.token_class, table.distance
        self.offsets, self.classes, self.targets = table.offsets.astype(np.int64), table.classes, table.targets
        self.thought_states = table.thought_states
        self.completable = lru_cache(maxsize=64)(self._completable)
        self._token_set = lru_cache(maxsize=128)(self._new_token_set)
        self._within = lru_cache(maxsize=None)(self._near)

    @cached_property
    def origins(self) -> np.ndarray:
        """Int32 [E]: the state that each transition leaves."""
        return np.repeat(np.arange(len(self.distance), dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def _by_class(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens ordered by class, then number, and where each class starts among them, Int [C + 1]."""
        order = np.argsort(self.token_class, kind="stable")
        classes = int(max(self.classes.max(initial=-1), self.token_class.max(initial=-1))) + 1
        return order, np.searchsorted(self.token_class[order], np.arange(classes + 1))

    @cached_property
    def class_sizes(self) -> np.ndarray:
        """Int [C]: how many tokens each class has."""
        return np.diff(self._by_class[1])

    def members(self, token_class: int) -> np.ndarray:
        """The tokens of a class in ascending order."""
        order, starts = self._by_class
        return order[starts[token_class] : starts[token_class + 1]]

    def token_set(self, classes: np.ndarray) -> TokenSet:
        """The tokens of some classes, which are given as Int32 [c] in ascending order."""
        return self._token_set(classes.tobytes())

    def tokens_of(self, classes: np.ndarray) -> np.ndarray:
        """The tokens of some classes, Int32, in ascending order."""
        return self.token_set(classes).ids

    def _new_token_set(self, classes: bytes) -> TokenSet:
        return TokenSet(self, np.frombuffer(classes, dtype=self.classes.dtype))

    def step(self, state: int, token: int) -> int | None:
        """The state after `token`, None where the token does not fit."""
        if not 0 <= token < len(self.token_class):
            return None
        low, high = self.offsets[state], self.offsets[state + 1]
        place = low + self.classes[low:high].searchsorted(self.token_class[token])
        fits = place < high and self.classes[place] == self.token_class[token]
        return int(self.targets[place]) if fits else None

    def within(self, tokens: int, *, thinking: bool = True) -> np.ndarray:
        """Bool [Q]: the states from which the text can end in at most `tokens` tokens, thoughts only if `thinking`."""
        return self._within(min(max(tokens, -1), len(self.distance)), thinking or not self.thought_states)

    def _near(self, tokens: int, thinking: bool) -> np.ndarray:
        near: np.ndarray = self.distance <= tokens
        if not thinking:
            near[-self.thought_states :] = False
        return near

    def _completable(self, pins: bytes, text: int | None = None, thought: int | None = None) -> tuple[np.ndarray, ...]:
        """Bool [Q] before each slot and after the last: the states from which the rest can be filled.

        pins: Int64 [R] as bytes, the class that each of the R slots must have, FREE for any. The text must be whole in
        the first `text` of these slots, and a thought closed in the first `thought`; in all of them where None.
        """
        pinned = np.frombuffer(pins, dtype=np.int64)
        text, thought = (len(pinned) if limit is None else limit for limit in (text, thought))
        last = int(np.flatnonzero(pinned != FREE).max(initial=-1)) + 1
        bounds = [self.within(max(0, text - slot), thinking=slot < thought) for slot in range(len(pinned) + 1)]
        masks = bounds[last:]
        for slot in range(last - 1, -1, -1):
            fits = masks[0][self.targets]
            if pinned[slot] != FREE:
                fits &= self.classes == pinned[slot]
            mask = np.zeros(len(self.distance), dtype=bool)
            mask[self.origins[fits]] = True
            masks.insert(0, mask & bounds[slot])
        return tuple(masks)
