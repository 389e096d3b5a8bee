"""Sums over the largest token classes by matrix products, without gathering a logit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.constraints.dense_layout import DEPTH, WIDTH, DenseLayout

LEAST = -87.0  # exp(LEAST) is nothing beside 1; below it exp would leave float32's normal range, which is very slow
ROWS = 128  # slots read together
CENTRED = 32.0  # a slot whose largest logit is this near to 0 is not shifted
ABOVE, BELOW = 50.0, -55.0  # nats from the shift within which the largest logit, and the sum of a class, must be
TOP = 4  # blocks of a slot for each class, in which the largest logits are looked for
SAMPLE = 1024  # logits of a slot by which its shift is chosen
GATHERED = 1 << 21  # logits that are gathered at a time


@dataclass(frozen=True, eq=False)
class DenseSums:
    """What one pass found of the d classes of a layout in r slots.

    shift [r] was subtracted from the logits; total Float [n, r, d], of each chunk: the sum of exp; log_sum, entropy
    [r, d] as in ClassSums; exact Bool [r, d]: those that were summed one by one, as float32 holds not all they span;
    block_best Float [r, b]: the largest logit of each block.
    """

    layout: DenseLayout
    logits: Tensor
    slots: np.ndarray
    total: np.ndarray
    log_sum: np.ndarray
    entropy: np.ndarray
    exact: np.ndarray
    block_best: np.ndarray

    @classmethod
    def of(cls, logits: Tensor, slots: Sequence[int], layout: DenseLayout) -> DenseSums:
        """Of some rows of `logits`, Float [W, V]."""
        rows, kinds = len(slots), len(layout.members)
        block_best = torch.empty(rows, layout.block_count, device=logits.device)
        found = torch.empty(len(layout.chunks), 2, rows, kinds, device=logits.device)
        shift = torch.empty(rows, device=logits.device)
        for low, high in _runs(slots):
            group = logits[slots[low] : slots[low] + high - low]
            shift[low:high] = _shift(group)
            _read(group, shift[low:high], layout, block_best[low:high], found[:, :, low:high])
        total, best, moved = found.cpu().numpy(), block_best.cpu().numpy(), shift.cpu().numpy().astype(np.float64)
        sums, moments = total.sum(0, dtype=np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            log_total = np.log(sums)
            entropy = np.maximum(log_total - moments / sums, 0.0)
            sound = (best.max(1) <= np.minimum(moved + ABOVE, -LOGIT_FLOOR)) & (moved >= LOGIT_FLOOR - 2 * LEAST)
            exact = ~(sound[:, None] & (log_total >= BELOW))
        answer = cls(layout, logits, np.array(slots), total[:, 0], log_total + moved[:, None], entropy, exact, best)
        for kind in np.flatnonzero(exact.any(0)).tolist():
            bad = np.flatnonzero(exact[:, kind])
            answer.log_sum[bad, kind], answer.entropy[bad, kind], _, _ = answer.gathered(kind, bad)
        return answer

    @cached_property
    def _largest(self) -> tuple[np.ndarray, np.ndarray]:
        """The largest logit of each class or, where the second, Int [r, d], is -1 instead of its token, a bound."""
        bound, tokens, x = self._candidates()
        best, token = np.minimum(self.log_sum, bound[:, None]), np.full(self.log_sum.shape, -1)
        row, place = np.nonzero(x > bound[:, None])
        found, value = tokens[row, place], x[row, place]
        kind = self.layout.kind[found]
        order = np.lexsort((-found, value))  # what is written last stays: the largest, of equals the lowest token
        order = order[kind[order] < len(self.layout.members)]
        best[row[order], kind[order]], token[row[order], kind[order]] = value[order], found[order]
        for kinds in np.flatnonzero(self.exact.any(0)).tolist():
            bad = np.flatnonzero(self.exact[:, kinds])
            _, _, best[bad, kinds], token[bad, kinds] = self.gathered(kinds, bad)
        return best, token

    def _candidates(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Per slot: a bound, and tokens Int [r, c] with their logits; all tokens with larger ones are among them."""
        blocks, most = np.nan_to_num(self.block_best, nan=-np.inf), TOP * len(self.layout.members)
        if blocks.shape[1] > most:
            values, places = torch.from_numpy(blocks).topk(most + 1, dim=1)
            bound, chosen = values[:, most].numpy(), places[:, :most].numpy()
        else:
            bound = np.full(len(blocks), -np.inf, np.float32)
            chosen = np.broadcast_to(np.arange(blocks.shape[1]), blocks.shape)
        tokens = self.layout.tokens_of(chosen).reshape(len(blocks), -1)
        # not bounded: what would need it is summed one by one, and its largest logit found so too
        x = gather_rows(self.logits, self.slots.tolist(), torch.from_numpy(tokens)).float().cpu().numpy()
        return bound, tokens, x

    @property
    def best(self) -> np.ndarray:
        """Float64 [r, d]: the largest logit of each class, or a bound on it."""
        return self._largest[0]

    def proven(self, row: int, kind: int) -> bool:
        """Whether `best` is more than a bound."""
        return bool(self._largest[1][row, kind] >= 0)

    def prove(self, kind: int) -> None:
        """Replace the bounds on a class by its largest logits."""
        best, token = self._largest
        rows = np.flatnonzero(token[:, kind] < 0)
        _, _, best[rows, kind], token[rows, kind] = self.gathered(kind, rows)

    def best_token(self, row: int, kind: int) -> np.ndarray:
        """Int [1]: the most probable token of a class in a slot; the lowest of equals."""
        if not self.proven(row, kind):
            self.prove(kind)
        return np.array([self._largest[1][row, kind]])

    def part(self, row: int, kind: int, uniform: float) -> tuple[np.ndarray, float]:
        """Tokens of a class among which to draw, by a number in 0 .. 1, and what is left of the number."""
        if self.exact[row, kind]:
            return self.layout.members[kind], uniform
        chunk, rest = pick(self.total[:, row, kind], uniform)
        first, depth, width = self.layout.chunks[chunk]
        return first + np.flatnonzero(self.layout.kind[first : first + depth * width] == kind), rest

    def gathered(self, kind: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Log of the sum, entropy, largest logit and its token of one class in some slots, one logit after another."""
        members, found = self.layout.members[kind], np.empty((4, len(rows)))
        for low in range(0, len(rows), max(1, GATHERED // len(members))):
            some = slice(low, low + max(1, GATHERED // len(members)))
            x = self._logits(rows[some], members)
            best, place = x.max(1), x.argmax(1)
            below = x - best[:, None]
            e = np.exp(below)
            total = e.sum(1)
            entropy = np.log(total) - (e * below).sum(1) / total
            found[:, some] = np.log(total) + best, np.maximum(entropy, 0.0), best, members[place]
        return found[0], found[1], found[2], found[3].astype(np.int64)

    def _logits(self, rows: np.ndarray, tokens: np.ndarray) -> np.ndarray:
        """Float64 [r, c], bounded: of the same tokens, Int [c], in some slots."""
        x = gather_rows(self.logits, self.slots[rows].tolist(), torch.from_numpy(tokens))
        return bounded(x).double().cpu().numpy()


def gather_rows(logits: Tensor, slots: Sequence[int], index: Tensor) -> Tensor:
    """Of some rows of `logits`, Float [W, V], the places `index`, Int [r, c] or [c] in all of them: Float [r, c]."""
    index = index.expand(len(slots), -1).to(logits.device)
    if logits.is_cuda:
        return logits[torch.tensor(slots, device=logits.device)[:, None], index]
    found = torch.empty(index.shape, dtype=logits.dtype)
    for slot, places, out in zip(slots, index.unbind(0), found.unbind(0), strict=True):
        torch.index_select(logits[slot], 0, places, out=out)  # an index over both dimensions is ten times as slow
    return found


def bounded(logits: Tensor) -> Tensor:
    """Float32, finite whatever the model gives."""
    return logits.float().nan_to_num(nan=LOGIT_FLOOR).clamp_(LOGIT_FLOOR, -LOGIT_FLOOR)


def pick(weights: np.ndarray, uniform: float) -> tuple[int, float]:
    """The place in proportion to `weights` that a number in 0 .. 1 falls on, and how far into it, in 0 .. 1."""
    ends = np.cumsum(weights, dtype=np.float64)
    position = uniform * ends[-1]
    place = min(int(np.searchsorted(ends, position, side="right")), int(np.flatnonzero(weights)[-1]))
    width = float(weights[place])
    return place, min(max((position - (ends[place] - width)) / width, 0.0), 1.0)


def _runs(slots: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The places low:high of slots that follow each other, ROWS at most."""
    low = 0
    for place in range(1, len(slots) + 1):
        if place == len(slots) or place - low == ROWS or slots[place] != slots[place - 1] + 1:
            yield low, place
            low = place


def _shift(rows: Tensor) -> Tensor:
    """Float [r]: about the largest logit of each row, by some of them; 0 where that is near enough."""
    largest = rows[:, :: max(1, rows.shape[1] // SAMPLE)].float().amax(1).nan_to_num()
    return largest.where(largest.abs() > CENTRED, 0.0)


def _read(rows: Tensor, shift: Tensor, layout: DenseLayout, block_best: Tensor, found: Tensor) -> None:
    """Of some rows, Float [r, V], into `found` [n, 2, r, d]: sums of e = exp(x - shift) and of e * (x - shift)."""
    work = torch.empty(2 * len(rows), DEPTH * WIDTH, device=rows.device)
    sums = torch.empty(len(work), len(layout.members), device=rows.device)
    one_hot, shifted, block = layout.one_hot.to(rows.device), bool((shift != 0).any()), 0
    for number, (first, depth, width) in enumerate(layout.chunks):
        size = depth * width
        x, both = rows[:, first : first + size].float(), work[:, :size]
        e, moment = both[: len(rows)], both[len(rows) :]
        torch.amax(x.unflatten(1, (width, depth)), 2, out=block_best[:, block : block + width])
        if shifted:
            torch.sub(x, shift[:, None], out=moment)
            moment.clamp_(min=LEAST)
        else:
            torch.clamp(x, min=LEAST, out=moment)
        torch.exp(moment, out=e)
        moment *= e
        torch.mm(both, one_hot[first : first + size], out=sums)
        found[number] = sums.view(2, len(rows), -1)
        block += width
