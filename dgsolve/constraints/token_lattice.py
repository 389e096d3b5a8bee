"""The part of a token automaton that one canvas can still use, slot by slot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from dgsolve.constraints.indexed_table import FREE, IndexedTable
from dgsolve.constraints.token_arcs import Arcs
from dgsolve.language.ragged import ranges

CACHED_ARCS = 16_000_000  # of all steps that one table keeps; some 20 bytes each
LARGE = 1024  # states of sets that may be widened
GROWTH = 1.25  # how much larger than each of them what they have together may be


@dataclass(frozen=True, eq=False)
class Step:
    """The arcs that can be taken in one slot, by source.

    states Int [n] before the slot, after Int [m] behind it. Arcs starts[j]:starts[j + 1] lead from states[j], arc e to
    after[target[e]] by any class of bundle label[e]; from a state that no canvas has here there may be none. classes
    Int [k]: all that occur; bundle b has the classes classes[member[bundle_starts[b]:bundle_starts[b + 1]]].
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
    def build(cls, arcs: Arcs, states: np.ndarray, after: np.ndarray, pin: int) -> Step:
        """All arcs from `states`, Int [n], to `after`, Int [m]; only by class `pin` unless FREE."""
        counts, targets, labels = arcs.leaving(states)
        place = np.full(len(arcs.offsets) - 1, -1, dtype=np.int32)
        place[after] = np.arange(len(after))
        target = place.take(targets)
        fits = target >= 0
        if pin != FREE:
            fits &= arcs.having(pin).take(labels)
        target = target[fits]
        bundles, label = _numbered(labels[fits])
        starts = np.append(0, np.cumsum(fits))[np.append(0, np.cumsum(counts))]
        if pin == FREE:
            sizes = np.diff(arcs.starts)[bundles]
            members = arcs.members[ranges(arcs.starts[bundles], sizes)]
        else:
            sizes, members = np.ones(len(bundles), dtype=np.int64), np.full(len(bundles), pin)
        classes, member = _numbered(members)
        bundle_starts = np.append(0, np.cumsum(sizes))
        return cls(states, after, starts, label, target, classes, member, bundle_starts)

    @property
    def indices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """starts, label and target, unsigned as the compiled loops take them."""
        return self.starts.view(np.uint64), self.label.view(np.uint32), self.target.view(np.uint32)

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
        self._last: tuple[object, list[Step]] = (None, [])  # the steps of a denoising loop are mostly those before

    @cached_property
    def arcs(self) -> Arcs:
        return Arcs.of(self.table)

    def get(self, states: np.ndarray, after: np.ndarray, pin: int) -> Step:
        """`Step.build`, remembered."""
        key = (states.tobytes(), after.tobytes(), pin)
        if key not in self._steps:
            self._steps[key] = step = Step.build(self.arcs, states, after, pin)
            self._kept += len(step.label)
            while self._kept > CACHED_ARCS and len(self._steps) > 1:
                self._kept -= len(self._steps.popitem(last=False)[1].label)
        self._steps.move_to_end(key)
        return self._steps[key]

    def lattice(
        self, state: int, pins: np.ndarray, window: int, completable: Sequence[np.ndarray], *, exact: bool = False
    ) -> list[Step]:
        """One Step for each of the first `window` slots of those left, from `state`; arguments as in `reached`.

        exact: without arcs that no canvas takes, which cost nothing where slots share a Step; see `widened`.
        """
        key = (state, pins.tobytes(), window, exact)
        last = self._last
        if key != last[0]:
            sets = reached(self.arcs, state, pins, window, completable)
            sets = sets if exact else widened(sets, completable)
            steps = [self.get(*pair, int(pin)) for pair, pin in zip(pairwise(sets), pins[:window], strict=True)]
            self._last = last = key, steps
        return last[1]


def reached(
    arcs: Arcs, state: int, pins: np.ndarray, window: int, completable: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """The states that a canvas can have before each of the first `window` slots of those left, and after the last.

    It has `state` before the first, which must be completable. pins Int [R]: the class that each of the R slots left
    must have, FREE for any; completable Bool [Q] before each of them and after the last.
    """
    sets = [np.array([state])]
    for slot in range(window):
        _, targets, labels = arcs.leaving(sets[-1])
        if pins[slot] != FREE:
            targets = targets[arcs.having(int(pins[slot])).take(labels)]
        present = np.zeros(len(completable[0]), dtype=bool)
        present[targets] = True
        sets.append(np.flatnonzero(present & completable[slot + 1]))
    return sets


def widened(sets: Sequence[np.ndarray], completable: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Large sets that follow each other and are nearly the same, replaced by what they have together.

    Their slots share a Step then, which is built once and stays in the cache. What is added can be completed too, but
    is never reached, so it has no part in any probability.
    """
    found, low = list(sets), 1  # not the first: it is where the canvas begins
    while low < len(sets):
        high, union = low + 1, sets[low]
        most = GROWTH * len(union)
        present = np.zeros(len(completable[0]), dtype=bool)
        present[union] = True
        while len(union) >= LARGE and high < len(sets) and np.array_equal(completable[high], completable[low]):
            new = sets[high][~present[sets[high]]]
            most = min(most, GROWTH * len(sets[high]))
            if len(union) + len(new) > most:
                break
            present[new] = True
            union, high = np.flatnonzero(present), high + 1
        found[low:high] = [union] * (high - low)
        low = high
    return found


def _numbered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct values in ascending order, and each value's place among them, Int32."""
    present = np.zeros(int(values.max(initial=-1)) + 1, dtype=bool)
    present[values] = True
    return np.flatnonzero(present), (np.cumsum(present, dtype=np.int32) - 1).take(values)
