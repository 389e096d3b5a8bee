"""Python types as output types, through pydantic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import (
    PydanticInvalidForJsonSchema,
    PydanticSchemaGenerationError,
    PydanticUndefinedAnnotation,
    PydanticUserError,
)
from pydantic_core.core_schema import ErrorType

from dgsolve.errors import OutputFault, SchemaError, UsageError, first_line
from dgsolve.language import json_text
from dgsolve.output_types.tight_schema import TightSchema

Loc = Sequence[str | int]
Path = tuple[str | int, ...]

_PYDANTICS_OWN = set(get_args(ErrorType)) - {"value_error", "assertion_error"}
_JSON_TYPES = "Use pydantic models, dataclasses, TypedDict, Enum, Literal, str, int, float, bool, list, dict, tuple."
_MOST_WAYS = 64  # in which one loc is read


def described(output_type: Any) -> tuple[str, dict[str, Any], TypeAdapter[Any]]:
    """The name, the JSON Schema and the reader of a type; SchemaError where JSON cannot write it."""
    name = getattr(output_type, "__name__", None) or str(output_type)
    name = name if isinstance(output_type, type) and "[" not in str(output_type) else _short(str(output_type))
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(output_type)
        return name, adapter.json_schema(schema_generator=TightSchema, mode="validation"), adapter
    except PydanticInvalidForJsonSchema as error:
        said = _unquoted(error)
        raise SchemaError(f"{name} holds something that JSON cannot write: {said}", hint=_JSON_TYPES) from error
    except (PydanticUserError, PydanticSchemaGenerationError, PydanticUndefinedAnnotation) as error:
        hint = "Import TypedDict from typing_extensions." if "TypedDict" in str(error) else _JSON_TYPES
        raise SchemaError(f"{name} is no type that can be read from JSON: {_unquoted(error)}", hint=hint) from error
    except SchemaError:
        raise
    except Exception as error:  # what the code of the type itself raises
        said = f"{type(error).__name__}: {error!s:.200}"
        raise SchemaError(f"{name} fails when its schema is asked for: {said}", hint=_JSON_TYPES) from error


def has_validators(adapter: TypeAdapter[Any]) -> bool:
    """Whether code of the type's own judges a value, as a field or model validator does."""
    stack: list[Any] = [adapter.core_schema]
    while stack:
        here = stack.pop()
        if isinstance(here, (list, tuple)):
            stack += here
        elif isinstance(here, dict):
            judges = str(here.get("type")).startswith("function-")
            if judges and not str(getattr(here["function"]["function"], "__module__", "")).startswith("pydantic"):
                return True
            stack += [value for key, value in here.items() if key not in ("serialization", "metadata", "cls")]
    return False


def faults(adapter: TypeAdapter[Any], text: str) -> tuple[OutputFault, ...]:
    """What the type's validators find wrong with a JSON text, each at the JSON Pointer of its loc."""
    json_text.parse(text)  # stricter than pydantic, which takes the last of two equal keys
    value = json_text.plain(text)
    try:
        validated(adapter, text)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    else:
        return ()
    # beside an error of a validator, those of the other branches of a union say nothing
    own = [one for one in errors if one["type"] not in _PYDANTICS_OWN] or errors
    found = [OutputFault(json_text.json_pointer(_path(value, one["loc"], one["input"])), _message(one)) for one in own]
    return tuple(dict.fromkeys(found)) or (OutputFault("", "is refused by a validator"),)


def validated(adapter: TypeAdapter[Any], text: str) -> Any:
    """The object that a JSON text is; ValidationError where it is none, UsageError where a validator itself fails."""
    try:
        return adapter.validate_json(text)
    except ValidationError:
        raise
    except (Exception, SystemExit) as error:  # pydantic lets through what is no ValueError or AssertionError
        message = f"a validator of the output type failed on {text:.60}: {type(error).__name__}: {error!s:.200}"
        raise UsageError(message, hint="Validators raise ValueError or AssertionError for what they refuse.") from error


def _message(error: Any) -> str:
    message: str = error["msg"]
    for prefix in ("Value error, ", "Assertion failed, "):
        message = message.removeprefix(prefix)
    return message


def _path(value: Any, loc: Loc, wanted: Any) -> Path:
    """The path in the value that a loc means; steps that name branches of unions and validators lead nowhere."""
    ways = list(islice(_ways(value, loc), _MOST_WAYS))
    return next((path for path, reached in ways if reached == wanted), ways[0][0])


def _ways(value: Any, loc: Loc) -> Iterator[tuple[Path, Any]]:
    if not loc:
        yield (), value
        return
    step, rest = loc[0], loc[1:]
    inside = step in value if isinstance(value, dict) else isinstance(value, list) and step in range(len(value))
    if inside:
        yield from (((step, *path), reached) for path, reached in _ways(value[step], rest))
    yield from _ways(value, rest)


def _unquoted(error: Exception) -> str:
    return first_line(error).replace(" `", " ").replace("`", "")


def _short(text: str) -> str:
    """A type as it is written, without the modules of its parts."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text)
