"""Exact inference over one canvas: a Markov chain of automaton states, forwards and backwards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from dgsolve.constraints.token_lattice import Step

LINEAR_RANGE = 600.0  # nats that products of two float64 may span without underflow (the least is exp(-708))
KEPT_ARCS = 8_000_000  # of one canvas whose products wait for the forward pass, 8 bytes each; the rest are formed again

Products = tuple[np.ndarray, float]


class TokenChain:
    """The states that a canvas passes, given what each slot thinks of each class.

    log_sums: per slot, over the step's bundles, log W(m). With b_i(q) the summed weight of all ways to fill slots i on
    from q (b is 1 behind the last slot), the chain leaves q by the arc of bundle m to q' with probability
        P_i(q, q') = W_i(m) b_{i+1}(q') / b_i(q),
    which lies in 0 .. 1, so nothing after the backward pass can underflow in a way that matters. Messages are kept as
    logarithms; a slot is summed in plain numbers, scaled by its largest, unless they span too many magnitudes.
    """

    def __init__(self, steps: Sequence[Step], log_sums: Sequence[np.ndarray]) -> None:
        self.steps, self.log_sums = steps, log_sums
        self.messages = [np.zeros(len(steps[-1].after) if steps else 1)]  # log b, before each slot and after the last
        self._kept: dict[int, Products] = {}
        self._room = KEPT_ARCS
        for slot in range(len(steps) - 1, -1, -1):
            self.messages.append(self._message(slot, self.messages[-1]))
        self.messages.reverse()

    @property
    def log_total(self) -> float:
        """Log of the summed weight of all canvases that fit."""
        return float(self.messages[0][0])

    @property
    def bundle_probability(self) -> list[np.ndarray]:
        """Per slot, the probability of each of the step's bundles."""
        return self._forwards[0]

    @property
    def state_probability(self) -> list[np.ndarray]:
        """Before each slot and after the last, the probability of each of the step's states."""
        return self._forwards[1]

    @cached_property
    def _forwards(self) -> tuple[list[np.ndarray], list[np.ndarray]]:
        bundles: list[np.ndarray] = []
        states: list[np.ndarray] = [np.ones(1)]
        for slot, step in enumerate(self.steps):
            taken = self._taken(slot, states[-1])
            bundles.append(np.bincount(step.label, taken))
            states.append(np.bincount(step.target, taken))
        return bundles, states

    def _taken(self, slot: int, state: np.ndarray) -> np.ndarray:
        """The probability of every arc of a slot, Float64 [e], by that of each state before it."""
        step, weights, after = self.steps[slot], self.log_sums[slot], self.messages[slot + 1]
        found = self._kept.pop(slot, None) or _products(step, weights, after)
        if found is None:
            terms = weights.take(step.label) + after.take(step.target) - self.messages[slot].repeat(step.degree)
            taken: np.ndarray = np.exp(terms) * state.repeat(step.degree)
            return taken
        product, shift = found
        product *= (state * np.exp(shift - self.messages[slot])).repeat(step.degree)
        return product

    def _message(self, slot: int, after: np.ndarray) -> np.ndarray:
        """log b before the slot."""
        step, weights = self.steps[slot], self.log_sums[slot]
        found = _products(step, weights, after)
        if found is None:
            terms = weights.take(step.label) + after.take(step.target)
            best = np.maximum.reduceat(terms, step.starts[:-1])
            rests = np.add.reduceat(np.exp(terms - best.repeat(step.degree)), step.starts[:-1])
            return np.asarray(np.log(rests) + best)
        product, shift = found
        if len(product) <= self._room:
            self._kept[slot] = found
            self._room -= len(product)
        return np.asarray(np.log(np.add.reduceat(product, step.starts[:-1])) + shift)


def best_messages(steps: Sequence[Step], best: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same with a maximum for the sum: per place, the weight of the best way to fill the slots from there on."""
    messages = [np.zeros(len(steps[-1].after) if steps else 1)]
    for step, weights in zip(reversed(steps), reversed(best), strict=True):
        terms = weights.take(step.label)
        terms += messages[-1].take(step.target)
        messages.append(np.maximum.reduceat(terms, step.starts[:-1]))
    messages.reverse()
    return messages


def _products(step: Step, weights: np.ndarray, after: np.ndarray) -> Products | None:
    """W_i(m) b_{i+1}(q') of every arc, divided by exp of the second answer; None where they span too much."""
    best, top = weights.max(), after.max()
    if best - weights.min() + top - after.min() >= LINEAR_RANGE:
        return None
    product = np.exp(weights - best).take(step.label)
    product *= np.exp(after - top).take(step.target)
    return product, float(best + top)
