"""The tokens of a vocabulary as one tree of bytes, laid out level by level so that numpy can walk it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class TokenTrie:
    """Node 0 is the root; the nodes of depth d are levels[d]:levels[d + 1].

    parents Int32 [N] and bytes_ UInt8 [N] say how each node is reached; nodes Int32 [V] where each token ends, or -1.
    """

    parents: np.ndarray
    bytes_: np.ndarray
    levels: tuple[int, ...]
    nodes: np.ndarray

    @classmethod
    def build(cls, pieces: Sequence[bytes | None]) -> TokenTrie:
        """The tree of all pieces but the empty ones and None."""
        tokens = sorted((token for token, piece in enumerate(pieces) if piece), key=lambda token: pieces[token] or b"")
        spelled = [pieces[token] or b"" for token in tokens]
        lengths = np.fromiter(map(len, spelled), np.int64, len(spelled))
        starts = np.cumsum(lengths) - lengths
        text = np.frombuffer(b"".join(spelled), np.uint8)
        parents, bytes_, levels = [np.zeros(1, np.int32)], [np.zeros(1, np.uint8)], [0, 1]
        at = np.zeros(len(tokens), np.int32)  # the node each token has come to
        active = np.arange(len(tokens))
        while active.size:
            byte, above = text[starts[active] + len(levels) - 2], at[active]
            # The tokens are sorted: those that share a node are neighbours.
            fresh = np.r_[True, (byte[1:] != byte[:-1]) | (above[1:] != above[:-1])]
            at[active] = levels[-1] + np.cumsum(fresh) - 1
            parents.append(above[fresh])
            bytes_.append(byte[fresh])
            levels.append(levels[-1] + int(fresh.sum()))
            active = active[lengths[active] > len(levels) - 2]
        nodes = np.full(len(pieces), -1, np.int32)
        nodes[tokens] = at
        return cls(np.concatenate(parents), np.concatenate(bytes_), tuple(levels), nodes)
