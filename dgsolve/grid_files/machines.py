"""Automata for rules on a line of cells, as the rule `regular` has them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from dgsolve.errors import PuzzleError

_MOST = 60_000  # transitions
Step = Callable[[Any, int, int], Hashable]  # a state, a place from 0 and a value -> the next state, None for no way


def machine(
    values: Iterable[int], length: int, start: Hashable, step: Step, accepts: Callable[[Any], bool]
) -> dict[str, Any]:
    """The parameters of `regular` for lines of one length; states that lead nowhere are left out."""
    layers: list[dict[Any, list[tuple[int, Any]]]] = []
    reached: set[Any] = {start}
    values = list(values)
    for place in range(length):
        layer = {state: [(v, step(state, place, v)) for v in values] for state in reached}
        layers.append({state: [(v, to) for v, to in ways if to is not None] for state, ways in layer.items()})
        reached = {to for ways in layers[-1].values() for _, to in ways}
        if sum(map(len, layers[-1].values())) * length > 10 * _MOST:
            raise PuzzleError("the numbers on this line go too far to be read")
    useful = {state for state in reached if accepts(state)}
    number: dict[Any, int] = {(0, start): 0}
    found: list[list[int]] = []
    last = {(length, state): 0 for state in useful}
    for place in range(length - 1, -1, -1):
        kept: dict[Any, list[tuple[int, Any]]] = {}
        for state, ways in layers[place].items():
            on = [(v, to) for v, to in ways if to in useful]
            if on:
                kept[state] = on
        for state, ways in kept.items():
            here = number.setdefault((place, state), len(number))
            found += [[here, v, number.setdefault((place + 1, to), len(number))] for v, to in ways]
        useful = set(kept)
    if not found or len(found) > _MOST:
        raise PuzzleError("no values fit this line" if not found else "the numbers on this line go too far to be read")
    return {"start_state": 0, "accepting": sorted(number[key] for key in last if key in number), "transitions": found}


def weighted(values: Iterable[int], weights: Sequence[int], total: int) -> dict[str, Any]:
    """Each value times the weight of its cell adds up to the total."""
    listed = list(values)
    low, high = min(listed), max(listed)
    least, most = [0], [0]  # of what the cells after a place can add
    for weight in reversed(weights):
        ends = (weight * low, weight * high)
        least.insert(0, least[0] + min(ends))
        most.insert(0, most[0] + max(ends))

    def step(state: int, place: int, value: int) -> int | None:
        state += weights[place] * value
        return state if least[place + 1] <= total - state <= most[place + 1] else None

    return machine(listed, len(weights), 0, step, lambda state: state == total)
