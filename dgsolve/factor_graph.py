"""A problem's rules as candidates and exactly-one groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class FactorGraph:
    """Candidates (slot, value) and the groups of which exactly one candidate is true.

    Candidate `slot * values + value` says that `slot` holds `value` (counted from 0). Every slot is a group of its
    own; an all-different house of as many slots as values adds one group per value. Source: exact cover (Knuth, TAOCP
    7.2.2.1).
    """

    slots: int
    values: int
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def from_houses(cls, slots: int, values: int, houses: Iterable[Sequence[int]]) -> FactorGraph:
        """The graph of all-different houses; each house is a sequence of exactly `values` slots."""
        groups = [tuple(slot * values + value for value in range(values)) for slot in range(slots)]
        for house in houses:
            if len(set(house)) != values:
                raise ValueError(f"a house must hold {values} different slots, got {tuple(house)}")
            groups += [tuple(slot * values + value for slot in house) for value in range(values)]
        return cls(slots, values, tuple(groups))

    @cached_property
    def candidate_groups(self) -> np.ndarray:
        """Int [slots * values, largest degree]: the groups of each candidate, padded with -1."""
        of_candidate: list[list[int]] = [[] for _ in range(self.slots * self.values)]
        for index, group in enumerate(self.groups):
            for candidate in group:
                of_candidate[candidate].append(index)
        return _padded(of_candidate)


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    width = max(len(row) for row in rows)
    return np.array([list(row) + [-1] * (width - len(row)) for row in rows], dtype=np.int64)
