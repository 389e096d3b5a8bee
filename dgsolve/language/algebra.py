"""Building acceptors from acceptors: everything a regular language is closed under.

Every function raises TooLargeError beyond the limit of states (size_limit.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.draft import Draft, live
from dgsolve.language.gluing import Edge, glued, useful_edges
from dgsolve.language.minimal import minimal
from dgsolve.language.ranges import NO_RANGES, Targets, ranges
from dgsolve.language.size_limit import LIMIT, TooLargeError, at_most, refuse_beyond
from dgsolve.language.subsets import Subset, determinized
from dgsolve.language.word_list import word_list

__all__ = [
    "EMPTY_TEXT", "LIMIT", "NOTHING", "Edge", "TooLargeError", "at_most", "byte_set", "concat", "difference",
    "exactly_one", "intersect", "literal", "network", "optional", "repeat", "star", "strings", "union",
]  # fmt: skip

_LONG = 1000  # bytes; a few long texts are faster one by one

NOTHING = Acceptor([[]], [])
EMPTY_TEXT = Acceptor([[]], [0])


def byte_set(bytes_: Iterable[int]) -> Acceptor:
    """One byte of those given."""
    chosen = tuple((byte, byte) for byte in sorted(set(bytes_)))
    kind, targets = ranges(chosen).joined((1,) * len(chosen))
    return Acceptor.of_minimal(Draft([kind, NO_RANGES], [targets, ()], {1})) if chosen else NOTHING


def literal(text: bytes) -> Acceptor:
    """Exactly this text."""
    refuse_beyond(len(text) + 1)
    kinds = [*(ranges(((byte, byte),)) for byte in text), NO_RANGES]
    targets: list[Targets] = [*((state,) for state in range(1, len(kinds))), ()]
    return Acceptor.of_minimal(Draft(kinds, targets, {len(text)}))


def strings(texts: Iterable[bytes]) -> Acceptor:
    """Exactly these texts, of which there may be many."""
    words = sorted(set(texts))
    long = [word for word in words if len(word) > _LONG]
    return union(word_list([word for word in words if len(word) <= _LONG]), *map(literal, long))


def network(edges: Iterable[Edge], start: int, finals: Iterable[int]) -> Acceptor:
    """A graph with languages on its edges (from, to, language): the texts along all walks from `start` to a final node.

    Nodes are any whole numbers.

    >>> network([(0, 1, literal(b"ab")), (1, 0, literal(b","))], start=0, finals=[1]).accepts(b"ab,ab")
    True
    """
    ends = set(finals)
    useful = useful_edges(edges, start, ends)
    if not useful:
        return EMPTY_TEXT if start in ends else NOTHING
    draft, tangled = glued(useful, start, ends)
    return Acceptor.of_minimal(minimal(determinized(draft, (0,), tangled) if tangled else draft))


def concat(*parts: Acceptor) -> Acceptor:
    return network([(k, k + 1, part) for k, part in enumerate(parts)], 0, [len(parts)])


def union(*parts: Acceptor) -> Acceptor:
    return _side_by_side([part for part in dict.fromkeys(parts) if not part.empty], accept=any)


def optional(part: Acceptor) -> Acceptor:
    return part if 0 in part.finals else union(part, EMPTY_TEXT)


def star(part: Acceptor) -> Acceptor:
    return network([(0, 0, part)], 0, [0])


def repeat(part: Acceptor, low: int, high: int | None = None) -> Acceptor:
    """From `low` to `high` times in a row, without end where `high` is None."""
    if 0 in part.finals:
        # Skipping from each node to all later ones would be quadratic; and the empty text says no more than `low` = 0.
        low, part = 0, difference(part, EMPTY_TEXT)
    refuse_beyond(low if high is None else high)
    edges = [(k, k + 1, part) for k in range(low if high is None else high)]
    if high is None:
        return network([*edges, (low, low, part)], 0, [low])
    return network(edges, 0, range(low, high + 1))


def intersect(*parts: Acceptor) -> Acceptor:
    """The texts of all the languages."""
    first, *others = dict.fromkeys(parts)
    for other in others:
        first = _side_by_side([first, other], keep=lambda states: len(states) == 2, accept=all)
    return first


def difference(these: Acceptor, those: Acceptor) -> Acceptor:
    """The texts of `these` that are not of `those`."""
    return _side_by_side(
        [these, those], keep=lambda states: states[0] < len(these), accept=lambda final: final[0] and not any(final[1:])
    )


def exactly_one(*parts: Acceptor) -> Acceptor:
    """The texts of exactly one of the languages."""
    return _side_by_side([part for part in parts if not part.empty], accept=lambda final: sum(final) == 1)


def _side_by_side(
    parts: Sequence[Acceptor],
    accept: Callable[[list[bool]], bool],
    keep: Callable[[Subset], bool] | None = None,
) -> Acceptor:
    """All parts reading the same text; a state is one state of each part that is still alive, in their order."""
    if len(parts) < 2:
        return parts[0] if parts else NOTHING
    both = Draft([], [], set())
    starts = tuple(accumulate(map(len, parts[:-1]), initial=0))
    for part, offset in zip(parts, starts, strict=True):
        both.kinds.extend(part.kinds)
        both.targets.extend(tuple(target + offset for target in row) for row in part.targets)
        both.finals.update(state + offset for state in part.finals)
    made = determinized(both, starts, {}, keep, accept)
    return Acceptor.of_minimal(minimal(made if accept is any else live(made)))
