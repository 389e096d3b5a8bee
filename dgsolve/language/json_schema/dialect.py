"""The drafts of JSON Schema, told apart by `$schema` or by how a schema is spelled, and where subschemas sit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

URIS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}

ONE = frozenset(
    [
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "additionalItems",
        "items",
    ]
)
LISTS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
MAPS = frozenset(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"])

Step = tuple[str, ...]  # reference tokens from a schema to a subschema


@dataclass(frozen=True)
class Dialect:
    """One draft; `draft` is 4, 6, 7, 2019 or 2020."""

    draft: int

    @property
    def uri(self) -> str:
        return URIS[self.draft]

    def named(self, uri: Any) -> bool:
        """Whether a `$schema` names this draft."""
        return isinstance(uri, str) and uri.rstrip("#") == self.uri.rstrip("#")

    @property
    def id_keyword(self) -> str:
        return "id" if self.draft == 4 else "$id"

    @property
    def lone_reference(self) -> bool:
        """Whether everything beside a `$ref` is ignored."""
        return self.draft <= 7


def dialect_of(schema: Any) -> Dialect:
    """The draft that `$schema` names, else the newest one that knows the spelling."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    known = (dialect for dialect in map(Dialect, URIS) if dialect.named(named))
    return next(known, None) or Dialect(_by_spelling(schema))


def _by_spelling(schema: Any) -> int:
    seen: set[str] = set()
    stack = [schema]
    while stack:
        here = stack.pop()
        if not isinstance(here, dict):
            continue
        seen.update(here)
        if isinstance(here.get("exclusiveMinimum"), bool) or isinstance(here.get("exclusiveMaximum"), bool):
            return 4
        if isinstance(here.get("items"), list):
            seen.add("items as a list")
        stack += [inner for _, inner in subschemas(here)]
    if seen & {"items as a list", "additionalItems", "$recursiveRef"}:
        newer = {"$defs", "$anchor", "$recursiveRef", "dependentSchemas", "dependentRequired", "unevaluatedProperties"}
        return 2019 if seen & newer else 7
    return 2020


def subschemas(schema: dict[str, Any]) -> Iterator[tuple[Step, Any]]:
    """Each subschema with the way to it, keywords in source order; never what sits in values such as those of enum."""
    for keyword, value in schema.items():
        if keyword in ONE and isinstance(value, (dict, bool)):
            yield (keyword,), value
        elif keyword in LISTS and isinstance(value, list):
            for place, inner in enumerate(value):
                yield (keyword, str(place)), inner
        elif keyword in MAPS and isinstance(value, dict):
            for name, inner in value.items():
                if isinstance(inner, (dict, bool)):
                    yield (keyword, name), inner
