"""Values with their keys in the order of the groups that they belong to."""

from __future__ import annotations

from typing import Any

from dgsolve.language.json_schema.group import Group


def arranged(value: Any, group: Group) -> Any:
    """A copy with keys in the order in which they are generated; keys that the schema does not name stay at the end."""
    if group.open:
        return value
    if isinstance(value, dict):
        named = dict.fromkeys(key for key in group.keys if key in value)
        ordered = {}
        for key in named | value:  # a loop, not a comprehension: one Python frame for each level of the value
            ordered[key] = arranged(value[key], group.child(key) if key in named else group.extra)
        return ordered
    if isinstance(value, (list, tuple)):
        items = []
        for index, part in enumerate(value):
            items.append(arranged(part, group.item(index)))
        return items
    return value
