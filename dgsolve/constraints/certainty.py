"""How sure each token of a text was, when it was chosen among those that fit after the tokens before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.constraints.bounded_logits import BLANK, LEAST, bounded, gather_rows
from dgsolve.constraints.token_set import TokenSet

NEAR = 1 << 16  # logits read at a time on a CPU, so that they stay in its cache
FAR = 1 << 22  # and elsewhere, where a call costs as much as reading so many


def far(tensor: Tensor) -> bool:
    """Whether it lies where to ask costs more than to compute: on another device."""
    return tensor.device.type != "cpu"


def certainty(among: Sequence[TokenSet | None], logits: Tensor, tokens: Sequence[int]) -> np.ndarray:
    """Float64 [2, n]: the probability of each token, and the entropy of its slot in nats.

    They are of the softmax over the tokens in `among`, of which the slot's token is one; None: the slot is certain.
    logits Float [W, V] of the slots, tokens Int [W]; n, the length of `among`, at most W.
    """
    found = np.array([[1.0], [0.0]]).repeat(len(among), 1)
    few: list[int] = []
    many: dict[TokenSet, list[int]] = {}
    for slot, held in enumerate(among):
        if held is not None and held.size > 1:
            (few if held.few else many.setdefault(held, [])).append(slot)
    if few:
        ids = [held.ids for slot in few if (held := among[slot]) is not None]
        found[:, few] = _of_few(ids, few, logits, [tokens[slot] for slot in few])
    if many:
        slots = [slot for some in many.values() for slot in some]
        found[:, slots] = _of_many(many, slots, logits, [tokens[slot] for slot in slots])
    return found


def _of_few(ids: Sequence[np.ndarray], slots: Sequence[int], logits: Tensor, tokens: Sequence[int]) -> np.ndarray:
    """Of some slots, [2, n], among few tokens each: all are looked up at once."""
    sizes = [len(part) for part in ids]
    starts, every = np.cumsum([0, *sizes[:-1]]), np.concatenate(ids)
    x = _looked_up(logits, np.repeat(slots, sizes), every)
    below = x - np.repeat(np.maximum.reduceat(x, starts), sizes)
    own = every == np.repeat(tokens, sizes)
    e = np.where(own, 0.0, np.exp(below))
    return _law(below[own], np.add.reduceat(e, starts), np.add.reduceat(e * below, starts))


def _of_many(
    many: Mapping[TokenSet, Sequence[int]], slots: Sequence[int], logits: Tensor, tokens: Sequence[int]
) -> np.ndarray:
    """Of some slots, [2, n], among many tokens: by set, the slots of each; in the same order slots and tokens."""
    best, rest, moment = _sums(many, logits, tokens)
    if not ((best <= -LOGIT_FLOOR) & (best >= LOGIT_FLOOR - LEAST)).all():  # nor if it is no number
        best, rest, moment = _sums(many, bounded(logits), tokens)
    return _law(_looked_up(logits, np.array(slots), np.array(tokens)) - best, rest, moment)


def _law(own: np.ndarray, rest: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """[2, n], from each slot's own x, and sums of e = exp(x) and of e x over the others; x counts from the largest.

    What is left beside 1 says more exactly than the whole how little the others have.
    """
    share = np.exp(own)
    total = share + rest
    # entropy = log(sum e) - sum e x / sum e
    entropy = np.log1p(rest - (1 - share)) - (moment + share * own) / total
    return np.stack([share / total, np.maximum(entropy, 0.0)])


def _sums(many: Mapping[TokenSet, Sequence[int]], logits: Tensor, tokens: Sequence[int]) -> np.ndarray:
    """Float64 [3, n]: of each slot the largest logit; and, x being a logit less that, what `_law` asks for."""
    rows = max(1, (FAR if far(logits) else NEAR) // logits.shape[1])
    work = torch.empty(2, rows, logits.shape[1], device=logits.device)
    owners = (held for held, slots in many.items() for _ in slots)
    places = [held.place(token) for held, token in zip(owners, tokens, strict=True)]
    place = torch.tensor(places, device=logits.device)[:, None]
    sums, done = torch.empty(3, len(tokens), device=logits.device), 0
    for held, slots in many.items():
        for low in range(0, len(slots), rows):
            some = slots[low : low + rows]
            mine = slice(done, done := done + len(some))
            x, e = work[:, : len(some), : None if held.most else held.size]
            _read(held, some, logits, x)
            best = torch.amax(x, 1, out=sums[0, mine])
            x.sub_(best[:, None]).clamp_(min=LEAST)  # below it exp is slow, and nothing beside 1
            x.scatter_(1, place[mine], LEAST)
            torch.sum(torch.exp(x, out=e), 1, out=sums[1, mine])
            torch.sum(e.mul_(x), 1, out=sums[2, mine])
    return sums.cpu().double().numpy()


def _read(held: TokenSet, slots: Sequence[int], logits: Tensor, x: Tensor) -> None:
    """Fill x, Float [r, .], with the set's logits of some slots; or with all of them, those not of the set blank."""
    if not held.most:
        x.copy_(gather_rows(logits, slots, torch.from_numpy(held.ids)))
        return
    for row, slot in zip(x, slots, strict=True):
        row.copy_(logits[slot])
    x.index_fill_(1, torch.from_numpy(held.others).to(logits.device), BLANK)


def _looked_up(logits: Tensor, slots: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Float64 [n], bounded: of each slot the logit of its token; slots, tokens Int [n]."""
    index = torch.from_numpy(slots * logits.shape[1] + tokens).to(logits.device)
    return bounded(logits.reshape(-1).index_select(0, index)).cpu().double().numpy()
