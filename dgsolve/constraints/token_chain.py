"""Exact inference over one canvas: a Markov chain of automaton states, forwards and backwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dgsolve.constraints.token_lattice import Step


@dataclass(frozen=True, eq=False)
class Scaled:
    """Numbers >= 0 of any size: mantissa Float64 [n] times UNIT ** exponent, Int32 [n]."""

    mantissa: np.ndarray
    exponent: np.ndarray

    @classmethod
    def of(cls, logs: np.ndarray) -> Scaled:
        """By their logarithms, Float64 [n], all finite."""
        from dgsolve.constraints.compiled_chain import UNIT

        exponent = np.round(logs / np.log(UNIT))
        return cls(np.exp(logs - exponent * np.log(UNIT)), exponent.astype(np.int32))

    @property
    def parts(self) -> tuple[np.ndarray, np.ndarray]:
        return self.mantissa, self.exponent

    def logs(self, places: slice | np.ndarray = slice(None)) -> np.ndarray:
        """The logarithms of some of them, Float64; -inf of 0."""
        from dgsolve.constraints.compiled_chain import UNIT

        with np.errstate(divide="ignore"):
            found: np.ndarray = np.log(self.mantissa[places]) + self.exponent[places] * np.log(UNIT)
        return found


class TokenChain:
    """The states that a canvas passes, given what each slot thinks of each class.

    log_sums: per slot, over the step's bundles, log W(m). With b_i(q) the summed weight of all ways to fill slots i on
    from q (b is 1 behind the last slot), the chain leaves q by the arc of bundle m to q' with probability
        P_i(q, q') = W_i(m) b_{i+1}(q') / b_i(q),
    which lies in 0 .. 1, so nothing after the backward pass can underflow in a way that matters.
    """

    def __init__(self, steps: Sequence[Step], log_sums: Sequence[np.ndarray]) -> None:
        from dgsolve.constraints.compiled_chain import backward

        self.steps, self._weights = steps, [Scaled.of(sums) for sums in log_sums]
        self.messages = [Scaled.of(_nothing(steps))]  # b, before each slot and after the last
        for step, weights in zip(reversed(steps), reversed(self._weights), strict=True):
            before = Scaled(np.empty(len(step.states)), np.empty(len(step.states), np.int32))
            backward(*step.indices, *weights.parts, *self.messages[-1].parts, *before.parts)
            self.messages.append(before)
        self.messages.reverse()

    @property
    def log_total(self) -> float:
        """Log of the summed weight of all canvases that fit."""
        return float(self.messages[0].logs()[0])

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
        from dgsolve.constraints.compiled_chain import forward

        bundles: list[np.ndarray] = []
        states: list[np.ndarray] = [np.ones(1)]
        for slot, (step, weights) in enumerate(zip(self.steps, self._weights, strict=True)):
            taken, reached = np.zeros(len(weights.mantissa)), np.zeros(len(step.after))
            before, after = self.messages[slot : slot + 2]
            forward(*step.indices, *weights.parts, *after.parts, *before.parts, states[-1], taken, reached)
            bundles.append(taken)
            states.append(reached)
        return bundles, states


def best_messages(steps: Sequence[Step], weights: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same with a maximum for the sum, as logarithms: the weight of the best way to fill the slots from there."""
    from dgsolve.constraints.compiled_chain import best

    messages = [_nothing(steps)]
    for step, logs in zip(reversed(steps), reversed(weights), strict=True):
        found = np.empty(len(step.states))
        best(*step.indices, logs, messages[-1], found)
        messages.append(found)
    messages.reverse()
    return messages


def _nothing(steps: Sequence[Step]) -> np.ndarray:
    """The log of the weight of what follows the last slot."""
    return np.zeros(len(steps[-1].after) if steps else 1)
