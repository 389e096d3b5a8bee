"""Keys that the schema does not name: which there may be, split by the patterns that they match, and their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import difference, intersect, union
from dgsolve.language.json_schema import strings
from dgsolve.language.json_schema.compiled import Language, Loose
from dgsolve.language.json_schema.group import Place
from dgsolve.language.size_limit import TooLargeError

if TYPE_CHECKING:
    from dgsolve.language.json_schema.builder import Builder
    from dgsolve.language.json_schema.rules import Rules

MOST = 64  # classes of keys

Class = tuple[Acceptor, frozenset[str], frozenset[str]]  # keys, patterns that they match, patterns that they may match


@dataclass(frozen=True)
class Extra:
    """Keys and the values that they may have."""

    keys: Acceptor
    value: Language


class ExtraKeys:
    """Languages of keys, each built once."""

    def __init__(self) -> None:
        self._others: dict[tuple[str, ...], Acceptor] = {}
        self._patterns: dict[str, Acceptor | None] = {}

    def others(self, keys: tuple[str, ...]) -> Acceptor:
        """All keys but these."""
        if keys not in self._others:
            self._others[keys] = strings.keys_except(keys)
        return self._others[keys]

    def matching(self, pattern: str) -> Acceptor | None:
        """The keys that match, None where the pattern is too large."""
        if pattern not in self._patterns:
            try:
                self._patterns[pattern] = strings.string(patterns=[pattern])
            except TooLargeError:
                self._patterns[pattern] = None
        return self._patterns[pattern]


def extras(
    builder: Builder, rules: Rules, place: Place, names: Sequence[Language]
) -> tuple[tuple[Extra, ...], frozenset[Loose]]:
    """The undeclared keys that an object may have, with their values, and what had to stay wide."""
    patterns = tuple(dict.fromkeys(p for found in rules.all("patternProperties") for p in found))
    if not patterns and _closed(builder, rules, place):
        return (), frozenset()
    keys = builder.keys.others(place.group.keys)
    for name in names:
        keys = intersect(keys, name.acceptor)
    if keys.empty:
        return (), frozenset()
    classes: list[Class] = [(keys, frozenset(), frozenset())]
    loose: frozenset[Loose] = frozenset()
    for pattern in patterns:
        language = builder.keys.matching(pattern) if len(classes) < MOST else None
        if language is None:
            loose |= frozenset(_left(rules, pattern))
        classes = list(_split(classes, pattern, language))
    made: dict[Language, Acceptor] = {}
    for part, sure, maybe in classes:
        value = builder.below(_places(builder, rules, sure, maybe), place, place.group.extra)
        if not value.empty:
            made[value] = union(made[value], part) if value in made else part
    return tuple(Extra(part, value) for value, part in made.items()), loose


def _left(rules: Rules, pattern: str) -> Iterator[Loose]:
    """Says that what holds for the keys of a pattern is left to the validator."""
    for node in rules.nodes:
        if pattern in node.rules.get("patternProperties", ()):
            note, below = f"the pattern {pattern!r} is too large", (node.rules["patternProperties"][pattern],)
            yield Loose(node.pointer, "patternProperties", note, rules.place.group.members, below)


def _closed(builder: Builder, rules: Rules, place: Place) -> bool:
    places = _places(builder, rules, frozenset(), frozenset())
    return builder.below(places, place, place.group.extra).empty


def _split(classes: Sequence[Class], pattern: str, language: Acceptor | None) -> Iterator[Class]:
    for keys, sure, maybe in classes:
        if language is None:
            yield keys, sure, maybe | {pattern}
            continue
        inside, outside = intersect(keys, language), difference(keys, language)
        if not inside.empty:
            yield inside, sure | {pattern}, maybe
        if not outside.empty:
            yield outside, sure, maybe


def _places(builder: Builder, rules: Rules, sure: frozenset[str], maybe: frozenset[str]) -> Iterator[str]:
    """What applies to the values of such keys for certain."""
    for node in rules.nodes:
        own = node.rules.get("patternProperties", {})
        yield from (place for pattern, place in own.items() if pattern in sure)
        if "additionalProperties" in node.rules and not own.keys() & (sure | maybe):
            yield node.rules["additionalProperties"]
        if "unevaluatedProperties" in node.rules and not builder.evaluated.extra(node, sure | maybe):
            yield node.rules["unevaluatedProperties"]
