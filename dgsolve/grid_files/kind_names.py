"""What kind of puzzle a file says that a grid is; told of those that cannot be read too, so that they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dgsolve.grid_kinds import grid_kinds


def kind_of_record(record: Any) -> str:
    """Such as "sudoku + cages": the kind, options that make a variant, and types of rules; "" where nothing tells."""
    if not isinstance(record, Mapping):
        return ""
    kind = record.get("kind", record.get("game"))
    named = [kind] if isinstance(kind, str) else []
    made = grid_kinds().get(named[0]) if named else None
    variants = [option for option in (made.variants if made else ()) if record.get(option)]
    return " + ".join([*named, *variants, *_types(record.get("rule"))])


def _types(rules: Any) -> list[str]:
    listed = rules if isinstance(rules, list) else []
    types = (rule.get("type") for rule in listed if isinstance(rule, Mapping))
    return sorted({kind for kind in types if isinstance(kind, str)})
