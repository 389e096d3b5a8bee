"""Parts of a value that are given by `fill=`: as JSON has them, as a schema, and one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from dgsolve.errors import FillError, SchemaError, first_line
from dgsolve.language.json_schema.copying import plain
from dgsolve.language.json_schema.dialect import dialect_of
from dgsolve.language.json_schema.schema_faults import refuse_strange
from dgsolve.language.json_schema.schema_size import refuse_endless
from dgsolve.language.json_schema.spelling import plainer
from dgsolve.language.json_text import json_pointer
from dgsolve.shortened import shown

Path = tuple[str | int, ...]

_DEEPEST = 100  # arrays and objects in each other; a schema as deep as that is refused anyway
_WHAT_IS_LEFT = ("unevaluatedProperties", "unevaluatedItems")  # they see what stands beside them
_ROOT = "urn:dgsolve:filled"  # so that references inside a schema that is nested still begin at its own root
_NO_ASSERTIONS = ("$schema", "$id", "id", "$defs", "definitions", "$anchor")
ANYTHING = object()  # for a part of which only the place is given
_HOLD = "Write a list, dict, string or number, or an object of a pydantic model or a dataclass."


def given_parts(values: Any) -> Any:
    """What `fill=` gives, as JSON has it: objects of pydantic models and dataclasses by alias, enums by value.

    Raises FillError, with the place, for what JSON cannot write.

    >>> given_parts({"when": __import__("datetime").date(2026, 5, 1)})
    {'when': '2026-05-01'}
    """
    try:
        refuse_endless(values)  # before anything is copied
        given = _plain(values, ())
        refuse_strange({"const": given})
    except FillError:
        raise
    except SchemaError as error:
        hint = error.hint if error.pointer else "Give less at once."
        raise FillError(error.message, pointer=error.pointer.removeprefix("/const"), hint=hint) from error
    return plain(given)


def with_given(schema: Any, given: Any) -> Any:
    """The schema whose values hold what is given; what the schema refers to inside itself stays where it is."""
    more = _fixing(given)
    if not isinstance(schema, Mapping):
        return {"allOf": [schema, more]}
    if any(key in schema for key in _WHAT_IS_LEFT) and dialect_of(schema).draft > 7:
        dialect = {key: schema[key] for key in ("$schema",) if key in schema}
        return {**dialect, "allOf": [{"$id": _ROOT, **schema}, more]}
    rest = dict(schema)
    whole = [{"$ref": rest.pop("$ref")}] if "$ref" in rest else []
    if whole and dialect_of(schema).draft <= 7:  # nothing beside $ref counts there
        rest = {key: rest[key] for key in _NO_ASSERTIONS if key in rest}
    return {**rest, "allOf": [*rest.get("allOf", []), *whole, more]}


def parts(given: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The values that are given whole, each with the keys that lead to it."""
    if isinstance(given, Mapping) and given:
        for key, value in given.items():
            yield from parts(value, (*path, key))
    else:
        yield path, given


def alone(path: tuple[str, ...], part: Any) -> Any:
    """One part, as if nothing else was given."""
    for key in reversed(path):
        part = {key: part}
    return part


def _fixing(given: Any) -> dict[str, Any]:
    if given is ANYTHING:
        return {}
    if not isinstance(given, Mapping):
        return {"enum": [given]}  # what every draft knows
    inner = {key: _fixing(value) for key, value in given.items()}
    return {"type": "object", "properties": inner, "required": list(given)}


def _plain(value: Any, path: Path) -> Any:
    if len(path) > _DEEPEST:  # objects of Python may hold themselves
        message = f"more than {_DEEPEST} arrays and objects in each other"
        raise FillError(message, pointer=json_pointer(path), hint="Nest less deeply.")
    if isinstance(value, Enum):
        return _plain(value.value, path)
    if value is None or isinstance(value, (str, int, float, Decimal)):
        return value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                message = f"keys are texts, not {type(key).__name__}: {shown(key, 40)}"
                raise FillError(message, pointer=json_pointer(path), hint=f"Write {shown(str(key), 40)}.")
        return {key: _plain(inner, (*path, key)) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(inner, (*path, place)) for place, inner in enumerate(value)]
    return _plain(_dumped(value, path), path)


def _dumped(value: Any, path: Path) -> Any:
    """An object as pydantic writes it, without what it computes; Decimals stay numbers."""
    from pydantic import BaseModel, PydanticUserError, TypeAdapter
    from pydantic_core import to_jsonable_python

    if hasattr(value, "get_secret_value") and not isinstance(value, type):  # pydantic would write asterisks
        hint = "Give what get_secret_value() returns, if it may be written."
        raise FillError(f"a {type(value).__name__} is not written out", pointer=json_pointer(path), hint=hint)
    if isinstance(value, (deque, Iterator)):  # of which pydantic would write all at once
        return list(value)
    try:
        if isinstance(value, BaseModel):
            return value.model_dump(by_alias=True, round_trip=True, warnings=False)
        if is_dataclass(value) and not isinstance(value, type):
            adapter: TypeAdapter[Any] = TypeAdapter(type(value))
            return adapter.dump_python(value, by_alias=True, round_trip=True, warnings=False)
        return to_jsonable_python(value)
    except (ValueError, PydanticUserError) as error:  # of pydantic: a type that it does not know, or a ring
        message = f"JSON has no {type(value).__name__}: {first_line(error):.80}"
        raise FillError(message, pointer=json_pointer(path), hint=plainer(value) or _HOLD) from error
