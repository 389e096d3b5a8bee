"""Objects: declared keys in their order, optional ones in place, others after them, commas where they belong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import EMPTY_TEXT
from dgsolve.language.json_schema import strings
from dgsolve.language.json_schema.assembly import Part
from dgsolve.language.json_schema.compiled import EMPTY, Graph, Language, Loose, loose_of
from dgsolve.language.json_schema.extra_keys import Extra, extras
from dgsolve.language.json_schema.group import Place
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.json_schema.punctuation import CLOSE_BRACE, COLON, COMMA, OPEN_BRACE
from dgsolve.language.json_schema.spelling import spell_string
from dgsolve.language.size_limit import refuse_beyond

if TYPE_CHECKING:
    from dgsolve.language.json_schema.builder import Builder
    from dgsolve.language.json_schema.rules import Rules

LONGEST = 1_000  # keys that there may have to be
LEAST = 4  # states that each key takes: its quote, the colon, the space, the comma
KEYWORDS = frozenset(
    [
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "required",
        "minProperties",
        "maxProperties",
    ]
)


@dataclass(frozen=True)
class Shape:
    """What an object may hold: each declared key with its values, what else, which keys must be there, how many."""

    declared: tuple[tuple[str, Graph], ...]
    extra: tuple[Extra, ...]
    required: frozenset[str]
    fewest: int
    most: int | None


def language(builder: Builder, rules: Rules, place: Place) -> Language:
    """The texts of the objects that fit the rules."""
    refuse_beyond(LEAST * len(place.group.keys))  # before the work
    required = frozenset(key for keys in rules.all("required") for key in keys)
    names = [builder.names(pointer) for pointer in rules.all("propertyNames")]
    loose = loose_of(names) | _unevaluated(builder, rules)
    if loose_of(names):
        loose |= rules.loose("propertyNames", "what it asks for is not regular, or too large")
    declared: list[tuple[str, Graph]] = []
    for key in place.group.keys:
        value = EMPTY
        if all(name.acceptor.accepts(spell_string(key).encode()) for name in names):
            value = builder.below(_places(builder, rules, key), place, place.group.child(key))
        if value.empty and key in required:
            return EMPTY
        if not value.empty:
            declared.append((key, value.graph))
            loose |= value.loose
    extra, wide = extras(builder, rules, place, names)
    if not extra and len(declared) < (rules.most("minProperties") or 0):
        return EMPTY
    loose |= wide | loose_of(part.value for part in extra)
    fewest, most, dropped = _counts(builder.detail(place), rules, declared, extra, required)
    if most is not None and most < max(fewest, len(required)):
        return EMPTY
    shape = Shape(tuple(declared), extra, required, fewest, most)
    return Language(builder.assembled(_edges(shape)).graph, loose | dropped)


def _places(builder: Builder, rules: Rules, key: str) -> Iterator[str]:
    """What applies to the value of a declared key."""
    for node in rules.nodes:
        yield from builder.groups.under_key(node, key)
        if "unevaluatedProperties" in node.rules and not builder.evaluated.key(node, key):
            yield node.rules["unevaluatedProperties"]


def _unevaluated(builder: Builder, rules: Rules) -> frozenset[Loose]:
    if all(builder.evaluated.settled(node) for node in rules.nodes if "unevaluatedProperties" in node.rules):
        return frozenset()
    return rules.loose("unevaluatedProperties", "which keys count depends on the branch")


def _counts(
    limits: Limits,
    rules: Rules,
    declared: list[tuple[str, Graph]],
    extra: tuple[Extra, ...],
    required: frozenset[str],
) -> tuple[int, int | None, frozenset[Loose]]:
    """How few and how many keys to count, and what is left to the validator because counting costs too much."""
    fewest, most = rules.most("minProperties") or 0, rules.least("maxProperties")
    fewest = 0 if fewest <= len(required) else fewest
    most = None if most is not None and not extra and len(declared) <= most else most
    size = sum(value.size for _, value in declared) + sum(part.value.size for part in extra)
    bound = min(limits.properties, max(1, limits.aim // max(1, size)))
    loose: frozenset[Loose] = frozenset()
    rules.refuse_beyond("minProperties", LONGEST)
    if fewest > max(bound, 1):
        fewest, loose = 1, loose | rules.loose("minProperties", f"counting to {fewest} makes the automaton too large")
    if most is not None and most > bound:
        most, loose = None, loose | rules.loose("maxProperties", f"counting to {most} makes the automaton too large")
    return fewest, most, loose


class _Nodes:
    """Nodes by index of the next declared key and count of members so far: `after` the last one, `before` the next."""

    def __init__(self, shape: Shape) -> None:
        self.top = shape.most if shape.most is not None else max(shape.fewest, 1)  # a higher count makes no difference
        self._most = shape.most
        self._fresh = count(2 + 2 * (len(shape.declared) + 1) * (self.top + 1))

    def after(self, index: int, members: int) -> int:
        return 2 + 2 * (index * (self.top + 1) + members)

    def before(self, index: int, members: int) -> int:
        return self.after(index, members) + 1

    def member(self, start: int, keys: Acceptor, value: Graph, index: int, members: int) -> Iterator[Part]:
        """One more member, the next declared key being `index`; nothing where there are as many as there may be."""
        if members != self._most:
            named, valued = next(self._fresh), next(self._fresh)
            yield start, named, keys
            yield named, valued, COLON
            yield valued, self.after(index, min(members + 1, self.top)), value


def _edges(shape: Shape) -> Iterator[Part]:
    """The graph from node 0 to node 1."""
    nodes, end = _Nodes(shape), len(shape.declared)
    last_required = max((k for k, (key, _) in enumerate(shape.declared) if key in shape.required), default=-1)
    yield 0, nodes.after(0, 0), OPEN_BRACE
    for members in range(nodes.top + 1):
        for index in range(end + 1):
            here, before = nodes.after(index, members), nodes.before(index, members)
            if index > last_required and members >= shape.fewest:
                yield here, 1, CLOSE_BRACE
            if members or index == 0:
                yield here, before, COMMA if members else EMPTY_TEXT
            if index < end:
                key, value = shape.declared[index]
                yield from nodes.member(before, strings.key(key), value, index + 1, members)
                if key not in shape.required:
                    yield before, nodes.before(index + 1, members), EMPTY_TEXT
        for part in shape.extra:
            yield from nodes.member(nodes.before(end, members), part.keys, part.value.graph, end, members)
