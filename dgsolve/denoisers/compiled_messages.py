"""The compiled loops of the messages of factors; apart, since what reads no factors need not wait for the compiler."""

import numpy as np
from numba import njit

from dgsolve.denoisers.factor_messages import FAINTEST


@njit(cache=True)
def listen(
    arcs: np.ndarray,
    blocks: np.ndarray,
    begins: np.ndarray,
    ends: np.ndarray,
    states: int,
    least: float,
    weights: np.ndarray,
    said: np.ndarray,
) -> None:
    """Fill `said`: forward and backward over the arcs, each edge's mass without its own weight, and what follows."""
    forward, backward, mass = np.zeros(states), np.zeros(states), np.zeros(len(weights))
    forward[begins] = 1.0
    backward[ends] = 1.0
    scaled = np.where(weights > 0, np.maximum(weights, least), 0.0)
    for k in range(len(arcs)):
        forward[arcs[k, 2]] += forward[arcs[k, 0]] * scaled[arcs[k, 1]]
    for k in range(len(arcs) - 1, -1, -1):
        before, edge, after = arcs[k, 0], arcs[k, 1], arcs[k, 2]
        backward[before] += backward[after] * scaled[edge]
        mass[edge] += forward[before] * backward[after]
    for block in range(len(blocks) - 1):
        most, whole = 0.0, 0.0
        for edge in range(blocks[block], blocks[block + 1]):
            if scaled[edge] > 0:
                most = max(most, mass[edge])
                whole += mass[edge] * scaled[edge]
        if most <= 0.0:
            continue
        for edge in range(blocks[block], blocks[block + 1]):
            likelihood = mass[edge] / most
            said[edge, 0] = max(np.log(max(likelihood, 1e-300)), -FAINTEST) * 4 / FAINTEST
            said[edge, 1] = likelihood
            said[edge, 2] = mass[edge] * scaled[edge] / whole
            said[edge, 3] = scaled[edge]
