"""What a validation error of jsonschema-rs says in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dgsolve.language.json_schema.spelling import spell
from dgsolve.language.json_text import json_pointer
from dgsolve.shortened import shortened

_LONGEST = 60  # characters of a value that a message shows

Say = Callable[[Any, Any, Any], str]  # (instance, what the keyword says, the whole error) -> the words after the place


def words(error: Any) -> str:
    """What is wrong, without the place; `error` is a jsonschema_rs.ValidationError."""
    say = _SAY.get(error.kind.name)
    # a limit of the regex engine comes under the name of its keyword, with a text of its own
    if say is None or type(error.kind).__name__ in ("BacktrackLimitExceeded", "RegexEngineFailure"):
        return f"could not be checked: {error.message}" if say else error.message
    return say(error.instance, error.kind.value, error)


def short_json(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    return shortened(spell(value), _LONGEST)


def place(path: Sequence[str | int]) -> str:
    return json_pointer(path) or "the value"


def _listed(values: Sequence[Any], last: str = "or") -> str:
    texts = [short_json(value) for value in values[:12]]
    if len(values) > 12:
        texts.append(f"{len(values) - 12} others")
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _type(instance: Any, types: list[str], error: Any) -> str:
    return f"must be {' or '.join(types)}, not {short_json(instance)}"


def _contains(instance: list[Any], wanted: None, error: Any) -> str:
    counted = {"minContains": "has too few items that match", "maxContains": "has too many items that match"}
    return f"{counted.get(error.schema_path[-1], 'has no item that matches')} the schema of 'contains'"


def _unmatched(instance: Any, branches: list[list[Any]], error: Any) -> str:
    """The branch whose first fault lies deepest is the one that was most likely meant."""
    first = (branch[0] for branch in branches if branch)
    closest = max(first, key=lambda fault: len(fault.instance_path), default=None)
    message = f"matches none of the {len(branches)} schemas of {error.kind.name!r}"
    return message if closest is None else f"{message}; to match one, {place(closest.instance_path)} {words(closest)}"


def _several(instance: Any, branches: list[list[Any]], error: Any) -> str:
    matching = [str(number) for number, branch in enumerate(branches) if not branch]
    return f"must match exactly one schema of 'oneOf', but matches {' and '.join(matching)} (counted from 0)"


def _one_of(instance: Any, branches: list[list[Any]], error: Any) -> str:
    return (_unmatched if all(branches) else _several)(instance, branches, error)


_SAY: dict[str, Say] = {
    "type": _type,
    "enum": lambda instance, options, _: f"must be {_listed(options)}, not {short_json(instance)}",
    "const": lambda instance, wanted, _: f"must be {short_json(wanted)}, not {short_json(instance)}",
    "minimum": lambda instance, limit, _: f"must be at least {short_json(limit)}, not {short_json(instance)}",
    "maximum": lambda instance, limit, _: f"must be at most {short_json(limit)}, not {short_json(instance)}",
    "exclusiveMinimum": lambda instance, limit, _: f"must be more than {short_json(limit)}, not {short_json(instance)}",
    "exclusiveMaximum": lambda instance, limit, _: f"must be less than {short_json(limit)}, not {short_json(instance)}",
    "multipleOf": lambda instance, step, _: f"must be a multiple of {short_json(step)}, not {short_json(instance)}",
    "minLength": lambda text, limit, _: f"must have at least {_count(limit, 'character')}, not {len(text)}",
    "maxLength": lambda text, limit, _: f"must have at most {_count(limit, 'character')}, not {len(text)}",
    "pattern": lambda text, pattern, _: f"must match the pattern {pattern}, not be {short_json(text)}",
    "format": lambda text, name, _: f"must be in the format {name!r}, not {short_json(text)}",
    "minItems": lambda items, limit, _: f"must have at least {_count(limit, 'item')}, not {len(items)}",
    "maxItems": lambda items, limit, _: f"must have at most {_count(limit, 'item')}, not {len(items)}",
    "additionalItems": lambda items, limit, _: f"must have at most {_count(limit, 'item')}, not {len(items)}",
    "minProperties": lambda keys, limit, _: f"must have at least {_count(limit, 'key')}, not {len(keys)}",
    "maxProperties": lambda keys, limit, _: f"must have at most {_count(limit, 'key')}, not {len(keys)}",
    "required": lambda _instance, key, _: f"must have the key {short_json(key)}",
    "additionalProperties": lambda *_: "is a key that the schema does not allow",
    "unevaluatedProperties": lambda *_: "is a key that the schema does not allow",
    "unevaluatedItems": lambda _instance, items, _: f"has items that the schema does not allow: {', '.join(items)}",
    "propertyNames": lambda _instance, inner, _: f"has a name that is not allowed: it {words(inner)}",
    "falseSchema": lambda *_: "is not allowed here",
    "uniqueItems": lambda *_: "equals an item before it",
    "not": lambda *_: "must not match the schema of 'not', but does",
    "contains": _contains,
    "anyOf": _unmatched,
    "oneOf": _one_of,
}
