"""enum and const: values told apart by type and content (1 is 1.0, but not true), in the spelling of their place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import Edge, literal, network, strings, union
from dgsolve.language.json_schema.arranging import arranged
from dgsolve.language.json_schema.group import Group
from dgsolve.language.json_schema.punctuation import COLON, COMMA
from dgsolve.language.json_schema.reading import TYPES
from dgsolve.language.json_schema.spelling import spell
from dgsolve.language.size_limit import refuse_beyond

if TYPE_CHECKING:
    from dgsolve.language.json_schema.rules import Rules

ALONE = {"type", "enum", "const"}  # rules that a list of values settles by itself


def types_of(rules: Rules) -> frozenset[str]:
    """The types that enum and const leave."""
    lists = [{type_of(value) for value in values} for values in _lists(rules)]
    return frozenset(TYPES).intersection(*lists)


def type_of(value: Any) -> str:
    """Of TYPES: a number is an integer where it has no fraction, however it is written."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, (list, tuple)):
        return "array"
    return "integer" if value == int(value) else "fraction"


def settles(rules: Rules) -> bool:
    """Whether nothing but types and lists of values has a say."""
    return bool(_lists(rules)) and not rules.unknown and all(node.rules.keys() <= ALONE for node in rules.nodes)


def listed(rules: Rules, types: frozenset[str], group: Group) -> Acceptor | None:
    """The texts of the values that every enum and const allows, None where there is neither."""
    kept: dict[str, Any] | None = None
    for values in _lists(rules):
        ordered = [arranged(value, group) for value in values if type_of(value) in types]
        here = {spell(value): value for value in ordered}
        kept = here if kept is None else {text: value for text, value in kept.items() if text in here}
    return None if kept is None else _texts(kept)


def _lists(rules: Rules) -> list[tuple[Any, ...]]:
    return rules.all("enum") + rules.all("const")


def _texts(values: dict[str, Any]) -> Acceptor:
    """Those texts, and the same with spaces left out."""
    nested = [value for value in values.values() if isinstance(value, (dict, list)) and value]
    plain = strings(text.encode() for text, value in values.items() if not isinstance(value, (dict, list)) or not value)
    if not nested:
        return plain
    refuse_beyond(sum(map(len, values)) - len(values))  # before the work; the characters are the states of the network
    edges: list[Edge] = []
    fresh = count(2)
    for value in nested:
        pieces = list(_pieces(value))
        nodes = [0, *(next(fresh) for _ in pieces[1:]), 1]
        edges += zip(nodes, nodes[1:], pieces, strict=False)
    return union(plain, network(edges, 0, [1]))


def _pieces(value: Any) -> Iterator[Acceptor]:
    if isinstance(value, dict) and value:
        for index, (key, part) in enumerate(value.items()):
            yield COMMA if index else literal(b"{")
            yield literal(spell(key).encode())
            yield COLON
            yield from _pieces(part)
        yield literal(b"}")
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            yield COMMA if index else literal(b"[")
            yield from _pieces(part)
        yield literal(b"]")
    else:
        yield literal(spell(value).encode())
