"""The byte ranges of a state's arcs. Few kinds occur, so each is one object, and is worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from random import Random
from threading import Lock
from weakref import WeakValueDictionary

Pairs = tuple[tuple[int, int], ...]
Targets = tuple[int, ...]
Overlap = tuple["Ranges", tuple[tuple[int, ...], ...]]

_FEW = 64  # states at once, up to which what is found is kept: more would take much memory

_draw = Random(1969)
_UP_TO = list(accumulate((_draw.getrandbits(55) for _ in range(256)), initial=0))  # a range weighs the sum of its bytes
_known: WeakValueDictionary[Pairs, Ranges] = WeakValueDictionary()
_lock = Lock()


class Ranges:
    """Disjoint ranges (low byte, high byte) in order; equal ones are the same object, made by `ranges`."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def __reduce__(self) -> tuple[object, tuple[Pairs]]:
        return ranges, (self.pairs,)

    @cached_property
    def weights(self) -> list[int]:
        """Numbers that add up: the weight of a set of bytes does not depend on how it is cut into ranges."""
        return [_UP_TO[high + 1] - _UP_TO[low] for low, high in self.pairs]

    @cached_property
    def touching(self) -> list[int]:
        """Which ranges begin right after the one before."""
        return [k for k, (a, b) in enumerate(pairwise(self.pairs), 1) if a[1] + 1 == b[0]]

    def joined(self, targets: Targets) -> tuple[Ranges, Targets]:
        """The same arcs, where neighbours with one target are one."""
        if not any(targets[k] == targets[k - 1] for k in self.touching):
            return self, targets
        inner = {k for k in self.touching if targets[k] == targets[k - 1]}
        begins = [k for k in range(len(targets)) if k not in inner]
        ends = [*(k - 1 for k in begins[1:]), len(targets) - 1]
        pairs = tuple((self.pairs[a][0], self.pairs[b][1]) for a, b in zip(begins, ends, strict=True))
        return ranges(pairs), tuple(targets[k] for k in begins)


def ranges(pairs: Pairs) -> Ranges:
    found = _known.get(pairs)
    if found is None:
        with _lock:
            found = _known.setdefault(pairs, Ranges(pairs))
    return found


NO_RANGES = ranges(())


def overlapped(kinds: Sequence[Ranges]) -> Overlap:
    """Ranges of several states at once, cut where any begins or ends; and which arcs, counted on, hold in each."""
    return _often_overlapped(tuple(kinds)) if len(kinds) <= _FEW else _overlapped(kinds)


def _overlapped(kinds: Sequence[Ranges]) -> Overlap:
    pairs = [pair for kind in kinds for pair in kind.pairs]
    cuts = sorted({low for low, _ in pairs} | {high + 1 for _, high in pairs})
    place = {cut: k for k, cut in enumerate(cuts)}
    picks: list[list[int]] = [[] for _ in cuts]
    for k, (low, high) in enumerate(pairs):
        for slot in range(place[low], place[high + 1]):
            picks[slot].append(k)
    spans = [(low, end - 1) for slot, (low, end) in enumerate(pairwise(cuts)) if picks[slot]]
    return ranges(tuple(spans)), tuple(tuple(arcs) for arcs in picks if arcs)


_often_overlapped = lru_cache(maxsize=4096)(_overlapped)
