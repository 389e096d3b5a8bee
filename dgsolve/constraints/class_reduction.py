"""One pass over the logits: what the automaton needs to know of each token class in each slot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.constraints.class_layout import BLANK, CHUNK, Layout
from dgsolve.constraints.dense_sums import LEAST, DenseSums, bounded, gather_rows, pick

FEW = 4  # a layout of fewer than 1 / FEW of the tokens is read for many slots at once


@dataclass(frozen=True, eq=False)
class ClassSums:
    """What one pass found of the k classes of a layout in r slots, x being a slot's logits within the bounds.

    logits Float [W, V]; slots: which r of the W. log_sum [r, k]: log of the sum of exp(x); entropy [r, k]: of the token
    within its class, in nats; gathered_best: the largest x of the classes that are not in `dense`. block_best,
    block_sum Float [r, n]: the largest x of a block, and the sum of exp(x - largest).
    """

    layout: Layout
    logits: Tensor
    slots: Sequence[int]
    log_sum: np.ndarray
    entropy: np.ndarray
    gathered_best: np.ndarray
    block_best: np.ndarray
    block_sum: np.ndarray
    dense: DenseSums | None

    @property
    def best(self) -> np.ndarray:
        """Float64 [r, k]: the largest x of each class, or a bound on it where that is not proven."""
        if self.dense is None:
            return self.gathered_best
        return np.concatenate([self.dense.best, self.gathered_best], axis=1)

    def prove(self, labels: Sequence[int]) -> bool:
        """Whether `best` is a bound for the class, given by its number, of a slot; it is exact in all slots then."""
        if self.dense is None:
            return False
        in_place = [(row, label) for row, label in enumerate(labels) if label < self.layout.dense_count]
        bounds = {label for row, label in in_place if not self.dense.proven(row, label)}
        for label in bounds:
            self.dense.prove(label)
        return bool(bounds)

    def best_tokens(self, rows: Sequence[int], labels: Sequence[int]) -> list[int]:
        """The most probable token of a class, given by its number, in each of some slots; the lowest of equals."""
        ids = []
        for row, label in zip(rows, labels, strict=True):
            number = label - self.layout.dense_count
            if number < 0:
                ids.append(self._dense.best_token(row, label))
                continue
            low, high = self.layout.starts[number], self.layout.starts[number + 1]
            equals = np.flatnonzero(self.block_best[row, low:high] == self.gathered_best[row, number])
            ids.append(self.layout.tokens_of((low + equals).tolist()))
        found = zip(ids, self._logits(rows, ids), strict=True)
        return [int(tokens[logits == logits.max()].min()) for tokens, logits in found]

    def draws(self, rows: Sequence[int], labels: Sequence[int], uniform: Sequence[float]) -> list[int]:
        """A token of a class in each of some slots, in proportion to exp(x), by one number in 0 .. 1 each."""
        ids, rests = [], []
        for row, label, number in zip(rows, labels, uniform, strict=True):
            tokens, rest = self._part(row, label, number)
            ids.append(tokens)
            rests.append(rest)
        found = zip(ids, self._logits(rows, ids), rests, strict=True)
        return [int(tokens[pick(np.exp(logits - logits.max()), rest)[0]]) for tokens, logits, rest in found]

    @property
    def _dense(self) -> DenseSums:
        assert self.dense is not None
        return self.dense

    def _part(self, row: int, label: int, uniform: float) -> tuple[np.ndarray, float]:
        """Tokens of a class among which to draw, by a number in 0 .. 1, and what is left of the number."""
        number = label - self.layout.dense_count
        if number < 0:
            return self._dense.part(row, label, uniform)
        low, high = self.layout.starts[number], self.layout.starts[number + 1]
        best = self.block_best[row, low:high].astype(np.float64)
        block, rest = pick(self.block_sum[row, low:high] * np.exp(best - best.max()), uniform)
        return self.layout.tokens_of([int(low) + block]), rest

    def _logits(self, rows: Sequence[int], ids: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The bounded logits of some tokens in each of some slots."""
        sizes = [len(tokens) for tokens in ids]
        slots = torch.from_numpy(np.repeat(np.array(self.slots)[list(rows)], sizes)).to(self.logits.device)
        found = bounded(self.logits[slots, torch.from_numpy(np.concatenate(ids)).to(self.logits.device)])
        return np.split(found.double().cpu().numpy(), np.cumsum(sizes)[:-1])


