"""Copies of schemas, made level by level, since a schema may be nested beyond what Python's own stack holds."""

from __future__ import annotations

from typing import Any

from dgsolve.language.json_schema.references import steps_of


def copied(value: Any) -> Any:
    """A copy that shares no list or dict with the original; tuples become lists."""
    root: list[Any] = [value]
    stack: list[Any] = [root]
    while stack:
        holder = stack.pop()
        for key, part in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(part, dict):
                holder[key] = dict(part)
                stack.append(holder[key])
            elif isinstance(part, (list, tuple)):
                holder[key] = list(part)
                stack.append(holder[key])
    return root[0]


def without(schema: Any, pointer: str, keyword: str) -> Any:
    """A copy without one keyword of the schema at `pointer`."""
    changed = copied(schema)
    here = changed
    for step in steps_of(pointer):
        here = here[int(step)] if isinstance(here, list) else here[step]
    del here[keyword]
    return changed
