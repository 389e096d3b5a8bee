"""Automata for rules on a line of cells, as the rule `regular` has them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from dgsolve.deadline import look
from dgsolve.errors import PuzzleError

_MOST = 60_000  # transitions
_MOST_TRIED = 600_000  # transitions before states that accept the same are one: a second
_TOO_FAR = "the numbers on this line go too far to be read"
Step = Callable[[Any, int, int], Hashable]  # a state, a place from 0 and a value -> the next state, None for no way


class NothingFitsError(PuzzleError):
    """No values at all keep what is asked: of several alternatives it is none."""


def machine(
    values: Iterable[int], length: int, start: Hashable, step: Step, accepts: Callable[[Any], bool]
) -> dict[str, Any]:
    """The parameters of `regular` for lines of one length: the least automaton that accepts the same."""
    layers: list[dict[Any, list[tuple[int, Any]]]] = []
    reached: set[Any] = {start}
    values, left = list(values), _MOST_TRIED
    for place in range(length):
        look()
        left -= len(reached) * len(values)
        if left < 0:
            raise PuzzleError(_TOO_FAR)
        layer = {state: [(v, step(state, place, v)) for v in values] for state in reached}
        layers.append({state: [(v, to) for v, to in ways if to is not None] for state, ways in layer.items()})
        reached = {to for ways in layers[-1].values() for _, to in ways}
    return _least(layers, start, {state for state in reached if accepts(state)})


def _least(layers: list[dict[Any, list[tuple[int, Any]]]], start: Hashable, accepted: set[Any]) -> dict[str, Any]:
    """States from which the same is accepted are one, and those that lead nowhere are left out."""
    number: dict[Any, int] = dict.fromkeys(accepted, 0)  # by state of the layer after
    known: dict[tuple[tuple[int, int], ...], int] = {}
    for layer in reversed(layers):
        found = {state: tuple((v, number[to]) for v, to in ways if to in number) for state, ways in layer.items()}
        number = {state: known.setdefault(ways, len(known) + 1) for state, ways in found.items() if ways}
    transitions = [[state, v, to] for ways, state in known.items() for v, to in ways]
    if start not in number:
        raise NothingFitsError("no values fit this line")
    if len(transitions) > _MOST:
        raise PuzzleError(_TOO_FAR)
    return {"start_state": number[start], "accepting": [0], "transitions": transitions}
