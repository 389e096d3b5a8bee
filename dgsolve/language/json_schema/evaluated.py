"""Which keys and items something beside unevaluatedProperties or unevaluatedItems may already have looked at."""

from __future__ import annotations

from dgsolve.language.json_schema.group import Groups
from dgsolve.language.json_schema.node import Node


class Evaluated:
    """Answers for the widest case: every branch that could hold counts."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._all: dict[str, tuple[tuple[Node, ...], bool]] = {}

    def settled(self, node: Node) -> bool:
        """Whether the answer is the same for all branches."""
        return self._found(node)[1]

    def key(self, node: Node, key: str) -> bool:
        return any(
            key in other.rules.get("properties", ())
            or any(self._groups.patterns.match(p, key) for p in other.rules.get("patternProperties", ()))
            or self._everything(node, other)
            for other in self._found(node)[0]
        )

    def extra(self, node: Node, patterns: frozenset[str]) -> bool:
        """Of keys that match these patterns and no others."""
        return any(
            bool(patterns & other.rules.get("patternProperties", {}).keys()) or self._everything(node, other)
            for other in self._found(node)[0]
        )

    def items(self, node: Node) -> int | None:
        """How many first items, None for all."""
        found = self._found(node)[0]
        if any(_all_items(other, node) for other in found):
            return None
        return max((len(other.rules.get("prefixItems", ())) for other in found), default=0)

    def _everything(self, node: Node, other: Node) -> bool:
        return (
            bool(other.unknown)
            or "additionalProperties" in other.rules
            or ("unevaluatedProperties" in other.rules and other is not node)
        )

    def _found(self, node: Node) -> tuple[tuple[Node, ...], bool]:
        """All nodes on the same value, and whether all of them hold."""
        if node.pointer not in self._all:
            reader, found, settled = self._groups.reader, {node.pointer: node}, True
            for pointer in (queue := [node.pointer]):
                here = reader.node(pointer)
                settled = settled and not here.combinations and not here.unknown
                for kind, name in here.outline:
                    if kind == "place" and name not in found and not name.startswith("="):
                        found[name] = reader.node(name)
                        queue.append(name)
            self._all[node.pointer] = (tuple(found.values()), settled)
        return self._all[node.pointer]


def _all_items(other: Node, node: Node) -> bool:
    looks = other.unknown or {"items", "contains"} & other.rules.keys()
    return bool(looks) or ("unevaluatedItems" in other.rules and other is not node)
