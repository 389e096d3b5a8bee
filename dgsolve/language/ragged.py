"""Lists of different lengths laid end to end in one array."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


class Growing:
    """A one-dimensional array that grows at its end at a cost that does not depend on its length."""

    def __init__(self, values: np.ndarray) -> None:
        self._data, self._size = values, len(values)

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> np.ndarray:
        return self._data[: self._size]

    def append(self, more: np.ndarray) -> None:
        size = self._size + len(more)
        if size > len(self._data):
            data = np.empty(2 * size, self._data.dtype)
            data[: self._size] = self.values
            self._data = data
        self._data[self._size : size] = more
        self._size = size


def ranges(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """`sizes` whole numbers from each of `starts` on, one range after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 1])).tolist()
    [5, 6, 0]
    """
    ends = np.cumsum(sizes)
    return np.arange(sizes.sum()) + np.repeat(starts - ends + sizes, sizes)


def runs(starts: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The k of each, and the numbers themselves, of all runs starts[k] .. starts[k] + sizes[k] - 1.

    >>> [part.tolist() for part in runs(np.array([5, 0]), np.array([2, 1]))]
    [[0, 0, 1], [5, 6, 0]]
    """
    return np.repeat(np.arange(len(sizes)), sizes), ranges(starts, sizes)


def chunks(sizes: np.ndarray, limit: int) -> Iterator[slice]:
    """Slices of things with these sizes, each of about `limit` in all but never empty."""
    ends = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        high = int(np.searchsorted(ends, (ends[low - 1] if low else 0) + limit, "right"))
        yield slice(low, max(high, low + 1))
        low = max(high, low + 1)


def distinct(values: np.ndarray) -> np.ndarray:
    """The different values, sorted: by marking them where they lie close together, which is faster than sorting."""
    low, high = int(values.min()), int(values.max())
    if high - low > 16 * len(values):
        return np.unique(values)
    marks = np.zeros(high - low + 1, bool)
    marks[values - low] = True
    return np.flatnonzero(marks) + low
