"""Things that people pass as output types and that are none, each with what to write instead."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import Any, get_origin

from dgsolve.errors import DgsolveError, SchemaError, UsageError
from dgsolve.output_types.plain_texts import Choice, Regex
from dgsolve.short_schema import short_schema
from dgsolve.shortened import shortened, shown

_TYPE_MODULES = {"typing", "typing_extensions", "types", "builtins"}
_WRAPPED = {  # requests of other libraries by their "type", and where in them the schema is
    "json_schema": 'Write the schema inside of it: {}["json_schema"]["schema"].',
    "function": 'Write the schema inside of it: {}["function"]["parameters"].',
    "json_object": 'Write {{"type": "object"}}, or better the keys that you want.',
}


def refuse_swapped(prompt: Any, output_type: Any) -> None:
    """UsageError where the output type stands in the prompt's place."""
    if _is_prompt(output_type) and (_is_type(prompt) or isinstance(prompt, (Choice, Regex, dict))):
        name = getattr(prompt, "__name__", None) or shown(prompt)
        message = f"the prompt comes first, then the output type; here the prompt is {shown(prompt)}"
        raise UsageError(message, hint=f"Write generate({shown(output_type, 40)}, {name}).")


def refuse_misuse(given: Any) -> None:
    """SchemaError for values that are no types."""
    message, hint = _misuse(given)
    if message:
        raise SchemaError(message, hint=hint)


def _misuse(given: Any) -> tuple[str, str]:
    kind = type(given).__name__
    if given is None:
        return "None is no output type", "Write the type that you want, such as str."
    if isinstance(given, dict):
        return _dict(given)
    if given in (Choice, Regex):
        written = "(['yes', 'no'])" if given is Choice else r"(r'\d{4}')"
        return f"{given.__name__} alone says nothing", f"Write dgsolve.{given.__name__}{written}."
    if _is_type(given):
        return "", ""
    if inspect.isroutine(given):
        return f"the function {given.__name__!r} is no output type", "Write a class, or the type that it returns."
    if inspect.ismodule(given):
        return f"the module {given.__name__!r} is no output type", f"Write a class of it: {given.__name__}.Model."
    if isinstance(given, (str, bytes)):
        return f"the text {shown(given)} is no output type", _instead_of_text(given)
    if isinstance(given, re.Pattern):
        hint = f"Write dgsolve.Regex({shown(given.pattern)})."
        return f"a compiled pattern is no output type: {shown(given)}", hint
    if isinstance(given, (list, tuple, set, frozenset)):
        return _collection(given, kind)
    if isinstance(given, PurePath):
        hint = f"A schema is a dict: write json.loads(pathlib.Path({shown(str(given))}).read_text())."
        return f"the path {shown(given)} is no output type", hint
    if isinstance(given, Enum) or (hasattr(given, "__dict__") and type(given).__module__ not in _TYPE_MODULES):
        return f"an instance of {kind} is no output type", f"Write the class itself: {kind}."
    if isinstance(given, (int, float)):
        return f"the number {shown(given)} is no output type", f"Write {kind}, or Literal[{shown(given)}]."
    return "", ""


def _is_type(given: Any) -> bool:
    return isinstance(given, type) or get_origin(given) is not None


def _written(given: Any) -> str:
    return given.__name__ if isinstance(given, type) and get_origin(given) is None else shown(given)


def _is_prompt(given: Any) -> bool:
    messages = isinstance(given, (list, tuple)) and bool(given)
    return isinstance(given, str) or (messages and all(isinstance(part, Mapping) and "role" in part for part in given))


def _dict(given: dict[Any, Any]) -> tuple[str, str]:
    kind = given.get("type")
    if isinstance(kind, str) and kind in _WRAPPED:
        return f"a dict is a JSON Schema, and none has the type {kind!r}", _WRAPPED[kind].format("given")
    if any(map(_is_type, given.values())):
        fields = ", ".join(f"{key!r}: {getattr(value, '__name__', value)}" for key, value in given.items())
        message = f"a dict is a JSON Schema, and none holds Python types: {shown(given)}"
        return message, f"Write typing_extensions.TypedDict('Output', {{{shortened(fields, 80)}}})."
    return "", ""


def _instead_of_text(given: str | bytes) -> str:
    text = given.decode("utf-8", "replace").strip() if isinstance(given, bytes) else given.strip()
    if text.startswith("{"):
        return f"A schema is a dict: write json.loads({shown(given, 40)})."
    if text.endswith(".json"):
        return f"A schema is a dict: write json.loads(pathlib.Path({text!r}).read_text())."
    module, colon, name = text.partition(":")
    if colon and all(part.isidentifier() for part in (*module.split("."), name)):
        return f"Write the class: from {module} import {name}, then {name}."
    if "," in text and _is_short(text):
        return f"Write dgsolve.short_schema.short_schema({shown(text)})."
    return "Write a type such as int; dgsolve.Regex(...) for a pattern, dgsolve.Choice([...]) for one of a few texts."


def _is_short(text: str) -> bool:
    try:
        short_schema(text)
    except DgsolveError:
        return False
    return True


def _collection(given: Any, kind: str) -> tuple[str, str]:
    inner = list(given)
    message = f"a {kind} of values is no output type: {shown(given)}"
    if inner and all(isinstance(part, str) for part in inner):
        return message, f"Write dgsolve.Choice({shown(sorted(inner) if kind.endswith('set') else inner)})."
    if inner and all(part is None or _is_type(part) for part in inner):
        written = [_written(part) for part in inner]
        types = ", ".join(written) if kind == "tuple" else " | ".join(sorted(written))
        return message, f"Write {kind}[{shortened(types, 80)}]."
    return message, f"Write a type, such as {kind}[int]."
