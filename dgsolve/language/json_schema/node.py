"""A schema at one place, read into the words of draft 2020-12, whatever draft it was written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TRUE, FALSE, STRING = "true", "false", "string"  # places of made-up schemas, as each type is; real ones: "" or "/..."


@dataclass(frozen=True)
class Combination:
    """Branches on the same value: `kind` is anyOf, oneOf, not or if; branches are places (if, then, else for if)."""

    kind: str
    pointer: str
    keyword: str
    branches: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """What the schema at `pointer` asks for itself, subschemas as places.

    rules: by keyword of draft 2020-12 (enum for const too), `type` a set of types where integer and fraction make up
    number. holds: places that must hold too ($ref, allOf). outline: in source order, ("key", name) for each key it
    declares, ("place", pointer) for each subschema on the same value, ("names", pointer) for the one on its keys,
    ("late", name) for keys it only mentions. unknown: keywords that only the validator understands.
    """

    pointer: str
    rules: Mapping[str, Any] = field(default_factory=dict)
    holds: tuple[str, ...] = ()
    combinations: tuple[Combination, ...] = ()
    outline: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def silent(self) -> bool:
        """Whether it asks for nothing itself."""
        return not self.rules and not self.unknown
