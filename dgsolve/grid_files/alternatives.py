"""Several sets of rules, one of which must be kept, as one automaton over all their cells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.machines import machine
from dgsolve.rules import Rule
from dgsolve.rules.all_different import AllDifferent
from dgsolve.rules.sum import Sum
from dgsolve.rules.table import Table
from dgsolve.rules.walk import Walk

Alternative = Sequence[Rule]


def shared(alternatives: Sequence[Alternative]) -> tuple[list[Rule], list[list[Rule]]]:
    """The rules that every alternative has, and each without these."""
    split = [list(chain.from_iterable(map(_plain, rules))) for rules in alternatives]
    common = [rule for rule in dict.fromkeys(split[0]) if all(rule in rules for rules in split)]
    return common, [[rule for rule in rules if rule not in common] for rules in split]


def _plain(rule: Rule) -> list[Rule]:
    """The cells of a rule that does not depend on their order are sorted, and what is two rules is said by two."""
    if isinstance(rule, Sum) and rule.distinct:
        return [AllDifferent(tuple(sorted(rule.cells))), replace(rule, distinct=False)]
    ordered = isinstance(rule, AllDifferent) and not any(rule.offsets)
    return [replace(rule, cells=tuple(sorted(rule.cells)))] if ordered else [rule]


def either(alternatives: Sequence[Alternative], values: Sequence[int]) -> tuple[list[int], dict[str, Any]]:
    """The cells, and the parameters of `regular`; raises PuzzleError where the automaton would be too large."""
    order = list(dict.fromkeys(cell for rules in alternatives for rule in rules for cell in rule.cells))
    readers = [[_reader(rule, order, values) for rule in rules] for rules in alternatives]

    def step(state: Any, place: int, value: int) -> Hashable:
        if state is True:
            return True
        after = tuple(
            None if states is None else _stepped(reading, states, place, value)
            for reading, states in zip(readers, state, strict=True)
        )
        if any(states is not None and all(at is True for at in states) for states in after):
            return True
        return None if all(states is None for states in after) else after

    start = tuple(tuple(reader.start for reader in reading) for reading in readers)
    return order, machine(values, len(order), start, step, lambda state: state is True)


@dataclass(frozen=True)
class _Reader:
    """A rule read in the order of some other line of cells: `step` is given the rule's own place.

    places: by place in that line, the place in the rule, for its cells alone.
    """

    places: dict[int, int]
    start: Any
    step: Callable[[Any, int, int], Any]
    accepts: Callable[[Any], bool]


def _stepped(readers: Sequence[_Reader], states: tuple[Any, ...], place: int, value: int) -> tuple[Any, ...] | None:
    """The states of one alternative's rules: True once a rule is kept; None where one is broken."""
    after = []
    for reader, state in zip(readers, states, strict=True):
        if place in reader.places:
            state = reader.step(state, reader.places[place], value)
            if state is not None and place == max(reader.places):
                state = reader.accepts(state) or None
        if state is None:
            return None
        after.append(state)
    return tuple(after)


def _reader(rule: Rule, order: Sequence[int], values: Sequence[int]) -> _Reader:
    place_of = {cell: place for place, cell in enumerate(rule.cells)}
    places = {at: place_of[cell] for at, cell in enumerate(order) if cell in place_of}
    if isinstance(rule, AllDifferent):
        return _Reader(places, frozenset(), _another, lambda state: True)
    if isinstance(rule, Table):
        return _table(rule, places)
    if not isinstance(rule, Walk):
        raise PuzzleError(f"{rule.kind} cannot be one of several alternatives")
    turns = list(places.values())
    if rule.orderly or turns == sorted(turns):
        return _Reader(places, rule.start(), rule.step, rule.accepts)
    return _turned(rule, places, values) if turns == sorted(turns, reverse=True) else _kept_back(rule, places)


def _another(state: frozenset[int], place: int, value: int) -> frozenset[int] | None:
    return None if value in state else state | {value}


def _table(rule: Table, places: dict[int, int]) -> _Reader:
    """A state is the rows that still agree."""

    def step(state: frozenset[int], place: int, value: int) -> frozenset[int] | None:
        agreeing = frozenset(row for row in state if rule.tuples[row][place] == value)
        return agreeing if agreeing or rule.forbidden else None

    return _Reader(places, frozenset(range(len(rule.tuples))), step, lambda state: bool(state) is not rule.forbidden)


def _turned(rule: Walk, places: dict[int, int], values: Sequence[int]) -> _Reader:
    """From the last cell to the first: a state is all states of the rule from which what came is accepted."""
    layers = rule.layers([set(values)] * len(rule.cells))
    if not layers.whole:
        raise PuzzleError(f"{rule.kind} goes too far to be read from its end")

    def step(state: frozenset[Any], place: int, value: int) -> frozenset[Any] | None:
        return frozenset(before for before, n, after in layers.arcs[place] if n == value and after in state) or None

    return _Reader(places, frozenset(after for _, _, after in layers.arcs[-1]), step, bool)


def _kept_back(rule: Walk, places: dict[int, int]) -> _Reader:
    """In any order: a state is how far the rule has been read, its state there, and the values kept back for later."""

    def step(state: Any, place: int, value: int) -> Any:
        read, at, later = state
        later = {**dict(later), place: value}
        while read in later and at is not None:
            at = rule.step(at, read, later.pop(read))
            read += 1
        return None if at is None else (read, at, tuple(sorted(later.items())))

    return _Reader(places, (0, rule.start(), ()), step, lambda state: rule.accepts(state[1]))
