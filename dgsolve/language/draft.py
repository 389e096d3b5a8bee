"""Deterministic automata while they are built: not yet minimal, perhaps with states that lead to no final one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dgsolve.language.ranges import NO_RANGES, Ranges, Targets, ranges


class Draft(NamedTuple):
    """kinds[q] are the byte ranges of the arcs of state q, targets[q] where they lead; state 0 is the start."""

    kinds: list[Ranges]
    targets: list[Targets]
    finals: set[int]


def predecessors(targets: Sequence[Targets]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in targets]
    for state, row in enumerate(targets):
        for target in row:
            before[target].append(state)
    return before


def live(draft: Draft) -> Draft:
    """Without the states from which no final one is reached; a start without arcs where the language is empty."""
    kinds, targets, finals = draft
    before, found = predecessors(targets), set(finals)
    stack = list(found)
    while stack:
        for state in before[stack.pop()]:
            if state not in found:
                found.add(state)
                stack.append(state)
    if len(found) == len(targets):
        return draft
    if 0 not in found:
        return Draft([NO_RANGES], [()], set())
    kinds, targets = list(kinds), list(targets)
    for state, row in enumerate(targets):
        if not found.issuperset(row):
            pairs = zip(kinds[state].pairs, row, strict=True)
            kinds[state] = ranges(tuple(pair for pair, target in pairs if target in found))
            targets[state] = tuple(target for target in row if target in found)
    kept = sorted(found)
    rank = {state: number for number, state in enumerate(kept)}
    return Draft(
        [kinds[state] for state in kept],
        [tuple(map(rank.__getitem__, targets[state])) for state in kept],
        {rank[state] for state in finals},
    )
