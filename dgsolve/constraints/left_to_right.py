"""The best fitting token slot by slot: what constrained greedy decoding does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import LeftToRight
from dgsolve.constraints.certainty import certainty, far
from dgsolve.constraints.indexed_table import IndexedTable
from dgsolve.constraints.token_set import TokenSet


class Greedy(LeftToRight):
    """The choices on B canvases, one walk each. logits Float [B, W, V]."""

    def __init__(self, logits: Tensor, walks: Sequence[Walk]) -> None:
        self.logits, self.walks = logits, walks
        chosen = [walk.tokens for walk in walks]
        self.tokens = torch.tensor(chosen, dtype=torch.long, device=logits.device).view(logits.shape[:2])

    def certainty(self, slots: int) -> tuple[Tensor, Tensor]:
        pairs = zip(self.walks, self.logits, strict=True)
        found = [certainty(walk.among[:slots], logits, walk.tokens) for walk, logits in pairs]
        both = torch.from_numpy(np.array(found, dtype=np.float32).reshape(len(found), 2, slots)).to(self.logits.device)
        return both[:, 0], both[:, 1]


@dataclass(frozen=True)
class Walk:
    """The W tokens chosen on a canvas, and the tokens that each was chosen among, None where it was pinned."""

    tokens: list[int]
    among: list[TokenSet | None]


def greedy(
    table: IndexedTable,
    state: int,
    completable: Sequence[np.ndarray],
    pinned: np.ndarray,
    logits: Tensor,
    noise: Tensor | None,
) -> Walk:
    """From `state`, which can be completed, slot by slot the token of largest logit + noise after those before it.

    completable: Bool [Q] before each slot and after the last; pinned Int [W], -1 for any; logits and noise Float
    [W, V]. Of equally good tokens the lowest.
    """
    walk, scores = Walk([], []), _Scores(logits, noise)
    for slot, pin in enumerate(pinned.tolist()):
        low, high = table.offsets[state], table.offsets[state + 1]
        fits = completable[slot + 1][table.targets[low:high]]
        among = table.token_set(table.classes[low:high][fits]) if pin < 0 else None
        token = pin if among is None else scores.best(slot, among)
        after = table.step(state, token)
        if after is None:
            raise AssertionError(f"no transition by token {token} from state {state}")
        walk.tokens.append(token)
        walk.among.append(among)
        state = after
    return walk


class _Scores:
    """logits + noise of one canvas, of which no more is read than is asked for. logits and noise Float [W, V]."""

    def __init__(self, logits: Tensor, noise: Tensor | None) -> None:
        self.logits, self.noise = logits, noise
        self._leaders = self._of_all().argmax(1).tolist() if far(logits) else None

    def best(self, slot: int, among: TokenSet) -> int:
        """The token of the set with the largest score: the row's best where that is of them, as it mostly is."""
        if among.size == 1:
            return int(among.ids[0])
        if not among.few:
            leader = _first_best(self._row(slot)) if self._leaders is None else self._leaders[slot]
            if leader in among:
                return leader
        if not among.most:
            return int(among.ids[_first_best(self._of(slot, among.ids))])
        row = self._row(slot).copy()
        row[among.others] = -np.inf
        best = _first_best(row)
        return best if best in among else int(among.ids[0])  # all that fits is minus infinity

    def _of(self, slot: int, ids: np.ndarray) -> np.ndarray:
        index = torch.from_numpy(ids).to(self.logits.device)
        scores = self.logits[slot].index_select(0, index).float()
        if self.noise is not None:
            scores = scores + self.noise[slot].index_select(0, index)
        return scores.cpu().numpy()

    def _row(self, slot: int) -> np.ndarray:
        row = self.logits[slot].float()
        return (row if self.noise is None else row + self.noise[slot]).cpu().numpy()

    def _of_all(self) -> Tensor:
        scores = self.logits.float()
        scores = scores if self.noise is None else scores + self.noise
        return scores.nan_to_num(nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf)


def _first_best(scores: np.ndarray) -> int:
    """Where the largest is, the first of equals; what is no number is the smallest."""
    best = int(scores.argmax())
    if np.isnan(scores[best]):
        best = int(np.where(np.isnan(scores), -np.inf, scores).argmax())
    return best
