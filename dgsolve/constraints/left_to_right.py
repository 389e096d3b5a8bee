"""The best fitting token slot by slot: what constrained greedy decoding does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.indexed_table import IndexedTable

FEW = 16  # a state that allows less than 1 / FEW of the tokens has them looked at one by one


def greedy(
    table: IndexedTable,
    state: int,
    completable: Sequence[np.ndarray],
    pinned: np.ndarray,
    logits: Tensor,
    noise: Tensor | None,
) -> list[int]:
    """Int [W]: from `state`, which can be completed, the token of largest logit + noise after those before it.

    completable: Bool [Q] before each slot and after the last; pinned Int [W], -1 for any; logits and noise Float
    [W, V]. Of equally good tokens the lowest.
    """
    tokens = []
    for slot, pin in enumerate(pinned.tolist()):
        low, high = table.offsets[state], table.offsets[state + 1]
        fits = completable[slot + 1][table.targets[low:high]]
        token = pin if pin >= 0 else _best(table, table.classes[low:high][fits], logits, noise, slot)
        after = table.step(state, token)
        if after is None:
            raise AssertionError(f"no transition by token {token} from state {state}")
        tokens.append(token)
        state = after
    return tokens


def _best(table: IndexedTable, classes: np.ndarray, logits: Tensor, noise: Tensor | None, slot: int) -> int:
    """The best token of the classes: the row's best where that is of them, as it mostly is, else the best of theirs."""
    ids = table.tokens_of(classes)
    if FEW * len(ids) < logits.shape[1]:
        index = torch.from_numpy(ids).to(logits.device)
        scores = logits[slot].index_select(0, index).float()
        if noise is not None:
            scores = scores + noise[slot].index_select(0, index)
        return int(ids[scores.cpu().numpy().argmax()])
    row = (logits[slot].float() if noise is None else logits[slot].float() + noise[slot]).cpu().numpy()
    best = int(row.argmax())
    if table.token_class[best] in classes:
        return best
    if 2 * len(ids) < len(row):
        return int(ids[row.take(ids).argmax()])
    row = row.copy()  # where most fit, to blank the others costs less than to gather these
    row[table.tokens_but(classes)] = -np.inf
    best = int(row.argmax())
    return best if row[best] > -np.inf else int(ids[0])
