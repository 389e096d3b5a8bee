"""The part of a token automaton that one canvas can still use, slot by slot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dgsolve.constraints.indexed_table import FREE, IndexedTable
from dgsolve.constraints.token_arcs import Arcs

CACHED_ARCS = 24_000_000  # of all steps that one table keeps; 12 bytes each


@dataclass(frozen=True, eq=False)
class Step:
    """The arcs that can be taken in one slot, by source.

    states Int [n] before the slot, after Int [m] behind it. Arcs starts[j]:starts[j + 1] lead from states[j], arc e to
    after[target[e]] by any class of bundle label[e]. classes Int [k]: all that occur; bundle b has the classes
    classes[member[bundle_starts[b]:bundle_starts[b + 1]]].
    """

    states: np.ndarray
    after: np.ndarray
    starts: np.ndarray
    label: np.ndarray
    target: np.ndarray
    classes: np.ndarray
    member: np.ndarray
    bundle_starts: np.ndarray

    @classmethod
    def build(cls, arcs: Arcs, states: np.ndarray, completable: np.ndarray, pin: int) -> Step:
        """All arcs from `states`, Int [n], into `completable`, Bool [Q]; only by class `pin` unless FREE."""
        low = arcs.offsets[states]
        counts = arcs.offsets[states + 1] - low
        edges = _ranges(low, counts)
        targets, labels = arcs.targets.take(edges), arcs.bundles.take(edges)
        fits = completable.take(targets)
        if pin != FREE:
            fits &= arcs.having(pin).take(labels)
        after, target = _numbered(targets[fits])
        bundles, label = _numbered(labels[fits])
        starts = np.append(0, np.cumsum(fits))[np.append(0, np.cumsum(counts))]
        if pin == FREE:
            sizes = np.diff(arcs.starts)[bundles]
            members = arcs.members[_ranges(arcs.starts[bundles], sizes)]
        else:
            sizes, members = np.ones(len(bundles), dtype=np.int64), np.full(len(bundles), pin)
        classes, member = _numbered(members)
        bundle_starts = np.append(0, np.cumsum(sizes))
        return cls(states, after, starts, label, target, classes, member, bundle_starts)

    @cached_property
    def degree(self) -> np.ndarray:
        """Int [n]: how many arcs leave each of `states`, one at least."""
        return np.diff(self.starts)

    @cached_property
    def bundle(self) -> np.ndarray:
        """Int: the bundle that each of `member` belongs to."""
        return np.repeat(np.arange(len(self.bundle_starts) - 1), np.diff(self.bundle_starts))

    @cached_property
    def bundle_key(self) -> bytes:
        """The same for steps with the same number of classes and bundles of them."""
        return self.member.tobytes() + b"/" + self.bundle_starts.tobytes()


class StepCache:
    """Steps under one table: in the middle of a long canvas all slots have the same."""

    def __init__(self, table: IndexedTable) -> None:
        self.table = table
        self._steps: OrderedDict[tuple[bytes, bytes, int], Step] = OrderedDict()
        self._kept = 0

    @cached_property
    def arcs(self) -> Arcs:
        return Arcs.of(self.table)

    def get(self, states: np.ndarray, completable: np.ndarray, pin: int) -> Step:
        """`Step.build`, remembered."""
        key = (states.tobytes(), completable.tobytes(), pin)
        if key not in self._steps:
            self._steps[key] = step = Step.build(self.arcs, states, completable, pin)
            self._kept += len(step.label)
            while self._kept > CACHED_ARCS and len(self._steps) > 1:
                self._kept -= len(self._steps.popitem(last=False)[1].label)
        self._steps.move_to_end(key)
        return self._steps[key]


def lattice(
    cache: StepCache, state: int, pins: np.ndarray, window: int, completable: Sequence[np.ndarray] | None = None
) -> list[Step]:
    """One Step for each of the first `window` slots of those left, from `state`, which must be completable.

    pins Int [R]: the class that each of the R slots left must have, FREE for any; completable Bool [Q] before each of
    them and after the last, where more than the pins limits it.
    """
    completable = cache.table.completable(pins.tobytes()) if completable is None else completable
    states, steps = np.array([state]), []
    for slot in range(window):
        step = cache.get(states, completable[slot + 1], int(pins[slot]))
        steps.append(step)
        states = step.after
    return steps


def _ranges(first: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """`counts` whole numbers from each of `first` on, one range after the other; there is at least one."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1]) + np.repeat(first - ends + counts, counts)


def _numbered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct values in ascending order, and each value's place among them, Int32."""
    present = np.zeros(int(values.max(initial=-1)) + 1, dtype=bool)
    present[values] = True
    return np.flatnonzero(present), (np.cumsum(present, dtype=np.int32) - 1).take(values)
