"""Transitions that lead the same way, taken together: from one state to another by any class of a bundle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dgsolve.constraints.indexed_table import IndexedTable
from dgsolve.language.ragged import ranges


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arcs of state q are offsets[q]:offsets[q + 1] of targets and bundles; no two of them have the same target.

    Bundle m has the classes members[starts[m]:starts[m + 1]], ascending. A schema has a few hundred different bundles,
    and a fourth of its transitions as arcs where its strings have a maxLength.
    """

    offsets: np.ndarray
    targets: np.ndarray
    bundles: np.ndarray
    starts: np.ndarray
    members: np.ndarray

    @classmethod
    def of(cls, table: IndexedTable) -> Arcs:
        states = len(table.distance)
        order = np.argsort(table.origins.astype(np.int64) * states + table.targets, kind="stable")
        origins, targets, classes = table.origins[order], table.targets[order], table.classes[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = (origins[1:] != origins[:-1]) | (targets[1:] != targets[:-1])
        begin = np.flatnonzero(first)
        # equal sets of classes have equal sums of 64 random bits, and others all but never
        bits = np.random.default_rng(0).integers(0, 1 << 64, len(table.class_sizes), np.uint64)
        sums = np.add.reduceat(bits[classes], begin)
        _, example, bundles = np.unique(sums, return_index=True, return_inverse=True)
        sizes = np.diff(np.append(begin, len(order)))[example]
        starts = np.append(0, np.cumsum(sizes))
        members = classes[np.repeat(begin[example] - starts[:-1], sizes) + np.arange(starts[-1])]
        offsets = np.searchsorted(origins[begin], np.arange(states + 1))
        return cls(offsets, targets[begin], bundles.astype(np.int32), starts, members)

    def leaving(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How many arcs leave each of some states, Int [n]; and of all these the targets and bundles."""
        low = self.offsets[states]
        counts = self.offsets[states + 1] - low
        edges = ranges(low, counts)
        return counts, self.targets.take(edges), self.bundles.take(edges)

    def having(self, token_class: int) -> np.ndarray:
        """Bool [bundles]: those with the class."""
        found = np.zeros(len(self.starts) - 1, dtype=bool)
        places = np.flatnonzero(self.members == token_class)
        found[np.searchsorted(self.starts, places, side="right") - 1] = True
        return found
