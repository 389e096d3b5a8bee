"""The smallest automaton of a deterministic one.

States are equivalent where all their continuations are. In a large automaton hashes, refined for some rounds for all
states at once, tell most states apart; a worklist does the rest, in which all but the largest part of a split block get
new codes (Hopcroft 1971; Paige and Tarjan 1987). Codes never part equal states; that they have not left unequal ones
together is checked arc by arc.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import mul
from random import Random

import numpy as np

from dgsolve.language.draft import Draft, predecessors
from dgsolve.language.ranges import Ranges, Targets

_SMALL = 200  # states, below which the worklist alone is faster
_ROUNDS = 32
_FINAL, _OTHER = np.random.default_rng(1969).integers(1, 1 << 63, 2, dtype=np.uint64)


def minimal(draft: Draft, start: int = 0, block: Sequence[int] | None = None) -> Draft:
    """The minimal automaton, numbered breadth first, of one each of whose states reaches a final one.

    `block`, where the caller knows more than which states are final: numbers from 0 on, the same for equivalent states.
    States that `start` does not reach are left out.
    """
    kinds, targets, finals = draft
    if block is None:
        wide = len(targets) > _SMALL
        block = _hashed(kinds, targets, finals) if wide else [int(state not in finals) for state in range(len(targets))]
    draw = Random(0)
    while not _settled(kinds, targets, finals, block):
        block = _split(draft, block, draw)
    return _numbered(kinds, targets, finals, block, start)


def _hashed(kinds: Sequence[Ranges], targets: Sequence[Targets], finals: set[int]) -> list[int]:
    """Blocks of states with equal hashes of what follows them, a few bytes deep."""
    counts = np.array([len(row) for row in targets])
    rows = np.flatnonzero(counts)
    first = (np.cumsum(counts) - counts)[rows]
    target = np.fromiter(chain.from_iterable(targets), np.int64)
    weights = np.array([weight for kind in kinds for weight in kind.weights], np.uint64)
    own = np.full(len(targets), _OTHER)
    own[list(finals)] = _FINAL
    codes, count, block = own, 0, own
    for number in range(1, _ROUNDS + 1):
        mixed = codes * _FINAL
        sums = np.add.reduceat(weights * (mixed ^ (mixed >> np.uint64(29)))[target], first)
        codes = own.copy()
        codes[rows] += sums
        if number.bit_count() == 1:  # counting costs more than a round
            distinct, block = np.unique(codes, return_inverse=True)
            if len(distinct) in (count, len(targets)):
                break
            count = len(distinct)
    return block.tolist()


def _settled(kinds: Sequence[Ranges], targets: Sequence[Targets], finals: set[int], block: Sequence[int]) -> bool:
    """Whether all states of a block have the same arcs, by block, and all or none are final."""
    sizes = [0] * (max(block) + 1)
    for own in block:
        sizes[own] += 1
    models: dict[int, tuple[Ranges, Targets, bool]] = {}
    for state, own in enumerate(block):
        if sizes[own] > 1:
            arcs = (*kinds[state].joined(tuple([block[target] for target in targets[state]])), state in finals)
            if models.setdefault(own, arcs) != arcs:
                return False
    return True


def _split(draft: Draft, block: Sequence[int], draw: Random) -> list[int]:
    """Splits blocks until all states of one have successors in the same blocks, as far as drawn codes can tell."""
    kinds, targets, finals = draft
    names = list(block)
    members: list[set[int]] = [set() for _ in range(max(block) + 1)]
    for state, name in enumerate(names):
        members[name].add(state)
    drawn = [draw.getrandbits(63) for _ in members]
    codes = [drawn[name] for name in names]
    before = predecessors(targets)
    dirty = set(range(len(names)))
    while dirty:
        groups: dict[int, dict[int, list[int]]] = {}
        for state in dirty:
            if len(members[names[state]]) > 1:
                total = sum(map(mul, kinds[state].weights, map(codes.__getitem__, targets[state])))
                key = ~total if state in finals else total
                groups.setdefault(names[state], {}).setdefault(key, []).append(state)
        dirty = set()
        for name, parts in groups.items():
            for part in _all_but_largest(members[name], list(parts.values())):
                members[name].difference_update(part)
                code = draw.getrandbits(63)
                for state in part:
                    names[state], codes[state] = len(members), code
                    dirty.update(before[state])
                members.append(set(part))
    return names


def _all_but_largest(block: set[int], parts: list[list[int]]) -> list[list[int]]:
    """The parts to move out of a block; states of the block that are in no part belong together."""
    rest = len(block) - sum(map(len, parts))
    if rest > max(map(len, parts)):
        return parts
    if rest:
        parts.append(list(block.difference(*parts)))
    parts.sort(key=len)
    return parts[:-1]


def _numbered(
    kinds: Sequence[Ranges], targets: Sequence[Targets], finals: set[int], block: Sequence[int], start: int
) -> Draft:
    """One state for each block, numbered breadth first."""
    numbers = [-1] * (max(block) + 1)
    numbers[block[start]] = 0
    order = [start]
    for state in order:
        for target in targets[state]:
            if numbers[block[target]] < 0:
                numbers[block[target]] = len(order)
                order.append(target)
    rank = [numbers[name] for name in block]
    made = Draft([], [], {number for number, state in enumerate(order) if state in finals})
    for state in order:
        kind, row = kinds[state], tuple([rank[target] for target in targets[state]])
        if kind.touching:
            kind, row = kind.joined(row)
        made.kinds.append(kind)
        made.targets.append(row)
    return made
