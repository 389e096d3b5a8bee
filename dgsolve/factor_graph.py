"""A problem's rules as candidates, exactly-one groups, and factors for what groups cannot say."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Factor:
    """A rule as an automaton that reads some slots, first to last; every way through it keeps the rule.

    kind: the kind of rule. key: tells it from other factors. arcs: of each slot, Int [A, 3] the steps (state, value,
    next state) on ways to the end, values counted from 0, states from 0 layer by layer; the one before the first slot
    is 0, and so many of each layer follow from `states`.
    """

    kind: str
    slots: tuple[int, ...]
    key: Hashable
    arcs: tuple[np.ndarray, ...] = field(compare=False, repr=False)
    states: tuple[int, ...] = field(compare=False, repr=False)


@dataclass(frozen=True)
class FactorGraph:
    """Candidates (slot, value) and the groups of which exactly one candidate is true.

    Candidate `slot * values + value` says that `slot` holds `value` (counted from 0). Every slot is a group of its
    own; an all-different house of as many slots as values adds one group per value. Source: exact cover (Knuth, TAOCP
    7.2.2.1). Where at most one of a group may be true, a slack candidate is its last member: it says that none of the
    others is. The `slack` of them are numbered from `slots * values` on, each in one group; they belong to no slot.
    What groups cannot say are `factors`.
    """

    slots: int
    values: int
    groups: tuple[tuple[int, ...], ...]
    slack: int = 0
    factors: tuple[Factor, ...] = ()

    @classmethod
    def from_houses(cls, slots: int, values: int, houses: Iterable[Sequence[int]]) -> FactorGraph:
        """The graph of all-different houses; each house is a sequence of exactly `values` slots."""
        groups = [tuple(slot * values + value for value in range(values)) for slot in range(slots)]
        for house in houses:
            if len(set(house)) != values:
                raise ValueError(f"a house must hold {values} different slots, got {tuple(house)}")
            groups += [tuple(slot * values + value for slot in house) for value in range(values)]
        return cls(slots, values, tuple(groups))

    @classmethod
    def from_groups(
        cls,
        slots: int,
        values: int,
        exactly_one: Iterable[Sequence[int]],
        at_most_one: Iterable[Sequence[int]],
        factors: Iterable[Factor] = (),
    ) -> FactorGraph:
        """The graph of groups of candidates besides the slots themselves; the same group twice is one."""
        groups = {tuple(slot * values + value for value in range(values)): None for slot in range(slots)}
        groups |= {tuple(sorted(set(group))): None for group in exactly_one}
        loose = {tuple(sorted(set(group))): None for group in at_most_one if len(set(group)) > 1}
        least = slots * values
        slackened = [(*group, least + number) for number, group in enumerate(g for g in loose if g not in groups)]
        return cls(slots, values, (*groups, *slackened), len(slackened), tuple(factors))

    @cached_property
    def plain(self) -> bool:
        """Whether exactly-one groups say all, as many of them for every candidate, as in Sudoku."""
        return not (self.slack or self.factors) and bool((self.candidate_groups >= 0).all())

    @property
    def candidates(self) -> int:
        """How many candidates there are, the slack ones included."""
        return self.slots * self.values + self.slack

    @cached_property
    def slack_members(self) -> np.ndarray:
        """Int [slack, largest]: the other members of each slack candidate's group, padded with -1."""
        least = self.slots * self.values
        return _padded([group[:-1] for group in self.groups if group[-1] >= least])

    @cached_property
    def candidate_groups(self) -> np.ndarray:
        """Int [candidates, largest degree]: the groups of each candidate, padded with -1."""
        of_candidate: list[list[int]] = [[] for _ in range(self.candidates)]
        for index, group in enumerate(self.groups):
            for candidate in group:
                of_candidate[candidate].append(index)
        return _padded(of_candidate)


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    width = max((len(row) for row in rows), default=0)
    padded = [list(row) + [-1] * (width - len(row)) for row in rows]
    return np.array(padded, dtype=np.int64).reshape(len(rows), width)
