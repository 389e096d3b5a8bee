"""How sure each token of a text was, when it was chosen after those before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.class_layout import BLANK
from dgsolve.constraints.class_reduction import LEAST, bounded
from dgsolve.constraints.indexed_table import IndexedTable


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
    ids = table.tokens_of(classes)
    if 2 * len(ids) < len(logits):
        x = bounded(logits.index_select(0, torch.from_numpy(ids).to(logits.device)))
        mine = x[int(np.searchsorted(ids, token))].clone()
    else:  # most fit: to blank the others costs less than to gather these
        x = bounded(logits)
        mine = x[token].clone()
        x.index_fill_(0, torch.from_numpy(table.tokens_but(classes)).to(logits.device), BLANK)
    best = x.max()
    x.sub_(best).clamp_(min=LEAST)  # below it exp is slow, and nothing beside 1
    shares = x.exp()
    total = float(shares.sum(dtype=torch.float64))
    mean = float(torch.dot(shares, x)) / total
    return float((mine - best).double().exp()) / total, max(0.0, float(np.log(total)) - mean)
