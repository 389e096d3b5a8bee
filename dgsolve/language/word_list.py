"""Exactly the texts of a list: the tree of their beginnings, level by level, with equal ends shared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.draft import Draft
from dgsolve.language.minimal import minimal
from dgsolve.language.ranges import ranges
from dgsolve.language.size_limit import refuse_beyond

_SHARING = 10  # nodes of the tree for each state that there may be in the end
_BYTES = [(byte, byte) for byte in range(256)]


def word_list(words: Sequence[bytes]) -> Acceptor:
    """Exactly these texts, given in order and each once; the time grows with the longest."""
    levels, finals = _tree(words)
    draw, same = np.random.default_rng(1969), False
    arcs = np.concatenate([np.empty((0, 3), np.int64), *levels])
    starts = np.concatenate([[0], np.cumsum(np.bincount(arcs[:, 0], minlength=len(finals)))])
    while not same:
        block = _alike(levels, finals, draw)
        nodes, model = (first := np.unique(block, return_index=True)[1]), first[block]
        letters, heads = arcs[:, 1], block[arcs[:, 2]]
        twins = (starts[model] - starts[:-1])[arcs[:, 0]] + np.arange(len(arcs))
        lengths = np.diff(starts)
        pairs = (finals, finals[model]), (lengths, lengths[model]), (letters, letters[twins]), (heads, heads[twins])
        same = all(np.array_equal(own, others) for own, others in pairs)
    refuse_beyond(len(nodes))
    spelled, heads = [_BYTES[letter] for letter in letters.tolist()], heads.tolist()
    spans = list(zip(starts[nodes].tolist(), starts[nodes + 1].tolist(), strict=True))
    kinds = [ranges(tuple(spelled[a:b])) for a, b in spans]
    targets = [tuple(heads[a:b]) for a, b in spans]
    ends = set(np.flatnonzero(finals[nodes]).tolist())
    return Acceptor.of_minimal(minimal(Draft(kinds, targets, ends), int(block[0]), range(len(nodes))))


def _alike(levels: list[np.ndarray], finals: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Blocks of nodes with equal hashes of what follows them."""
    weights = draw.integers(1, 1 << 63, 258, dtype=np.uint64)
    codes = np.where(finals, weights[256], weights[257])
    for arcs in reversed(levels):
        child = codes[arcs[:, 2]] * weights[256]
        parents, first = np.unique(arcs[:, 0], return_index=True)
        codes[parents] += np.add.reduceat(weights[arcs[:, 1]] * (child ^ (child >> np.uint64(29))), first)
    return np.unique(codes, return_inverse=True)[1]


def _tree(words: Sequence[bytes]) -> tuple[list[np.ndarray], np.ndarray]:
    """Arcs of each level, and which nodes are the end of a word; nodes are numbered level by level."""
    letters = np.frombuffer(b"".join(words), np.uint8)
    lengths = np.array([len(word) for word in words], np.int64)
    begins = np.cumsum(lengths) - lengths
    node, count = np.zeros(len(words), np.int64), 1
    levels: list[np.ndarray] = []
    active = np.flatnonzero(lengths)
    while len(active):
        parent, byte = node[active], letters[begins[active] + len(levels)].astype(np.int64)
        new = np.ones(len(active), bool)
        new[1:] = (parent[1:] != parent[:-1]) | (byte[1:] != byte[:-1])
        child = count + np.cumsum(new) - 1
        node[active] = child
        count = int(child[-1]) + 1
        refuse_beyond(count // _SHARING)
        levels.append(np.stack([parent, byte, child], axis=1)[new])
        active = active[lengths[active] > len(levels)]
    finals = np.zeros(count, bool)
    finals[node] = True
    return levels, finals
