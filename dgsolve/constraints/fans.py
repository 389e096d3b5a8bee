"""The arcs of one slot in an order in which most sums over them run along the rows of matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dgsolve.language.ragged import ranges

LEAST_ARCS = 2048  # arcs of states that leave alike are worth a block of their own
LOWEST = -1e300  # what a state without any way on is compared with: -inf - -inf is NaN


@dataclass(frozen=True, eq=False)
class Fan:
    """States side by side that leave by the same bundles: states and arcs are ranges in the order of `Fans`.

    Arc j of state i is at place j * n + i of the arcs, and has the bundle labels[j].
    """

    labels: np.ndarray
    states: slice
    arcs: slice

    def weighted(self, terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """A view [d, n] of its part of `terms`, one for every arc, to which the weights of the bundles were added."""
        x = terms[self.arcs].reshape(len(self.labels), -1)
        x += weights.take(self.labels)[:, None]
        return x


@dataclass(frozen=True, eq=False)
class Fans:
    """All arcs of one slot: first those of the fans, then those of all other states one state after another.

    order Int [n]: the states that have any; size: of all; targets Int [e]: where each arc leads. Of the other states
    `degree` says how many arcs leave each, starts where these begin, and labels the bundle of each arc.
    """

    size: int
    order: np.ndarray
    targets: np.ndarray
    fans: tuple[Fan, ...]
    degree: np.ndarray
    starts: np.ndarray
    labels: np.ndarray

    @classmethod
    def of(cls, starts: np.ndarray, label: np.ndarray, target: np.ndarray, kinds: np.ndarray) -> Fans:
        """Arcs as in `Step`; states of the same number in `kinds`, Int [n], leave alike; -1: like no other."""
        degree, counts = np.diff(starts), np.bincount(kinds + 1)
        arcs_of = np.bincount(kinds + 1, degree)
        large = np.flatnonzero(arcs_of[1:] >= LEAST_ARCS)
        order = np.argsort(np.where(np.isin(kinds, large), kinds, len(counts)), kind="stable")
        targets, fans, first_state, first_arc = [], [], 0, 0
        for count in counts[1:][large].tolist():
            states = order[first_state : first_state + count]
            low, high = int(starts[states[0]]), int(starts[states[0] + 1])
            targets.append(target.take(starts[states] + np.arange(high - low)[:, None]).ravel())
            arcs = slice(first_arc, first_arc + len(targets[-1]))
            fans.append(Fan(label[low:high], slice(first_state, first_state + count), arcs))
            first_state, first_arc = first_state + count, arcs.stop
        others = order[first_state:]
        others = others[degree[others] > 0]
        order, degree = np.concatenate([order[:first_state], others]), degree[others]
        edges, begin = ranges(starts[others], degree), np.cumsum(degree) - degree
        targets.append(target.take(edges))
        leading = np.concatenate(targets).astype(np.intp)
        return cls(len(kinds), order, leading, tuple(fans), degree, begin, label.take(edges))

    @property
    def _others(self) -> tuple[slice, slice]:
        """The other states and their arcs."""
        return slice(len(self.order) - len(self.degree), None), slice(len(self.targets) - len(self.labels), None)

    def log_sums(self, weights: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Per state log of the sum over its arcs of exp(weights[bundle] + after[target]), Float64; -inf without any."""
        terms, found = after.take(self.targets), np.empty(len(self.order))
        with np.errstate(divide="ignore"):
            for fan in self.fans:
                x = fan.weighted(terms, weights)
                best = np.maximum(x.max(0), LOWEST)
                x -= best
                found[fan.states] = np.log(np.exp(x, out=x).sum(0)) + best
            if len(self.degree):
                states, arcs = self._others
                x = terms[arcs] + weights.take(self.labels)
                best = np.maximum(np.maximum.reduceat(x, self.starts), LOWEST)
                x -= best.repeat(self.degree)
                found[states] = np.log(np.add.reduceat(np.exp(x, out=x), self.starts)) + best
        return self._by_state(found)

    def best(self, weights: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Per state the largest weights[bundle] + after[target], Float64; -inf where it has no arc."""
        terms, found = after.take(self.targets), np.empty(len(self.order))
        for fan in self.fans:
            fan.weighted(terms, weights).max(0, out=found[fan.states])
        if len(self.degree):
            states, arcs = self._others
            found[states] = np.maximum.reduceat(terms[arcs] + weights.take(self.labels), self.starts)
        return self._by_state(found)

    def flow(
        self, weights: np.ndarray, after: np.ndarray, before: np.ndarray, share: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Sums of share[state] * exp(weights[bundle] + after[target] - before[state]), by bundle and by target.

        A state without any way on, -inf in `before`, has no share.
        """
        terms, share = after.take(self.targets), share.take(self.order)
        before = np.where(before == -np.inf, np.inf, before).take(self.order)
        bundles = np.zeros(len(weights))
        for fan in self.fans:
            x = fan.weighted(terms, weights)
            x -= before[fan.states]
            np.exp(x, out=x)
            x *= share[fan.states]
            bundles[fan.labels] += x.sum(1)
        if len(self.degree):
            states, arcs = self._others
            x = terms[arcs]
            x += weights.take(self.labels)
            x -= before[states].repeat(self.degree)
            np.exp(x, out=x)
            x *= share[states].repeat(self.degree)
            bundles += np.bincount(self.labels, x, len(bundles))
        return bundles, np.bincount(self.targets, terms, len(after))

    def _by_state(self, found: np.ndarray) -> np.ndarray:
        """What was found in the order of the arcs, of all states."""
        values = np.full(self.size, -np.inf)
        values[self.order] = found
        return values
