"""How large a schema is as text, told before anything copies or writes it: parts that Python shares count each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dgsolve.errors import SchemaError
from dgsolve.language.json_schema.spelling import MAX_DEPTH

NESTED = (dict, list, tuple)
MOST = 50_000_000  # characters, of which a value counts as 10 at least
_EACH = 10
_HINT = "Give each part one name under '$defs' and refer to it with $ref."

Extent = tuple[int, int]  # characters, arrays and objects in each other


def refuse_endless(schema: Any) -> None:
    """SchemaError for a schema that holds itself, is too deep, or shares parts until it is over 50 million characters.

    Takes time for each part once, however often it is shared.

    >>> part = {"type": "string"}
    >>> for _ in range(40):
    ...     part = {"properties": {"a": part, "b": part}}
    >>> refuse_endless(part)
    Traceback (most recent call last):
        ...
    dgsolve.errors.SchemaError: ...
    """
    size, depth = _measured(schema)
    if depth > MAX_DEPTH:
        raise SchemaError(f"more than {MAX_DEPTH} arrays and objects in each other", hint="Nest less deeply.")
    if size > MOST:
        raise SchemaError(f"written out, it has more than {MOST:,} characters", hint=_HINT)


def _measured(schema: Any) -> Extent:
    """Of all of it, from the inside out; SchemaError where a part holds itself."""
    known: dict[int, Extent] = {}
    path: set[int] = set()
    stack: list[tuple[Any, Iterator[Any]]] = [(None, iter([schema]))]
    while stack:
        here, parts = stack[-1]
        inner = next((part for part in parts if isinstance(part, NESTED) and id(part) not in known), None)
        if inner is not None and id(inner) in path:
            raise SchemaError("a part of it holds itself", hint=_HINT)
        if inner is not None:
            path.add(id(inner))
            stack.append((inner, _parts(inner)))
            continue
        stack.pop()
        if stack:
            path.remove(id(here))
            known[id(here)] = _extent(here, known)
    return known.get(id(schema), (0, 0))


def _parts(value: Any) -> Iterator[Any]:
    return iter(value.values() if isinstance(value, dict) else value)


def _extent(value: Any, known: dict[int, Extent]) -> Extent:
    """Of an array or object whose parts are known; a number longer than at a guess is refused elsewhere."""
    inner = [known[id(part)] for part in _parts(value) if isinstance(part, NESTED)]
    plain = [part for part in _parts(value) if not isinstance(part, NESTED)]
    keys = value if isinstance(value, dict) else ()
    size = _EACH + sum(size for size, _ in inner) + sum(map(_length, plain)) + sum(map(_length, keys))
    return size, 1 + max((depth for _, depth in inner), default=0)


def _length(value: Any) -> int:
    return _EACH + (len(value) if isinstance(value, str) else 0)
