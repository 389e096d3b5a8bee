"""Exact inference over one canvas: a Markov chain of automaton states, forwards and backwards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from dgsolve.constraints.token_lattice import Step


class TokenChain:
    """The states that a canvas passes, given what each slot thinks of each class.

    log_sums: per slot, over the step's bundles, log W(m). With b_i(q) the summed weight of all ways to fill slots i on
    from q (b is 1 behind the last slot), the chain leaves q by the arc of bundle m to q' with probability
        P_i(q, q') = W_i(m) b_{i+1}(q') / b_i(q),
    which lies in 0 .. 1, so nothing after the backward pass can underflow in a way that matters. Messages are kept as
    logarithms.
    """

    def __init__(self, steps: Sequence[Step], log_sums: Sequence[np.ndarray]) -> None:
        self.steps, self.log_sums = steps, log_sums
        self.messages = [np.zeros(len(steps[-1].after) if steps else 1)]  # log b, before each slot and after the last
        for step, weights in zip(reversed(steps), reversed(log_sums), strict=True):
            self.messages.append(step.fans.log_sums(weights, self.messages[-1]))
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
            before, after = self.messages[slot : slot + 2]
            taken, reached = step.fans.flow(self.log_sums[slot], after, before, states[-1])
            bundles.append(taken)
            states.append(reached)
        return bundles, states


def best_messages(steps: Sequence[Step], best: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same with a maximum for the sum: per place, the weight of the best way to fill the slots from there on."""
    messages = [np.zeros(len(steps[-1].after) if steps else 1)]
    for step, weights in zip(reversed(steps), reversed(best), strict=True):
        messages.append(step.fans.best(weights, messages[-1]))
    messages.reverse()
    return messages
