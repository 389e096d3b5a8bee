"""Copies of schemas, made level by level, since a schema may be nested beyond what Python's own stack holds."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dgsolve.language.json_schema.references import steps_of
from dgsolve.language.json_schema.schema_size import NESTED
from dgsolve.language.json_schema.spelling import exact

EXACT = 2.0**53  # all whole floats below it are the decimals that they are written as


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


def plain(value: Any) -> Any:
    """A copy in Python's own types, also where the original has others that are made from them; what it shares, too.

    >>> plain({"minimum": type("Odd", (int,), {})(3)})
    {'minimum': 3}
    """
    root: list[Any] = [value]
    made: dict[int, Any] = {}  # by the identity of the original, which the value keeps alive
    stack: list[Any] = [root]
    while stack:
        holder = stack.pop()
        for key, part in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if not isinstance(part, NESTED):
                holder[key] = _plain_scalar(part)
                continue
            if id(part) not in made:
                made[id(part)] = _opened(part)
                stack.append(made[id(part)])
            holder[key] = made[id(part)]
    return root[0]


def with_exact_numbers(schema: Any) -> Any:
    """The schema, its large floats replaced by the whole numbers that their shortest decimals are.

    1e23 is meant, and a text has 1 and 23 zeros; the float itself is 8388608 less.

    >>> with_exact_numbers({"const": 1e23, "minimum": 0.5})
    {'const': 100000000000000000000000, 'minimum': 0.5}
    """
    changed = [copied(schema)]
    stack: list[Any] = [changed]
    while stack:
        holder = stack.pop()
        for key, part in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(part, NESTED):
                stack.append(part)
            elif isinstance(part, float) and abs(part) >= EXACT:
                holder[key] = int(exact(part))
    return changed[0]


def without(schema: Any, pointer: str, keyword: str) -> Any:
    """A copy without one keyword of the schema at `pointer`."""
    changed = copied(schema)
    here = changed
    for step in steps_of(pointer):
        here = here[int(step)] if isinstance(here, list) else here[step]
    del here[keyword]
    return changed


def _opened(part: Any) -> Any:
    return {_plain_scalar(key): inner for key, inner in part.items()} if isinstance(part, dict) else list(part)


def _plain_scalar(value: Any) -> Any:
    """Asks the types themselves, for those made from them may answer otherwise."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int.__int__(value)
    return Decimal(value) if isinstance(value, Decimal) else value
