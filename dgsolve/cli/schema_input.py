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

_TYPE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def read_schema(source: str) -> Any:
    """An output type for `dgsolve.compile_form`; errors say which of the four it was taken for.

    A file is one that exists, `-` is standard input, JSON begins with a brace, module:Model is a Python type.
    """
    text = source.strip()
    if text == "-":
        return _parsed(_decoded(sys.stdin.buffer.read(), "standard input"), "standard input")
    if text.startswith("{") or text in ("true", "false"):
        return _parsed(text, "--schema")
    if len(text) < 1024 and Path(text).is_file():
        return _parsed(_decoded(Path(text).read_bytes(), text), text)
    if text.endswith((".json", ".jsonschema")):
        raise UsageError(f"there is no file {text}", hint="Give a file, JSON, module:Model, or 'name, age int'.")
    if _TYPE.fullmatch(text):
        return load_type(text)
    return short_schema(text)


def _decoded(data: bytes, place: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{place} is not UTF-8: {error.reason} at byte {error.start}"
        raise UsageError(message, hint="Save it as UTF-8.") from error


def _parsed(text: str, place: str) -> Any:
    try:
        return json_text.parse(text)
    except json_text.JsonTextError as error:
        raise SchemaError(f"{place} is not JSON: {error}", hint=error.hint) from error
