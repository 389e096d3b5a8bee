"""The compiled loops over the arcs of one slot.

Arcs are as in `Step`, their indices unsigned: an index that might be negative is checked each time. Messages and
weights are mantissa times UNIT ** exponent, Float64 and Int32, so that an arc costs a product instead of an exp, and
ways thousands of nats apart have their place beside each other; see `Scaled`.
"""

import numpy as np
from numba import njit

UNIT = 2.0**256  # mantissas lie within UNIT ** -1/2 and UNIT ** 1/2, products of two within 1 / UNIT and UNIT
NEVER = -(1 << 20)  # the exponent of 0: below all others
FARTHEST = 3  # exponents apart at which the smaller one counts for nothing
SCALE = UNIT ** np.arange(-float(FARTHEST), FARTHEST + 1)
LEAST_SHARE = 1e-100  # a state that is less probable passes nothing on: together they are far below 1e-30


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def backward(starts, label, target, weight, weight_exponent, after, after_exponent, found, exponent):
    """Per state the sum over its arcs of weight[label] * after[target], into found and exponent; 0 without any."""
    for state in range(np.uint64(starts.size - 1)):
        total, power = 0.0, np.int32(NEVER)
        first = starts[state]
        if first < starts[state + np.uint64(1)]:  # mostly all have the same exponent
            power = weight_exponent[label[first]] + after_exponent[target[first]]
        for arc in range(first, starts[state + np.uint64(1)]):
            by, to = label[arc], target[arc]
            product, level = weight[by] * after[to], weight_exponent[by] + after_exponent[to]
            if level == power:
                total += product
            elif level < power:
                if level >= power - FARTHEST:
                    total += product * SCALE[level - power + FARTHEST]
            else:
                kept = SCALE[power - level + FARTHEST] if power >= level - FARTHEST else 0.0
                total, power = total * kept + product, level
        if total >= SCALE[FARTHEST + 1] ** 0.5:
            total, power = total / UNIT, power + np.int32(1)
        elif total < SCALE[FARTHEST - 1] ** 0.5:
            total, power = total * UNIT, power - np.int32(1)
        found[state], exponent[state] = total, power if total > 0.0 else np.int32(NEVER)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def forward(
    starts, label, target, weight, weight_exponent, after, after_exponent, before, exponent, share, bundles, reached
):
    """Add share[state] * weight[label] * after[target] / before[state] of all arcs to bundles[label], reached[target].

    before is what `backward` found; a state without any way on has no share.
    """
    for state in range(np.uint64(starts.size - 1)):
        if share[state] < LEAST_SHARE or before[state] == 0.0:
            continue
        scaled = share[state] / before[state]
        for arc in range(starts[state], starts[state + np.uint64(1)]):
            by, to = label[arc], target[arc]
            passed = scaled * weight[by] * after[to]
            level = weight_exponent[by] + after_exponent[to] - exponent[state]
            if level != 0:
                passed = passed * SCALE[level + FARTHEST] if -FARTHEST <= level <= FARTHEST else 0.0
            bundles[by] += passed
            reached[to] += passed


@njit(cache=True, nogil=True, fastmath={"nnan"})
def best(starts, label, target, weights, after, found):
    """Per state the largest weights[label] + after[target] of its arcs into found, logarithms all; -inf without any."""
    for state in range(np.uint64(starts.size - 1)):
        most = -np.inf
        for arc in range(starts[state], starts[state + np.uint64(1)]):
            most = max(most, weights[label[arc]] + after[target[arc]])
        found[state] = most
