"""One pass over the logits: what the automaton needs to know of each token class in each slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import LOGIT_FLOOR
from dgsolve.constraints.bounded_logits import bounded, gather_rows
from dgsolve.constraints.class_layout import BLOCK, Layout
from dgsolve.kernels.class_reduction import ClassRuns, class_reduction

NEAR = 1 << 20  # logits that are copied at a time
LARGE = 4096  # tokens of a class from which on it is faster to draw from all logits in place
ABOVE, BELOW = 50.0, -55.0  # nats from the shift within which the largest logit, and the sum of a class, must be


@dataclass(frozen=True, eq=False)
class ClassSums:
    """What one pass found of the k classes of a layout in r slots, x being a slot's logits within the bounds.

    logits Float [W, V]; slots: which r of the W. Float64 [r, k] log_sum: log of the sum of exp(x); entropy: of the
    token within its class, in nats; best: the largest x. token Int [r, k]: where that is, the lowest of equals;
    where not `located`, one from which on it is among the first BLOCK.
    """

    layout: Layout
    logits: Tensor
    slots: Sequence[int]
    log_sum: np.ndarray
    entropy: np.ndarray
    best: np.ndarray
    token: np.ndarray
    located: bool

    def best_tokens(self, rows: Sequence[int], labels: Sequence[int]) -> list[int]:
        """The most probable token of a class, given by its number, in each of some slots; the lowest of equals."""
        if self.located:
            return [int(token) for token in self.token[list(rows), list(labels)]]
        return [self._located(row, label) for row, label in zip(rows, labels, strict=True)]

    def _located(self, row: int, label: int) -> int:
        from dgsolve.constraints.compiled_sums import place_of

        tokens = self.layout.tokens_of(label)
        tokens = tokens[np.searchsorted(tokens, self.token[row, label]) :][:BLOCK]
        low, high = int(tokens[0]), int(tokens[-1])
        x = self.logits[self.slots[row], low : high + 1].detach().float().numpy()
        return int(tokens[place_of(np.float32(self.best[row, label]), x, tokens, low)])

    def draws(self, rows: Sequence[int], labels: Sequence[int], uniform: Sequence[float]) -> list[int]:
        """A token of a class in each of some slots, in proportion to exp(x), by one number in 0 .. 1 each."""
        here = self.layout.in_place and self.logits.device.type == "cpu" and self.logits.dtype == torch.float32
        drawn = []
        for row, label, number in zip(rows, labels, uniform, strict=True):
            large = len(self.layout.tokens_of(label)) > LARGE and abs(self.best[row, label]) < -LOGIT_FLOOR
            drawn.append((self._drawn_in_place if here and large else self._drawn)(row, label, number))
        return drawn

    def _drawn(self, row: int, label: int, uniform: float) -> int:
        tokens, logits = self.layout.tokens_of(label), self.logits[self.slots[row]]
        x = bounded(logits.index_select(0, torch.from_numpy(tokens).to(logits.device)))
        weights = (x - x.max()).exp_().cpu().numpy()
        return int(tokens[pick(weights, uniform)[0]])

    def _drawn_in_place(self, row: int, label: int, uniform: float) -> int:
        from dgsolve.constraints.compiled_sums import drawn_place

        best, logits = self.best[row, label], self.logits[self.slots[row]].detach().numpy()
        tokens, goal = self.layout.tokens_of(label), uniform * np.exp(self.log_sum[row, label] - best)
        return int(tokens[drawn_place(logits, tokens, np.float32(best), goal)])


def reduce_classes(logits: Tensor, slots: Sequence[int], layout: Layout) -> ClassSums:
    """Reduce some rows of `logits`, Float [W, V]; each logit of the layout is read once."""
    here = logits.device.type == "cpu"
    log_sum, entropy, best, token = (reduce_here if here else reduce_there)(logits, slots, layout)
    return ClassSums(layout, logits, slots, log_sum, entropy, best, token.astype(np.int32), located=not here)


def reduce_here(logits: Tensor, slots: Sequence[int], layout: Layout) -> np.ndarray:
    """By compiled loops: log_sum, entropy, best and token of `ClassSums`, [4, r, k]; logits on a CPU."""
    from dgsolve.constraints import compiled_sums

    shape = len(slots), layout.count
    shift, best = np.empty(len(slots), np.float32), np.empty(shape, np.float32)
    total, moment, block = np.empty(shape), np.empty(shape), np.zeros(shape, np.int32)
    low = 0
    for x, rows in _copied(logits, slots, layout):
        some = slice(low, low := low + len(rows))
        found = shift[some], total[some], moment[some], best[some], block[some]
        _in_threads(partial(compiled_sums.class_sums, x.detach().numpy()), rows, layout, found)
    with np.errstate(invalid="ignore", divide="ignore"):
        log_total = np.log(total)
        answer = np.stack([log_total + shift[:, None], np.maximum(log_total - moment / total, 0.0), best, block])
    answer[3] = layout.tokens[block * BLOCK]
    highest = np.minimum(shift + ABOVE, -LOGIT_FLOOR)[:, None]
    sound = (best >= LOGIT_FLOOR) & (best <= highest) & (log_total >= BELOW)
    for row in np.flatnonzero(~sound.all(1)).tolist():
        exact = logits[slots[row]].detach().float().numpy()
        for label in np.flatnonzero(~sound[row]).tolist():
            answer[:, row, label] = compiled_sums.sums_one_by_one(exact, layout.tokens_of(label))
    return answer


def _in_threads(sums: Callable[..., None], rows: np.ndarray, layout: Layout, found: Sequence[np.ndarray]) -> None:
    """Fill what is to be `found` of each of some rows, [r] or [r, k]; as many threads as torch uses share the rows."""
    threads = min(torch.get_num_threads(), max(1, len(rows) * len(layout.members) // NEAR))
    shares = [slice(len(rows) * n // threads, len(rows) * (n + 1) // threads) for n in range(threads)]
    calls = [partial(sums, rows[share], *layout.runs, *(part[share] for part in found)) for share in shares]
    if threads == 1:
        calls[0]()
        return
    with ThreadPoolExecutor(threads) as pool:
        for ended in [pool.submit(call) for call in calls]:
            ended.result()


def _copied(logits: Tensor, slots: Sequence[int], layout: Layout) -> Iterator[tuple[Tensor, np.ndarray]]:
    """Float32 [w, t], the logits that are read of some slots, and which of the rows these are; slots in order."""
    if layout.in_place and logits.dtype == torch.float32:
        yield logits.contiguous(), np.array(slots)
        return
    index, rows = torch.from_numpy(layout.tokens), max(1, NEAR // len(layout.tokens))
    for low in range(0, len(slots), rows):
        some = slots[low : low + rows]
        x = logits[list(some)] if layout.in_place else gather_rows(logits, some, index)
        yield x.float(), np.arange(len(some))


def reduce_there(logits: Tensor, slots: Sequence[int], layout: Layout) -> np.ndarray:
    """The same elsewhere: by the kernel on a GPU, whose sums are Float32 relative to the largest of each class."""
    rows = logits if len(slots) == len(logits) else logits[torch.tensor(slots, device=logits.device)]
    sums = class_reduction(rows[None], torch.ones(1, device=logits.device), _runs(layout, logits.device))
    parts = (part[0].cpu().numpy() for part in (sums.log_total, sums.entropy, sums.best, sums.token))
    log_total, entropy, best, token = (part.astype(np.float64) for part in parts)
    return np.stack([log_total + best, entropy, best, token])


@lru_cache(maxsize=16)
def _runs(layout: Layout, device: torch.device) -> ClassRuns:
    """The layout's classes as the kernel reads them."""
    class_of = torch.full((layout.size,), -1, device=device)
    owner = np.repeat(np.arange(layout.count), np.diff(layout.starts))
    class_of[torch.from_numpy(layout.members).to(device).long()] = torch.from_numpy(owner).to(device)
    return ClassRuns.of(class_of, layout.count)


def pick(weights: np.ndarray, uniform: float) -> tuple[int, float]:
    """The place in proportion to `weights` that a number in 0 .. 1 falls on, and how far into it, in 0 .. 1."""
    ends = np.cumsum(weights, dtype=np.float64)
    position = uniform * ends[-1]
    place = min(int(np.searchsorted(ends, position, side="right")), int(np.flatnonzero(weights)[-1]))
    width = float(weights[place])
    return place, min(max((position - (ends[place] - width)) / width, 0.0), 1.0)
