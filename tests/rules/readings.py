"""What a factor says, read out: the oracle of factors compares it with all assignments."""

from __future__ import annotations

from collections.abc import Sequence

from dgsolve.factor_graph import Factor


def readings(factor: Factor, numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """The numbers of its slots on every way through it, one entry a way; every state must be on some way."""
    assert len(factor.arcs) == len(factor.slots) and factor.states[0] == 1
    ways: dict[int, list[tuple[int, ...]]] = {0: [()]}
    for arcs, states in zip(factor.arcs, factor.states[1:], strict=True):
        reached: dict[int, list[tuple[int, ...]]] = {}
        for before, value, after in arcs.tolist():
            reached.setdefault(after, []).extend((*way, numbers[value]) for way in ways[before])
        assert set(reached) == set(range(states))
        ways = reached
    return [read for found in ways.values() for read in found]
