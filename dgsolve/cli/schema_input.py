"""What a person names as a schema: a file, JSON as it is, module:Model, or the short form."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from dgsolve.errors import SchemaError, UsageError
from dgsolve.language import json_text
from dgsolve.output_types import load_type
from dgsolve.short_schema import short_schema

_KINDS = {list: "an array", str: "a string", type(None): "null"}  # of JSON; all else is a number
_HINT = "A schema is a JSON object, true or false; a short form of one is 'name, age int'."
_TYPE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def read_schema(source: str) -> Any:
    """An output type for `dgsolve.compile_form`; errors say which of the four it was taken for.

    A file is one that exists, `-` is standard input, JSON is what reads as such, module:Model is a Python type.
    """
    text = source.strip()
    if text == "-":
        return _parsed(_decoded(sys.stdin.buffer.read(), "standard input"), "standard input")
    if text.startswith("{"):
        return _parsed(text, "--schema")
    if len(text) < 1024 and Path(text).is_file():
        return _parsed(_decoded(Path(text).read_bytes(), text), text)
    if text.endswith((".json", ".jsonschema")):
        raise UsageError(f"there is no file {text}", hint="Give a file, JSON, module:Model, or 'name, age int'.")
    if _TYPE.fullmatch(text):
        return load_type(text)
    return _parsed(text, "--schema") if text.startswith(("[", '"')) or _is_json(text) else short_schema(text)


def _decoded(data: bytes, place: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{place} is not UTF-8: {error.reason} at byte {error.start}"
        raise UsageError(message, hint="Save it as UTF-8.") from error


def _parsed(text: str, place: str) -> Any:
    try:
        value = json_text.parse(text)
    except json_text.JsonTextError as error:
        raise SchemaError(f"{place} is not JSON: {error}", hint=error.hint or _HINT) from error
    if not isinstance(value, (dict, bool)):
        said = f"{place} is {_KINDS.get(type(value), 'a number')}, and that is no schema"
        raise UsageError(said, hint=_HINT)
    return value


def _is_json(text: str) -> bool:
    try:
        json_text.parse(text)
    except json_text.JsonTextError:
        return False
    return True
