"""Tokens that fit together in a slot, in the form that is read fastest: one by one, or as the few left out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dgsolve.constraints.indexed_table import IndexedTable

FEW = 16  # less than 1 / FEW of all tokens are collected class by class


class TokenSet:
    """The tokens of some classes of a table; classes Int [c], ascending. What is asked for once is kept."""

    def __init__(self, table: IndexedTable, classes: np.ndarray) -> None:
        self._table, self._classes = table, classes
        self._all = len(table.token_class)
        self.size = int(table.class_sizes[classes].sum())

    @property
    def few(self) -> bool:
        """Whether it pays to look at its tokens one by one, whatever else is known of all."""
        return FEW * self.size < self._all

    @property
    def most(self) -> bool:
        """Whether to leave the others out costs less than to collect these."""
        return 2 * self.size >= self._all

    @cached_property
    def ids(self) -> np.ndarray:
        """Its tokens, Int32, in ascending order."""
        if self.few:
            members = [self._table.members(number) for number in self._classes.tolist()]
            return np.sort(np.concatenate(members)).astype(np.int32)
        return np.flatnonzero(self._held()).astype(np.int32)

    @cached_property
    def others(self) -> np.ndarray:
        """The tokens that are not in it, Int64, in ascending order."""
        return np.flatnonzero(~self._held())

    def place(self, token: int) -> int:
        """Where its token is: among all where it has most of them, else among its own."""
        return token if self.most else int(self.ids.searchsorted(token))

    def __contains__(self, token: int) -> bool:
        token_class = self._table.token_class[token]
        place = self._classes.searchsorted(token_class)
        return bool(place < len(self._classes) and self._classes[place] == token_class)

    def _held(self) -> np.ndarray:
        """Bool [V]: its tokens."""
        wanted = np.zeros(len(self._table.class_sizes) + 1, dtype=bool)  # the last one is class -1
        wanted[self._classes] = True
        return wanted[self._table.token_class]
