"""How sure each token of a text was, when it was chosen after those before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from dgsolve.constraints.class_reduction import bounded
from dgsolve.constraints.indexed_table import IndexedTable
from dgsolve.constraints.left_to_right import FEW


def along(
    table: IndexedTable,
    state: int,
    completable: Sequence[np.ndarray],
    pinned: np.ndarray,
    logits: Tensor,
    tokens: Sequence[int],
) -> tuple[list[float], list[float]]:
    """Probability of each token and entropy (nats) of its slot, among the tokens that fit after those before it.

    As in `left_to_right.greedy`; logits Float [W, V]; tokens Int [W] that fit from `state`. A pinned slot is certain.
    """
    probability, entropy = [], []
    for slot, token in enumerate(tokens):
        low, high = table.offsets[state], table.offsets[state + 1]
        fits = table.classes[low:high][completable[slot + 1][table.targets[low:high]]]
        p, h = (1.0, 0.0) if pinned[slot] >= 0 else _among(table, fits, logits[slot], token)
        probability.append(p)
        entropy.append(h)
        state = table.step(state, token) or 0
    return probability, entropy


def _among(table: IndexedTable, classes: np.ndarray, logits: Tensor, token: int) -> tuple[float, float]:
    """softmax over the tokens of some classes: the share of `token`, and the entropy."""
    if FEW * table.class_sizes[classes].sum() < len(logits):
        ids = np.concatenate([table.members(int(number)) for number in classes])
        chosen = bounded(logits[ids]).cpu().numpy().astype(np.float64)
        mine = chosen[np.flatnonzero(ids == token)[0]]
    else:
        allowed = np.zeros(len(table.class_sizes) + 1, dtype=bool)  # the last one is class -1
        allowed[classes] = True
        row = bounded(logits).cpu().numpy()
        mine, chosen = float(row[token]), row[allowed[table.token_class]]
    shares = np.exp(chosen - chosen.max())
    total = float(shares.sum(dtype=np.float64))
    log_total = float(chosen.max()) + np.log(total)
    mean = float((shares * (chosen - chosen.max())).sum(dtype=np.float64)) / total
    return float(np.exp(mine - log_total)), max(0.0, float(np.log(total)) - mean)
