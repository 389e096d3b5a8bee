"""What is wrong with a schema itself, as the errors that people get: the place, the keyword and plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from dgsolve.errors import SchemaError, UnsupportedSchemaError, UsageError
from dgsolve.language.json_schema.dialect import LISTS, MAPS
from dgsolve.language.json_schema.fault_words import shown, words
from dgsolve.language.json_schema.spelling import MAX_DEPTH, exact, spell_string
from dgsolve.language.json_text import json_pointer
from dgsolve.language.regex import IrregularError, RegexError
from dgsolve.language.regex.matching import matcher
from dgsolve.language.size_limit import TooLargeError

_TYPES = "array, boolean, integer, null, number, object, string"
_REFERENCES = {"$ref", "$dynamicRef", "$recursiveRef", "$schema", "$id", "id"}
_BRING = "Put that schema under '$defs' and point to it with '#/$defs/NAME'."
_NAME_DRAFT = "Write 'https://json-schema.org/draft/2020-12/schema' or the name of an older draft, down to draft 4."

Node = tuple[tuple[str | int, ...], Any]


def refuse_strange(schema: Any) -> None:
    """SchemaError for what is no JSON at all: Python objects, NaN, keys that are no strings, endless nesting."""
    if not isinstance(schema, (dict, bool)):
        hint = "Read its text with json.loads first." if isinstance(schema, str) else "Write it as a dict."
        raise SchemaError(f"a schema is an object, true or false, not {type(schema).__name__}", hint=hint)
    for path, value in _walk(schema):
        try:
            _refuse_value(value, len(path))
        except UsageError as error:
            raise SchemaError(error.message, pointer=json_pointer(path), hint=error.hint) from error


def schema_error(error: Any, schema: Any) -> SchemaError:
    """The SchemaError for what jsonschema_rs raised while it built a validator; that of a pattern is raised."""
    kind = getattr(error, "kind", None)
    if kind is None or type(kind).__name__ == "Referencing":
        return _reference_error(error.message, schema)
    path, keyword = _keyword_place(error.instance_path)
    hint = ""
    if type(kind).__name__ == "Custom":  # of `pattern`, and jsonschema_rs keeps to itself why
        refuse_pattern(error.instance, json_pointer(path), "pattern")
    if kind.name == "uniqueItems":
        message = f"has an entry twice: {shown(error.instance)}"
    elif keyword == "type":
        message = f"must be a type or a list of types, not {shown(error.instance)}"
        hint = f"The types are {_TYPES}."
    elif kind.name == "format" and kind.value == "regex":
        message = f"is no regular expression that can be used: {shown(error.instance)}"
    elif kind.name == "type" and set(kind.value) == {"boolean", "object"}:
        message = f"a schema is an object, true or false, not {shown(error.instance)}"
    else:
        message = words(error)
    return SchemaError(message, pointer=json_pointer(path), keyword=keyword, hint=hint)


def refuse_pattern(pattern: str, pointer: str, keyword: str) -> None:
    """SchemaError for what is no ECMA-262 pattern, UnsupportedSchemaError for what no automaton can read."""
    try:
        matcher(pattern)
    except TooLargeError as error:
        message = f"is too large to be read: {shown(pattern)}"
        raise UnsupportedSchemaError(message, pointer=pointer, keyword=keyword, hint="Repeat fewer times.") from error
    except IrregularError as error:
        raise UnsupportedSchemaError(str(error), pointer=pointer, keyword=keyword) from error
    except RegexError as error:
        message = f"is no regular expression that can be used: {error}"
        raise SchemaError(message, pointer=pointer, keyword=keyword) from error


def _refuse_value(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise UsageError(f"more than {MAX_DEPTH} arrays and objects in each other, or one that holds itself")
    if isinstance(value, str):
        spell_string(value)
    elif isinstance(value, (int, float, Decimal)):
        exact(value)
    elif isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise UsageError(f"keys are strings, not {type(key).__name__}: {key!r}", hint=f"Write {str(key)!r}.")
            spell_string(key)
    elif not (value is None or isinstance(value, (list, tuple))):
        raise UsageError(f"JSON has no {type(value).__name__}: {value!r}", hint="Write a list, dict, string or number.")


def _walk(schema: Any) -> Iterator[Node]:
    stack: list[Node] = [((), schema)]
    while stack:
        path, value = stack.pop()
        yield path, value
        if isinstance(value, dict):
            stack += [((*path, key), part) for key, part in value.items()]
        elif isinstance(value, (list, tuple)):
            stack += [((*path, index), part) for index, part in enumerate(value)]


def _keyword_place(path: Sequence[str | int]) -> tuple[Sequence[str | int], str | None]:
    """The schema that a path leads into, and its keyword that the path ends in, None where it ends at a schema."""
    at = 0
    found: tuple[Sequence[str | int], str | None] = (path, None)
    while at < len(path):
        keyword = path[at]
        if not isinstance(keyword, str):
            return found  # an entry of a keyword that holds no schemas, such as required
        listed = keyword in LISTS and isinstance([*path, ""][at + 1], int)
        step = 2 if listed or keyword in MAPS else 1
        found = (path, None) if step == 2 and at + step == len(path) else (path[:at], keyword)
        at += step
    return found


def _reference_error(message: str, schema: Any) -> SchemaError:
    for path, value in _walk(schema):
        keyword = path[-1] if path else None
        if keyword not in _REFERENCES or not isinstance(value, str) or value.strip("#") not in message:
            continue
        if keyword in ("$id", "id"):
            return SchemaError(message, pointer=json_pointer(path[:-1]), keyword=str(keyword))
        kind: type[SchemaError] = UnsupportedSchemaError
        text, hint = f"{value!r:.80} is not in this schema, and nothing is fetched", _BRING
        if keyword == "$schema":
            text, hint = f"{value!r:.80} is no draft of JSON Schema that is known", _NAME_DRAFT
        elif value.startswith("#"):
            kind, text, hint = SchemaError, f"{value!r:.80} points to nothing in this schema", ""
        return kind(text, pointer=json_pointer(path[:-1]), keyword=str(keyword), hint=hint)
    return SchemaError(message)
