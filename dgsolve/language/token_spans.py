"""Which slots of a canvas carry which bytes of its text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TokenSpans:
    """starts: the byte at which the text of each slot begins, and the end of the last one.

    >>> TokenSpans((0, 2, 3)).slots(1, 2)
    range(0, 1)
    """

    starts: Sequence[int]

    def slots(self, low: int, high: int) -> range:
        """The slots whose tokens touch the bytes low .. high - 1."""
        first = max(0, bisect_right(self.starts, low) - 1)
        last = min(len(self.starts) - 1, bisect_left(self.starts, high))
        return range(first, last) if low < high and first < last else range(0)