def reduce_classes(logits: Tensor, slots: Sequence[int], layout: Layout) -> ClassSums:
    """Reduce some rows of `logits`, Float [W, V]; each logit of the layout is read once."""
    dense = DenseSums.of(logits, slots, layout.dense) if layout.dense else None
    log_sum, entropy, best, block_best, block_sum = _reduce_gathered(logits, slots, layout)
    if dense is not None:
        log_sum = np.concatenate([dense.log_sum, log_sum], axis=1)
        entropy = np.concatenate([dense.entropy, entropy], axis=1)
    return ClassSums(layout, logits, slots, log_sum, entropy, best, block_best, block_sum, dense)


def _reduce_gathered(logits: Tensor, slots: Sequence[int], layout: Layout) -> tuple[np.ndarray, ...]:
    """Of the classes that are not read in place: log_sum, entropy, best, block_best and block_sum."""
    if not layout.parts:
        return (np.empty((len(slots), 0)),) * 5
    block_best, block_sum, block_moment = _by_block(logits, slots, layout)
    starts, blocks = layout.starts[:-1], np.diff(layout.starts)
    best = np.maximum.reduceat(block_best, starts, axis=1)
    # a block's sums are relative to its own best; e = exp(x - best) is relative to the best of the class
    below = block_best - np.repeat(best, blocks, axis=1)
    weight = np.exp(below)
    total = np.add.reduceat(weight * block_sum, starts, axis=1, dtype=np.float64)
    moment = np.add.reduceat(weight * (block_moment + below * block_sum), starts, axis=1, dtype=np.float64)
    log_total = np.log(total)
    # entropy = log(sum e) - sum e (x - best) / sum e
    entropy = np.maximum(log_total - moment / total, 0.0)
    return best + log_total, entropy, best, block_best, block_sum


def _by_block(logits: Tensor, slots: Sequence[int], layout: Layout) -> np.ndarray:
    """Per slot and block, [3, r, n]: max of x, sum of e = exp(x - max), and sum of e * (x - max)."""
    found = torch.empty(3, len(slots), len(layout.occupied), device=logits.device)
    if FEW * layout.tokens < logits.shape[1]:
        _reduce_together(logits, slots, layout, found)
    else:
        _reduce_rows(logits, slots, layout, found)
    columns = found.cpu().numpy()
    # the bounds are checked afterwards: to impose them on every logit costs a third more
    within = (columns[0] <= -LOGIT_FLOOR) & ((columns[0] >= LOGIT_FLOOR) | ~layout.occupied)
    for row in np.flatnonzero(~within.all(1)).tolist():
        columns[:, row : row + 1] = _by_block(bounded(logits[slots[row]])[None], [0], layout)
    return columns


def _reduce_together(logits: Tensor, slots: Sequence[int], layout: Layout, found: Tensor) -> None:
    """Many slots at once."""
    low = 0
    for part in layout.parts:
        index, blanks = part.index.to(logits.device), part.blanks.to(logits.device)
        high, rows = low + part.ids.shape[1], max(1, CHUNK // len(index))
        for first in range(0, len(slots), rows):
            x = gather_rows(logits, slots[first : first + rows], index).float().index_fill_(1, blanks, BLANK)
            x = x.view(-1, *part.ids.shape)  # [r, block, n]
            _reduce(x, torch.empty_like(x), *found[:, first : first + rows, low:high].unbind(0))
        low = high


def _reduce_rows(logits: Tensor, slots: Sequence[int], layout: Layout, found: Tensor) -> None:
    """Slot by slot and part by part, always in the same memory."""
    x, e = (torch.empty(max(part.ids.numel() for part in layout.parts), device=logits.device) for _ in range(2))
    answer = torch.empty(3, len(layout.occupied), device=logits.device)
    low, work = 0, []
    for part in layout.parts:
        high, size = low + part.ids.shape[1], part.ids.numel()
        views = x[:size].view(part.ids.shape), e[:size].view(part.ids.shape), *answer[:, low:high].unbind(0)
        work.append((part, x[:size], views))
        low = high
    for number, slot in enumerate(slots):
        for part, flat, views in work:
            part.read(logits[slot], flat)
            _reduce(*views)
        found[:, number] = answer


def _reduce(x: Tensor, e: Tensor, best: Tensor, total: Tensor, moment: Tensor) -> None:
    """Of x, Float [..., block, n], which is overwritten: max, sum of e = exp(x - max), and sum of e * (x - max)."""
    torch.amax(x, -2, out=best)
    x -= best.unsqueeze(-2)
    x.clamp_(min=LEAST)
    torch.exp(x, out=e)
    torch.sum(e, -2, out=total)
    x *= e
    torch.sum(x, -2, out=moment)
