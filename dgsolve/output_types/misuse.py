"""Things that people pass as output types and that are none, each with what to write instead."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from typing import Any, get_origin

from dgsolve.errors import SchemaError

_LONGEST = 80  # characters of a value that a message shows
_TYPE_MODULES = {"typing", "typing_extensions", "types", "builtins"}


def refuse_misuse(given: Any) -> None:
    """SchemaError for values that are no types."""
    message, hint = _misuse(given)
    if message:
        raise SchemaError(message, hint=hint)


def _misuse(given: Any) -> tuple[str, str]:
    kind = type(given).__name__
    if given is None:
        return "None is no output type", "Write the type that you want, such as str."
    if isinstance(given, type) or get_origin(given) is not None:
        return "", ""
    if inspect.isroutine(given):
        return f"the function {given.__name__!r} is no output type", "Write a class, or the type that it returns."
    if inspect.ismodule(given):
        return f"the module {given.__name__!r} is no output type", f"Write a class of it: {given.__name__}.Model."
    if isinstance(given, (str, bytes)):
        hint = "Write dgsolve.Regex(...), or a schema as a dict (json.loads)."
        return f"the text {_shown(given)} is no output type", hint
    if isinstance(given, re.Pattern):
        hint = f"Write dgsolve.Regex({_shown(given.pattern)})."
        return f"a compiled pattern is no output type: {_shown(given)}", hint
    if isinstance(given, (list, tuple, set, frozenset)):
        return _collection(given, kind)
    if isinstance(given, Enum) or (hasattr(given, "__dict__") and type(given).__module__ not in _TYPE_MODULES):
        return f"an instance of {kind} is no output type", f"Write the class itself: {kind}."
    if isinstance(given, (int, float)):
        return f"the number {_shown(given)} is no output type", f"Write {kind}, or Literal[{_shown(given)}]."
    return "", ""


def _collection(given: Any, kind: str) -> tuple[str, str]:
    inner = list(given)
    message = f"a {kind} of values is no output type: {_shown(given)}"
    if inner and all(isinstance(part, str) for part in inner):
        return message, f"Write dgsolve.Choice({_shown(sorted(inner) if kind.endswith('set') else inner)})."
    if len(inner) == 1 and isinstance(inner[0], type):
        return message, f"Write {kind}[{inner[0].__name__}]."
    return message, f"Write a type, such as {kind}[int]."


def _shown(value: Any) -> str:
    """As Python writes it, cut where it is long."""
    try:
        text = repr(value)
    except Exception:  # of a class with a __repr__ of its own, or an integer of too many digits
        return f"of type {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
