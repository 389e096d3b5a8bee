"""What is wrong with a schema itself, as the errors that people get: the place, the keyword and plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from dgsolve.errors import SchemaError, UnsupportedSchemaError, UsageError
from dgsolve.language.json_schema.dialect import LISTS, MAPS, Dialect
from dgsolve.language.json_schema.fault_words import short_json, words
from dgsolve.language.json_schema.schema_size import NESTED, refuse_endless
from dgsolve.language.json_schema.spelling import exact, no_json, spell_string
from dgsolve.language.json_text import json_pointer
from dgsolve.language.regex import IrregularError, RegexError
from dgsolve.language.regex.matching import matcher
from dgsolve.language.size_limit import TooLargeError

_TYPES = "array, boolean, integer, null, number, object, string"
_REFERENCES = {"$ref", "$dynamicRef", "$recursiveRef", "$schema", "$id", "id"}
LONGEST = 4_300  # digits of an integer; Python itself writes no longer ones
_BRING = "Put that schema under '$defs' and point to it with '#/$defs/NAME'."
_NAME_DRAFT = "Write 'https://json-schema.org/draft/2020-12/schema' or the name of an older draft, down to draft 4."

Path = tuple[str | int, ...]
Steps: TypeAlias = "tuple[()] | tuple[Steps, str | int]"  # a path, whose first part others share


def refuse_strange(schema: Any) -> None:
    """SchemaError for what is no JSON at all: Python objects, NaN, keys that are no strings, endless nesting."""
    if not isinstance(schema, (dict, bool)):
        hint = "Read its text with json.loads first." if isinstance(schema, str) else "Write it as a dict."
        raise SchemaError(f"a schema is an object, true or false, not {type(schema).__name__}", hint=hint)
    refuse_endless(schema)
    for steps, value in _distinct(schema):
        try:
            _refuse_value(value)
        except UsageError as error:
            raise SchemaError(error.message, pointer=json_pointer(_path(steps)), hint=error.hint) from error


def refuse_malformed(schema: dict[str, Any] | bool, pointer: str, dialect: Dialect) -> None:
    """SchemaError for what a reference leads to and is no schema: it may lie where the metaschema does not look."""
    import jsonschema_rs as library

    if isinstance(schema, bool):
        return
    try:
        library.meta.validate({**schema, "$schema": dialect.uri})
    except library.ValidationError as error:
        raise schema_error(error, schema, pointer) from error


def schema_error(error: Any, schema: Any, pointer: str = "") -> SchemaError:
    """The SchemaError for what jsonschema_rs raised while it built a validator; that of a pattern is raised.

    `pointer` is the place of the schema.
    """
    kind = getattr(error, "kind", None)
    if kind is None or type(kind).__name__ == "Referencing":
        return _reference_error(error.message, schema)
    path, keyword = _keyword_place(error.instance_path)
    place, hint = pointer + json_pointer(path), ""
    if type(kind).__name__ == "Custom":  # of `pattern`, and jsonschema_rs keeps to itself why
        refuse_pattern(error.instance, place, "pattern")
    if kind.name == "uniqueItems":
        message = f"has an entry twice: {short_json(error.instance)}"
    elif keyword == "type":
        message = f"must be a type or a list of types, not {short_json(error.instance)}"
        hint = f"The types are {_TYPES}."
    elif kind.name == "format" and kind.value == "regex":
        message = f"is no regular expression that can be used: {short_json(error.instance)}"
    elif kind.name == "type" and set(kind.value) == {"boolean", "object"}:
        message = f"a schema is an object, true or false, not {short_json(error.instance)}"
    else:
        message = words(error)
    return SchemaError(message, pointer=place, keyword=keyword, hint=hint)


def refuse_pattern(pattern: str, pointer: str, keyword: str) -> None:
    """SchemaError for what is no ECMA-262 pattern, UnsupportedSchemaError for what no automaton can read."""
    try:
        matcher(pattern)
    except TooLargeError as error:
        message = f"is too large to be read: {short_json(pattern)}"
        raise UnsupportedSchemaError(message, pointer=pointer, keyword=keyword, hint="Repeat fewer times.") from error
    except IrregularError as error:
        raise UnsupportedSchemaError(str(error), pointer=pointer, keyword=keyword) from error
    except RegexError as error:
        message = f"is no regular expression that can be used: {error}"
        raise SchemaError(message, pointer=pointer, keyword=keyword) from error


def _refuse_value(value: Any) -> None:
    if isinstance(value, str):
        spell_string(value)
    elif isinstance(value, (int, float, Decimal)):
        number = exact(value)
        if isinstance(value, int) and number.adjusted() >= LONGEST:  # jsonschema_rs reads no longer ones
            raise UsageError(f"an integer of more than {LONGEST:,} digits is too long", hint="Write shorter numbers.")
    elif isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise UsageError(f"keys are strings, not {type(key).__name__}: {key!r}", hint=f"Write {str(key)!r}.")
            spell_string(key)
    elif not (value is None or isinstance(value, (list, tuple))):
        raise no_json(value)


def _distinct(schema: Any) -> Iterator[tuple[Steps, Any]]:
    """Each value with the steps to it; what lies in several places once."""
    seen: set[int] = set()
    stack: list[tuple[Steps, Any]] = [((), schema)]
    while stack:
        steps, value = stack.pop()
        yield steps, value
        if isinstance(value, NESTED) and id(value) not in seen:
            seen.add(id(value))
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            stack += [((steps, step), part) for step, part in inner]


def _path(steps: Steps) -> Path:
    found: list[str | int] = []
    while steps:
        steps, step = steps
        found.append(step)
    return tuple(reversed(found))


def _walk(schema: Any) -> Iterator[tuple[Path, Any]]:
    return ((_path(steps), value) for steps, value in _distinct(schema))


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
