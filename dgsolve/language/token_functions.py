"""What tokens do to an automaton: the partial functions from states to states that their bytes spell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from dgsolve.language.ragged import Growing, chunks, distinct, runs
from dgsolve.language.token_trie import TokenTrie

CHUNK = 1 << 20  # image states looked at in one go, which bounds the memory
CELLS = 1 << 25  # functions x byte classes; image states; pairs of states in all functions
WORK = 1 << 26  # image states looked at in all: some seconds
UNKNOWN, NOWHERE, IDENTITY = -1, 0, 1  # functions that are there from the start, and what is not found yet


class WorkLimitError(Exception):
    """The tokens induce too many functions, or too large ones, on this automaton."""


class TokenFunctions:
    """The functions that prefixes of tokens induce on the Q states of an automaton, each found once.

    A function is kept as its image: the states it leads to, each with its weight, which is the sum of the random
    numbers of all states that come there. Two functions are the same where sum(weight x another random number of the
    image state) mod 2^64 is the same, wrongly so with a chance of n^2 / 2^65 for n functions. Following a function by
    one more byte is looked up by (function, byte class) after the first time.
    """

    def __init__(self, steps: np.ndarray, classes: np.ndarray) -> None:
        """`steps` Int32 [Q, K]: the state after each byte class, Q for none; `classes` Int32 [256]: of each byte."""
        states, self._width = steps.shape
        random = np.random.default_rng(0)
        self._steps = steps.ravel()
        self._classes = classes
        self._numbers = np.append(random.integers(0, 1 << 64, states, np.uint64), np.uint64(0))
        self._ids = {0: NOWHERE}
        self._work = 0
        self._levels = [2]  # functions known before each level of the trie
        self._before = Growing(np.array([NOWHERE, NOWHERE], np.int32))  # by which function each was found,
        self._last = Growing(np.zeros(2, np.int32))  # and which byte class after it
        self._starts = Growing(np.array([0, 0]))  # where the image of each function lies,
        self._sizes = Growing(np.array([0, states]))  # how many states it has,
        self._origins = Growing(np.array([0, states]))  # and from how many states the function is defined
        self._image = Growing(np.arange(states, dtype=np.int32))
        self._weights = Growing(random.integers(0, 1 << 64, states, np.uint64) | np.uint64(1))
        self._merged = Growing(np.ones(states, np.int32))  # how many states come to each image state
        self._next = Growing(np.repeat(np.array([NOWHERE, UNKNOWN], np.int32), self._width))

    def of_tokens(self, trie: TokenTrie) -> np.ndarray:
        """The function of each token, Int32 [V]; NOWHERE for those that are no text, too."""
        reached = np.full(trie.levels[-1], NOWHERE, np.int32)
        reached[0] = IDENTITY
        classes = self._classes[trie.bytes_]
        for start, stop in zip(trie.levels[1:-1], trie.levels[2:], strict=True):
            above = reached[trie.parents[start:stop]]
            if not above.any():
                break
            reached[start:stop] = self._follow(above * self._width + classes[start:stop])
        return np.where(trie.nodes < 0, np.int32(NOWHERE), reached[trie.nodes])

    def origins(self, functions: np.ndarray) -> np.ndarray:
        """From how many states each of these functions is defined."""
        return self._origins.values[functions]

    def pairs(self, functions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All (state, state after it) of these functions, which are sorted: one after the other, states in order."""
        asked, needed = self._with_ancestors(functions)
        counts = np.where(needed, self._origins.values, 0)
        if counts.sum() > CELLS:
            raise WorkLimitError
        starts, states = np.cumsum(counts) - counts, counts[IDENTITY]
        origin = np.empty(int(counts.sum()), np.int32)
        target = np.empty_like(origin)
        origin[:states] = target[:states] = np.arange(states)
        for low, high in pairwise(self._levels):
            found = low + np.flatnonzero(needed[low:high])
            for part in chunks(counts[self._before.values[found]], CHUNK):
                before, last = self._before.values[found[part]], self._last.values[found[part]]
                at, index = runs(starts[before], counts[before])
                after = self._steps[target[index] * self._width + last[at]]
                kept = np.flatnonzero(after < states)
                into = slice(starts[found[part.start]], starts[found[part.start]] + kept.size)
                origin[into], target[into] = origin[index[kept]], after[kept]
        wanted = np.repeat(asked, counts)
        return origin[wanted], target[wanted]

    def _with_ancestors(self, functions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bool for all functions: these; these, the identity and all by which they were found."""
        asked = np.zeros(len(self._before), bool)
        asked[functions] = True
        needed = asked.copy()
        needed[IDENTITY] = True
        while functions.size:
            functions = np.unique(self._before.values[functions])
            functions = functions[~needed[functions]]
            needed[functions] = True
        return asked, needed

    def _follow(self, keys: np.ndarray) -> np.ndarray:
        """The functions of (function x K + byte class)."""
        found = self._next.values[keys]
        unknown = keys[found == UNKNOWN]
        if unknown.size:
            self._compose(distinct(unknown))
            found = self._next.values[keys]
        return found

    def _compose(self, keys: np.ndarray) -> None:
        """Find the functions of these keys, sorted and distinct."""
        before, last = np.divmod(keys, self._width)
        sums, first, inverse = np.unique(self._sums(before, last), return_index=True, return_inverse=True)
        found = np.array([self._ids.get(value, UNKNOWN) for value in sums.tolist()], np.int32)
        fresh = np.flatnonzero(found == UNKNOWN)
        found[fresh] = len(self._before) + np.arange(fresh.size)
        self._ids.update(zip(sums[fresh].tolist(), found[fresh].tolist(), strict=True))
        self._next.values[keys] = found[inverse]
        self._add(before[first[fresh]], last[first[fresh]])

    def _images(self, before: np.ndarray, last: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
        """In chunks: which of these each image state is of, its place in the image before, the state after it."""
        sizes, starts = self._sizes.values[before], self._starts.values[before]
        self._work += int(sizes.sum())
        if self._work > WORK:
            raise WorkLimitError
        for part in chunks(sizes, CHUNK):
            at, index = runs(starts[part], sizes[part])
            yield at + part.start, index, self._steps[self._image.values[index] * self._width + last[part][at]]

    def _sums(self, before: np.ndarray, last: np.ndarray) -> np.ndarray:
        """The number that tells each function from others; 0 for nowhere."""
        sums = []
        for at, index, after in self._images(before, last):
            firsts = np.flatnonzero(np.diff(at, prepend=-1))
            sums.append(np.add.reduceat(self._weights.values[index] * self._numbers[after], firsts))
        return np.concatenate(sums)

    def _add(self, before: np.ndarray, last: np.ndarray) -> None:
        """Keep these as new functions, with what comes to one state made one in their images."""
        states, begun = len(self._numbers), len(self._image)
        sizes, origins = np.zeros(len(before), np.int64), np.zeros(len(before))
        for at, index, after in self._images(before, last):
            alive = after < states - 1
            index, key = index[alive], at[alive] * np.int64(states) + after[alive]
            order = np.argsort(key)
            index, key = index[order], key[order]
            firsts = np.flatnonzero(np.diff(key, prepend=-1))
            of, image = np.divmod(key[firsts], states)
            merged = np.add.reduceat(self._merged.values[index], firsts)
            self._weights.append(np.add.reduceat(self._weights.values[index], firsts))
            self._merged.append(merged)
            self._image.append(image)
            sizes += np.bincount(of, minlength=len(sizes))
            origins += np.bincount(of, merged, minlength=len(sizes))
        self._before.append(before)
        self._last.append(last)
        self._starts.append(begun + np.cumsum(sizes) - sizes)
        self._sizes.append(sizes)
        self._origins.append(origins.astype(np.int64))
        self._next.append(np.full(len(before) * self._width, UNKNOWN, np.int32))
        self._levels.append(len(self._before))
        if max(len(self._next), 2 * len(self._image)) > CELLS:
            raise WorkLimitError
