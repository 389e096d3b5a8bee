"""What each slot of one canvas thinks of the classes that it may still hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.bounded_logits import bounded
from dgsolve.constraints.class_layout import Layout
from dgsolve.constraints.class_reduction import ClassSums, pick, reduce_classes
from dgsolve.constraints.indexed_table import IndexedTable
from dgsolve.constraints.token_lattice import Step

WHOLE = 0.5  # a slot that needs this share of all tokens that fit anywhere is reduced with all of them
LITTLE = 1 / 128  # slots that need at most this share of all tokens are reduced together, with the tokens of all,
LITTLE_TOGETHER = 1 / 32  # while these are no more than this share: to read more costs less than to begin anew
KEPT_PLACES = 4_000_000  # tokens that the remembered layouts may read, some 20 bytes each
LAYOUT_PLACES = 1024  # that a layout counts for besides its own

Numbers = Sequence[int]
Reduction = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Layouts:
    """The layouts of the class sets of one table; sets that come again, or are nearly everything, share one."""

    def __init__(self, table: IndexedTable) -> None:
        self.table = table
        self._layouts: dict[bytes, Layout] = {}
        self._places = 0

    @cached_property
    def whole(self) -> Layout:
        """All classes."""
        return self._build(np.flatnonzero(self.table.class_sizes))

    def of(self, classes: np.ndarray) -> Layout:
        """A layout with at least `classes`, Int [k]."""
        sizes = self.table.class_sizes
        if sizes[classes].sum() > WHOLE * sizes.sum():
            return self.whole
        key = classes.tobytes()
        layout = self._layouts.pop(key, None)
        if layout is None:
            layout = self._build(classes)
            self._places += len(layout.members) + LAYOUT_PLACES
        self._layouts[key] = layout  # last: the one that was used most recently
        while self._places > KEPT_PLACES and len(self._layouts) > 1:
            self._places -= len(self._layouts.pop(next(iter(self._layouts))).members) + LAYOUT_PLACES
        return layout

    def joined(self, sets: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The class sets, Int [k] each; those of little size replaced by what they have together."""
        sizes, tokens = self.table.class_sizes, len(self.table.token_class)
        little = [sizes[classes].sum() <= LITTLE * tokens for classes in sets]
        if sum(little) < 2:
            return list(sets)
        together = np.unique(np.concatenate([classes for classes, joins in zip(sets, little, strict=True) if joins]))
        if sizes[together].sum() > LITTLE_TOGETHER * tokens:
            return list(sets)
        return [together if joins else classes for classes, joins in zip(sets, little, strict=True)]

    def _build(self, classes: np.ndarray) -> Layout:
        members = [self.table.members(int(number)) for number in classes]
        return Layout.of(classes, members, len(self.table.class_sizes), len(self.table.token_class))


