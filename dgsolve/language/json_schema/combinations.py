"""allOf, anyOf, oneOf, not, if/then/else and dependencies: Boolean operations on the texts of one place.

Each branch is compiled together with everything else that must hold there, so nothing larger than the result is built.
Where a branch is wider than its subschema, taking its texts away would take too much: then less is taken away, and the
keyword is left to the validator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from dgsolve.language.json_schema.boolean import DIFFERENCE, EXACTLY_ONE, INTERSECT, combined, united
from dgsolve.language.json_schema.compiled import EMPTY, Language, Loose, loose_of
from dgsolve.language.json_schema.group import Place
from dgsolve.language.json_schema.node import Combination
from dgsolve.language.json_schema.overgrown import OvergrownError
from dgsolve.language.json_schema.reading import TYPES
from dgsolve.language.size_limit import TooLargeError

if TYPE_CHECKING:
    from dgsolve.language.json_schema.builder import Builder, Conjunction

NOTE = "a branch is not regular, or too large"


def resolve(builder: Builder, wanted: Conjunction, place: Place) -> Language:
    """Combinations one inside the other while the branches are few, else each by itself and then intersected."""
    first, *rest = wanted.combinations
    if prod(map(_ways, wanted.combinations)) <= builder.limits.branches or not rest:
        return _resolve(builder, first, replace(wanted, combinations=tuple(rest)), place)
    base = replace(wanted, combinations=())
    parts = [_resolve(builder, combination, base, place) for combination in wanted.combinations]
    if any(part.empty for part in parts):
        return EMPTY
    return Language(builder.once(combined, INTERSECT, tuple(part.graph for part in parts)), loose_of(parts))


def _ways(combination: Combination) -> int:
    """How often what else must hold is compiled for it: with each branch, and for a difference also without."""
    return len(combination.branches) + (combination.kind == "not")


def _resolve(builder: Builder, combination: Combination, base: Conjunction, place: Place) -> Language:
    def together(*places: str) -> Language:
        return builder.language(builder.conjunction(places, base), place)

    alone = _Alone(builder, base, place)
    members, branches = place.group.members, combination.branches
    loose = frozenset({Loose(combination.pointer, combination.keyword, NOTE, members, branches)})
    try:
        made = _branched(combination, together, alone, loose)
        if builder.last(place) and made.size > builder.limits.aim:
            raise TooLargeError(made.size)
        return made
    except OvergrownError:
        raise
    except TooLargeError:
        if not builder.last(place):
            raise
        kept = _of_types(builder, combination, together, alone)
        return Language(kept.graph, kept.loose | loose)


def _of_types(builder: Builder, combination: Combination, together: Callable[..., Language], alone: _Alone) -> Language:
    """What holds without the combination, but only of the types that its branches allow: what is least of it."""
    if combination.kind not in ("anyOf", "oneOf"):
        return alone.language
    types = frozenset[str]().union(*map(builder.types, combination.branches))
    return alone.language if types == frozenset(TYPES) else united(map(together, sorted(types)), alone.once)


def _branched(
    combination: Combination, together: Callable[..., Language], alone: _Alone, loose: frozenset[Loose]
) -> Language:
    branches = combination.branches
    if combination.kind == "anyOf":
        return _any_of([together(branch) for branch in branches], alone, loose)
    if combination.kind == "oneOf":
        return _one_of([together(branch) for branch in branches], alone, loose)
    if combination.kind == "not":
        return _without(alone.language, together(branches[0]), alone, loose)
    condition, then, otherwise = branches
    holds = together(condition, then)
    fails = _without(together(otherwise), together(condition, otherwise), alone, loose)
    either = united([holds, fails], alone.once)
    if alone.exact(holds) or alone.exact(together(condition)):
        return either
    return Language(either.graph, either.loose | loose)  # what breaks the condition may pass for what holds it


class _Alone:
    """What holds without the combination, built only if asked for."""

    def __init__(self, builder: Builder, base: Conjunction, place: Place) -> None:
        self._builder, self._base, self._place = builder, base, place
        self.once = builder.once

    @property
    def language(self) -> Language:
        return self._builder.language(self._base, self._place)

    def exact(self, part: Language) -> bool:
        """Whether the part is as narrow as its branch asks, whatever the rest leaves open."""
        return not part.loose or part.loose <= self.language.loose


def _any_of(parts: Sequence[Language], alone: _Alone, loose: frozenset[Loose]) -> Language:
    """The union; where a branch is wide, so is the combination, though what its other branches ask is kept."""
    either = united(parts, alone.once)
    return either if all(map(alone.exact, parts)) else Language(either.graph, either.loose | _itself(loose))


def _itself(loose: frozenset[Loose]) -> frozenset[Loose]:
    """The same without what lies below."""
    return frozenset(replace(part, below=()) for part in loose)


def _one_of(parts: Sequence[Language], alone: _Alone, loose: frozenset[Loose]) -> Language:
    parts = [part for part in parts if not part.empty]
    exact = [part for part in parts if alone.exact(part)]
    wide = [part for part in parts if not alone.exact(part)]
    if len(parts) < 2:
        return _any_of(parts, alone, loose)
    once = EMPTY if not exact else Language(alone.once(combined, EXACTLY_ONE, tuple(part.graph for part in exact)))
    if not wide:
        return Language(once.graph, loose_of(parts))
    return Language(united([once, *wide], alone.once).graph, loose_of(parts) | _itself(loose))


def _without(these: Language, those: Language, alone: _Alone, loose: frozenset[Loose]) -> Language:
    if those.empty or these.empty:
        return these
    if not (not those.loose or those.loose <= these.loose):
        return Language(these.graph, these.loose | loose)
    return Language(alone.once(combined, DIFFERENCE, (these.graph, those.graph)), these.loose)
