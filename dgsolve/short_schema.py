"""The short form of a schema on the command line: `name, age int, tags list[str], born date?, kind: a|b|c`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from dgsolve.errors import UsageError

TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "email": {"type": "string", "format": "email"},
    "url": {"type": "string", "format": "uri"},
}

ELSEWHERE = {"string": "str", "text": "str", "integer": "int", "number": "float", "boolean": "bool", "uri": "url"}
ELSEWHERE |= {"list": "list[str]", "array": "list[str]"}  # what JSON Schema and other languages call them

# a name, then nothing, or a colon or spaces and a type; a question mark ends what may be absent
_FIELD = re.compile(r"(?P<name>[^\s:?|\[\]]+)(?:\s*:\s*|\s+|$|(?=\?))(?P<type>[^?]*?)\s*(?P<optional>\??)")
_EXAMPLE = "'name, age int, tags list[str], born date?, kind: a|b|c'"
_HINT = f"Write fields such as {_EXAMPLE}; types: {', '.join(TYPES)}."


def short_schema(text: str) -> dict[str, Any]:
    """The JSON Schema of a short form: an object of these keys alone, a string where no type is given.

    Raises UsageError with the column, counted from 1.

    >>> short_schema("name, kind: a|b?")["properties"]
    {'name': {'type': 'string'}, 'kind': {'enum': ['a', 'b']}}
    """
    if re.fullmatch(r"[\w/\\~-]*[./\\][\w./\\~-]*", text):
        said = f"there is no file {text}, and {text!r} is no field"
        raise UsageError(said, hint=f"Write a type as module:Model, and fields as in {_EXAMPLE}.")
    properties: dict[str, Any] = {}
    required: list[str] = []
    column = 1
    for part in text.split(","):
        start = column + len(part) - len(part.lstrip())
        name, schema, optional = _field(part.strip(), start)
        if name in properties:
            raise _error(start, f"the key {name!r} a second time", "Keep one of the two.")
        properties[name] = schema
        required += [] if optional else [name]
        column += len(part) + 1
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _field(field: str, column: int) -> tuple[str, dict[str, Any], bool]:
    if not field:
        raise _error(column, "a field must come here", _HINT)
    found = _FIELD.fullmatch(field)
    if found is None:
        raise _error(column, f"{field!r} is no field", _HINT)
    kind = _type(found["type"] or "str", column + found.start("type"))
    return found["name"], kind, bool(found["optional"])


def _type(text: str, column: int) -> dict[str, Any]:
    if text in TYPES:
        return dict(TYPES[text])
    if listed := re.fullmatch(r"list\[\s*(.*\S)\s*\]", text):
        return {"type": "array", "items": _type(listed[1], column + listed.start(1))}
    if "|" in text and not re.search(r"[\[\]]", text):
        return {"enum": _choices(text, column)}
    meant = _meant(text)
    raise _error(column, f"{text!r} is no type", f"Did you mean {meant}?" if meant else _HINT)


def _meant(text: str) -> str:
    """The type that was probably meant, "" where nobody knows."""
    if listed := re.fullmatch(r"\[\s*(\w+)\s*\]|(\w+)\[\]", text):
        item = listed[1] or listed[2]
        return f"list[{item if item in TYPES else _meant(item) or 'str'}]"
    near = get_close_matches(text, [*TYPES, "list[str]"], 1)
    return ELSEWHERE.get(text.lower(), near[0] if near else "")


def _choices(text: str, column: int) -> list[str]:
    choices: list[str] = []
    for choice in text.split("|"):
        if not choice.strip() or choice.strip() in choices:
            problem = f"the choice {choice.strip()!r} a second time" if choice.strip() else "an empty choice"
            raise _error(column, problem, "Write choices such as a|b|c.")
        choices.append(choice.strip())
        column += len(choice) + 1
    return choices


def _error(column: int, message: str, hint: str) -> UsageError:
    return UsageError(f"the short schema, column {column}: {message}", hint=hint)