class CanvasSums:
    """Per slot, for the k classes of its step: log_sums and entropy (within the class), Float64 [k] each.

    bundle_sums is the same for the bundles of its step, bundle_best their largest logit. steps: W of
    them; pinned Int [W]: the token that a slot must hold, -1 for any; logits Float [W, V].
    """

    def __init__(self, layouts: Layouts, steps: Sequence[Step], pinned: np.ndarray, logits: Tensor) -> None:
        self.table, self.steps, self.pinned, self.logits = layouts.table, steps, pinned, logits
        self._groups = self._reduced(layouts)
        self._held = self.logits_of(np.maximum(pinned, 0))
        self.log_sums = self._by_slot([sums.log_sum for sums in self._groups], self._held)
        self.entropy = self._by_slot([sums.entropy for sums in self._groups], np.zeros(len(steps)))
        self.bundle_sums = self._by_bundle(self.log_sums, _log_add)

    @cached_property
    def best(self) -> list[np.ndarray]:
        """Per slot, Float64 [k]: the largest logit of each class of its step."""
        return self._by_slot([sums.best for sums in self._groups], self._held)

    @cached_property
    def bundle_best(self) -> list[np.ndarray]:
        return self._by_bundle(self.best, lambda values, starts: np.maximum.reduceat(values, starts, axis=1))

    def _by_slot(self, found: Sequence[np.ndarray], held: np.ndarray) -> list[np.ndarray]:
        """Per slot, by the classes of its step: what was `found` [r, k] of each group; what pinned ones have."""
        values = [held[slot : slot + 1] for slot in range(len(self.steps))]
        for sums, rows in zip(self._groups, found, strict=True):
            for row, slot in enumerate(sums.slots):
                values[slot] = rows[row, sums.layout.place[self.steps[slot].classes]]
        return values

    def _by_bundle(self, values: Sequence[np.ndarray], reduce: Reduction) -> list[np.ndarray]:
        """Per slot, by the bundles of its step, what `reduce` makes of the values of their classes."""
        found: list[np.ndarray] = [np.empty(0)] * len(self.steps)
        alike: dict[bytes, list[int]] = {}
        for slot, step in enumerate(self.steps):
            alike.setdefault(step.bundle_key, []).append(slot)
        for slots in alike.values():
            step = self.steps[slots[0]]
            rows = reduce(np.stack([values[slot] for slot in slots])[:, step.member], step.bundle_starts[:-1])
            for slot, row in zip(slots, rows, strict=True):
                found[slot] = row
        return found

    def _reduced(self, layouts: Layouts) -> list[ClassSums]:
        """The sums of all slots that are not pinned, those of one layout together."""
        slots_of: dict[int, tuple[Layout, list[int]]] = {}
        free = np.flatnonzero(self.pinned < 0).tolist()
        sets = layouts.joined([self.steps[slot].classes for slot in free])
        for slot, classes in zip(free, sets, strict=True):
            layout = layouts.of(classes)
            slots_of.setdefault(id(layout), (layout, []))[1].append(slot)
        return [reduce_classes(self.logits, slots, layout) for layout, slots in slots_of.values()]

    def of_classes(self, slot: int, bundles: np.ndarray) -> np.ndarray:
        """The probability of each class of the slot's step, by that of each bundle."""
        step = self.steps[slot]
        share = np.exp(self.log_sums[slot][step.member] - self.bundle_sums[slot][step.bundle])
        return np.bincount(step.member, share * bundles[step.bundle])

    @cached_property
    def log_normaliser(self) -> float:
        """Log of the summed weight of all canvases, fitting or not."""
        return float(sum(bounded(row).logsumexp(-1).double() for row in self.logits))

    def logits_of(self, tokens: np.ndarray) -> np.ndarray:
        """The bounded logit of each slot's token, Float64 [W]."""
        index = torch.from_numpy(np.clip(tokens, 0, self.logits.shape[1] - 1).astype(np.int64)).to(self.logits.device)
        return bounded(self.logits.gather(1, index[:, None])[:, 0]).double().cpu().numpy()

    def label(self, slot: int, token: int) -> int | None:
        """The number of the token's class among those of the slot's step, None where the slot cannot hold it."""
        if not 0 <= token < len(self.table.token_class) or self.pinned[slot] not in (-1, token):
            return None
        classes, wanted = self.steps[slot].classes, self.table.token_class[token]
        label = int(np.searchsorted(classes, wanted))
        return label if label < len(classes) and classes[label] == wanted else None

    def best_tokens(self, bundles: Sequence[int]) -> list[int]:
        """The most probable token of a bundle, given by its number in the step, in every slot."""
        return self._tokens(self._first(bundles), lambda sums, rows, places: sums.best_tokens(rows, places))

    def _first(self, bundles: Sequence[int]) -> list[int]:
        """The class, by its number in the step, with the largest logit of a bundle in every slot."""
        labels = []
        for slot, bundle in enumerate(bundles):
            classes = self._members(slot, bundle)
            labels.append(int(classes[self.best[slot][classes].argmax()]))
        return labels

    def draws(self, bundles: Sequence[int], uniform: np.ndarray) -> list[int]:
        """A token of a bundle in every slot, in proportion to its probability, by one number in 0 .. 1 each."""
        labels, rests = [], []
        for slot, bundle in enumerate(bundles):
            classes = self._members(slot, bundle)
            weights = self.log_sums[slot][classes]
            number, rest = pick(np.exp(weights - weights.max()), float(uniform[slot]))
            labels.append(int(classes[number]))
            rests.append(rest)
        return self._tokens(
            labels, lambda sums, rows, places: sums.draws(rows, places, [rests[slot] for slot in sums.slots])
        )

    def _members(self, slot: int, bundle: int) -> np.ndarray:
        """The classes of a bundle, by their number in the slot's step."""
        step = self.steps[slot]
        return step.member[step.bundle_starts[bundle] : step.bundle_starts[bundle + 1]]

    def _tokens(self, labels: list[int], choose: Callable[[ClassSums, Numbers, Numbers], list[int]]) -> list[int]:
        """In every slot the pinned token, or what `choose` says for the class of number `labels` in the step.

        choose: from the sums of some slots, their rows there, and the places of their classes there.
        """
        tokens = self.pinned.tolist()
        for sums in self._groups:
            places = [int(sums.layout.place[self.steps[slot].classes[labels[slot]]]) for slot in sums.slots]
            for slot, token in zip(sums.slots, choose(sums, range(len(places)), places), strict=True):
                tokens[slot] = token
        return tokens

    def spread(self, share: Sequence[np.ndarray]) -> Tensor:
        """Float [W, V]: each class's share, Float64 [k] per slot, over its tokens in proportion to exp(logit)."""
        classes = len(self.table.class_sizes)
        token_class = torch.from_numpy(self.table.token_class.astype(np.int64)).to(self.logits.device)
        spread = torch.zeros(self.logits.shape, dtype=torch.float32, device=self.logits.device)
        for slot, step in enumerate(self.steps):
            if self.pinned[slot] >= 0:
                spread[slot, self.pinned[slot]] = 1.0
                continue
            shift = np.full(classes + 1, -np.inf)  # the last one is that of class -1
            with np.errstate(divide="ignore"):
                shift[step.classes] = np.log(share[slot]) - self.log_sums[slot]
            there = torch.from_numpy(shift).to(self.logits.device)[token_class]
            spread[slot] = (bounded(self.logits[slot]).double() + there).exp()
        return spread


def _log_add(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Log of the sum of exp along rows, Float64 [r, k], of the ranges that begin at `starts`."""
    most = np.maximum.reduceat(values, starts, axis=1)
    sizes = np.diff(np.append(starts, values.shape[1]))
    found: np.ndarray = np.log(np.add.reduceat(np.exp(values - np.repeat(most, sizes, axis=1)), starts, axis=1)) + most
    return found
