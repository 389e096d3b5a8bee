"""The plain rules of all the subschemas that hold at one place."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from dgsolve.errors import UnsupportedSchemaError
from dgsolve.language.json_schema.compiled import Loose
from dgsolve.language.json_schema.group import Place
from dgsolve.language.json_schema.node import Node
from dgsolve.language.json_schema.reading import TYPES


class Rules:
    """Gathers one keyword over all nodes."""

    def __init__(self, nodes: tuple[Node, ...], place: Place) -> None:
        self.nodes = nodes
        self.place = place

    def all(self, keyword: str) -> list[Any]:
        return [node.rules[keyword] for node in self.nodes if keyword in node.rules]

    def any(self, keywords: frozenset[str]) -> bool:
        """Whether one of them is given."""
        return any(keywords & node.rules.keys() for node in self.nodes)

    def most(self, keyword: str) -> Any:
        return max(self.all(keyword), default=None)

    def least(self, keyword: str) -> Any:
        return min(self.all(keyword), default=None)

    def loose(self, keyword: str, note: str) -> frozenset[Loose]:
        """Says that the keyword, wherever it stands here, is left to the validator."""
        members = self.place.group.members
        return frozenset(Loose(node.pointer, keyword, note, members) for node in self.nodes if keyword in node.rules)

    def refuse_beyond(self, keyword: str, most: int) -> None:
        """UnsupportedSchemaError where a minimum asks for so much that no draft will ever hold it."""
        for node in self.nodes:
            if node.rules.get(keyword, 0) > most:
                said = f"asks for {node.rules[keyword]:,} or more, and {most:,} is the most that is built"
                raise UnsupportedSchemaError(said, pointer=node.pointer, keyword=keyword, hint="Ask for fewer.")

    @cached_property
    def types(self) -> frozenset[str]:
        return frozenset(TYPES).intersection(*self.all("type"))

    @cached_property
    def unknown(self) -> frozenset[Loose]:
        note, members = "only the validator knows what it refers to", self.place.group.members
        return frozenset(Loose(node.pointer, word, note, members) for node in self.nodes for word in node.unknown)
