"""Subset construction, done only where several states are live at once; all other states are taken over as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dgsolve.language.draft import Draft
from dgsolve.language.ranges import Ranges, Targets, overlapped, ranges
from dgsolve.language.size_limit import refuse_beyond

Subset = tuple[int, ...]  # states, sorted
Strand = tuple[Ranges, Targets]  # arcs whose ranges do not overlap
Joint = tuple[Ranges, list[Subset]]  # arcs, each to several states at once


class Tangle(NamedTuple):
    """The arcs of a state where they overlap: as they are, and put together."""

    strands: Sequence[Strand]
    joint: Joint


def determinized(
    draft: Draft,
    start: Subset,
    tangled: Mapping[int, Tangle],
    keep: Callable[[Subset], bool] | None = None,
    accept: Callable[[list[bool]], bool] = any,
) -> Draft:
    """A deterministic automaton in which each state stands for the states live at once; each is reached from the start.

    tangled   the states with arcs of their own that overlap, and these arcs, instead of those in `draft`
    keep      says of several or one of the states at once whether they are of use
    accept    says of several or one of the states at once whether they are final, by which of them are
    """
    kinds, targets, finals = draft
    alone = [-1] * len(kinds)  # the number of each state by itself
    together: dict[Subset, int] = {}
    order: list[Subset] = []

    def number(states: Subset) -> int:
        found = alone[states[0]] if len(states) == 1 else together.get(states, -1)
        if found < 0:
            found = len(order)
            order.append(states)
            if len(states) == 1:
                alone[states[0]] = found
            else:
                together[states] = found
        return found

    number(start)
    made = Draft([], [], set())
    for states in order:
        refuse_beyond(len(order))
        first = states[0]
        if len(states) == 1 and first not in tangled:
            made.kinds.append(kinds[first])
            row = []
            for target in targets[first]:
                if alone[target] < 0:
                    alone[target] = len(order)
                    order.append((target,))
                row.append(alone[target])
            made.targets.append(tuple(row))
            final = first in finals
        else:
            kind, there = _useful(_joint(draft, states, tangled), keep)
            made.kinds.append(kind)
            made.targets.append(tuple(map(number, there)))
            final = accept([state in finals for state in states])
        if final:
            made.finals.add(len(made.kinds) - 1)
    return made


def _joint(draft: Draft, states: Subset, tangled: Mapping[int, Tangle]) -> Joint:
    if len(states) == 1:
        return tangled[states[0]].joint
    strands: list[Strand] = []
    for state in states:
        strands += tangled[state].strands if state in tangled else [(draft.kinds[state], draft.targets[state])]
    return merged(strands)


def _useful(joint: Joint, keep: Callable[[Subset], bool] | None) -> Joint:
    kind, row = joint
    if not keep or all(map(keep, row)):
        return kind, row
    pairs = [pair for pair, states in zip(kind.pairs, row, strict=True) if keep(states)]
    return ranges(tuple(pairs)), list(filter(keep, row))


def merged(strands: Sequence[Strand]) -> Joint:
    """Arcs of several states as those of one, each to all the states it leads to."""
    kind, picks = overlapped([kind for kind, _ in strands])
    flat = [target for _, row in strands for target in row]
    return kind, [(flat[arcs[0]],) if len(arcs) == 1 else tuple(sorted({flat[arc] for arc in arcs})) for arcs in picks]
