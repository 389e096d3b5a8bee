"""Groups: the subschemas that apply to the same place of a value, and so share one order of keys.

Texts can stand for values in unions, intersections and differences only if each value has one text. So whatever applies
to one place, through allOf, anyOf, oneOf, not, if, dependencies or references, writes its keys in one order: that of
their appearance in the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from dgsolve.deadline import look
from dgsolve.errors import SchemaError, UnsupportedSchemaError
from dgsolve.language.json_schema.few_names import FewNames
from dgsolve.language.json_schema.key_patterns import KeyPatterns
from dgsolve.language.json_schema.node import Node
from dgsolve.language.json_schema.reading import Reader

MOST = 20_000  # groups of one schema


class Group:
    """`members` are places, closed over everything that applies to the same value; `keys` is their order."""

    def __init__(self, groups: Groups, members: tuple[str, ...]) -> None:
        self._groups = groups
        self.members = members
        self._children: dict[str | int | None, Group] = {}

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(self._groups.reader.node(place) for place in self.members)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return self._groups.keys(self.members)

    @cached_property
    def prefix(self) -> int:
        """How many first items have groups of their own."""
        return max((len(node.rules.get("prefixItems", ())) for node in self.nodes), default=0)

    @property
    def open(self) -> bool:
        """Whether nothing here orders any key."""
        return not self.members

    def child(self, key: str) -> Group:
        """The group of the value of a key in `keys`."""
        return self._memo(key, lambda node: self._groups.under_key(node, key), "unevaluatedProperties")

    @property
    def extra(self) -> Group:
        """The group of the values of all keys that are not in `keys`."""
        return self._memo(None, _under_extra, "unevaluatedProperties")

    def item(self, index: int) -> Group:
        at = min(index, self.prefix)
        return self._memo(at, lambda node: under_item(node, at), "contains", "unevaluatedItems")

    def _memo(self, name: str | int | None, under: Callable[[Node], Iterator[str]], *keywords: str) -> Group:
        if name not in self._children:
            places = [place for node in self.nodes for place in (*under(node), *_named(node, *keywords))]
            self._children[name] = self._groups.group(places)
        return self._children[name]

    @cached_property
    def reach(self) -> frozenset[Group]:
        """This group and all below it."""
        found, stack = {self}, [self]
        while stack:
            fresh = set(stack.pop().below()) - found
            found |= fresh
            stack += fresh
        return frozenset(found)

    def below(self) -> Iterator[Group]:
        """The groups of all parts of the value."""
        yield from (self.child(key) for key in self.keys)
        yield self.extra
        yield from (self.item(index) for index in range(self.prefix + 1))


@dataclass(frozen=True)
class Place:
    """Where in a value: its group, how many times references may still lead back, how deep open values may still go,
    and the rung of the ladder of limits that the place is on."""

    group: Group
    recursion: int
    depth: int
    rung: int


class Groups:
    """All groups of one schema, each made once."""

    def __init__(self, reader: Reader, names: int) -> None:
        self.reader = reader
        self.patterns = KeyPatterns()
        self.names = FewNames(reader, names)
        self._groups: dict[tuple[str, ...], Group] = {}
        self._closures: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._back: set[tuple[Group, Group]] = set()

    def group(self, places: Iterable[str]) -> Group:
        look()  # known or not: to find the places below N branches with N keys takes N * N looks
        members, _ = self._closed(tuple(dict.fromkeys(places)))
        if members not in self._groups:
            if len(self._groups) > MOST:
                raise UnsupportedSchemaError(f"more than {MOST:,} combinations of subschemas meet", hint="Simplify it.")
            self._groups[members] = Group(self, members)
        return self._groups[members]

    def keys(self, members: tuple[str, ...]) -> tuple[str, ...]:
        return self._closed(members)[1]

    def start(self, place: str) -> Group:
        """The group of the root, with every way back into a group found."""
        root = self.group([place])
        path, done = {root}, set()
        stack = [(root, root.below())]
        while stack:
            here, below = stack[-1]
            group = next(below, None)
            if group is None:
                path.discard(here)
                done.add(here)
                stack.pop()
            elif group in path:
                self._back |= set() if group.open else {(here, group)}
            elif group not in done:
                path.add(group)
                stack.append((group, group.below()))
        return root

    @property
    def recursive(self) -> bool:
        """Whether references lead back anywhere."""
        return bool(self._back)

    def leads_back(self, here: Group, group: Group) -> bool:
        """Whether a reference leads from a part of one group back to a group around it."""
        return (here, group) in self._back

    def under_key(self, node: Node, key: str) -> Iterator[str]:
        """The places of a node that apply to the value of a key, but for unevaluatedProperties."""
        rules = node.rules
        matching = [place for p, place in rules.get("patternProperties", {}).items() if self.patterns.match(p, key)]
        if key in rules.get("properties", ()):
            matching.insert(0, rules["properties"][key])
        if not matching and "additionalProperties" in rules:
            matching.append(rules["additionalProperties"])
        yield from matching

    def _closed(self, places: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Members that order anything, and the keys, both in the order of appearance."""
        if places in self._closures:
            return self._closures[places]
        members: dict[str, None] = {}
        keys: dict[str, None] = {}
        late: dict[str, None] = {}
        path: set[str] = set()
        stack: list[tuple[str, Iterator[tuple[str, str]]]] = [("", iter([("place", p) for p in places]))]
        while stack:
            here, outline = stack[-1]
            kind, name = next(outline, ("", ""))
            if not kind:
                stack.pop()
                path.discard(here)
            elif kind == "names":
                late |= dict.fromkeys(self.names(name))
            elif kind != "place":
                (keys if kind == "key" else late)[name] = None
            elif name in path:
                raise SchemaError(
                    "refers back to itself without going into a value",
                    pointer=name,
                    keyword="$ref",
                    hint="Let the reference sit under properties or items, or take it out.",
                )
            elif name not in members:
                members[name] = None
                path.add(name)
                stack.append((name, iter(self.reader.node(name).outline)))
        kept = tuple(place for place in members if self._orders(self.reader.node(place)))
        self._closures[places] = self._closures[kept] = (kept, tuple(keys | late))
        return self._closures[places]

    def _orders(self, node: Node) -> bool:
        """Whether the node names a key, or has anything to say about parts of a value."""
        inner = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "prefixItems")
        parts = (*inner, "items", "contains", "unevaluatedItems")
        named = any(kind in ("key", "late") or (kind == "names" and self.names(name)) for kind, name in node.outline)
        return named or any(part in node.rules for part in parts)


def under_item(node: Node, index: int) -> Iterator[str]:
    """The places of a node that apply to an item."""
    prefix = node.rules.get("prefixItems", ())
    if index < len(prefix):
        yield prefix[index]
    elif "items" in node.rules:
        yield node.rules["items"]


def _under_extra(node: Node) -> Iterator[str]:
    yield from node.rules.get("patternProperties", {}).values()
    yield from _named(node, "additionalProperties")


def _named(node: Node, *keywords: str) -> Iterator[str]:
    yield from (node.rules[keyword] for keyword in keywords if keyword in node.rules)
