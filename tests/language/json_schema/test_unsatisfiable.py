"""Schemas that no value fits: where that is, which keyword, and what to do."""

from typing import Any

import pytest

from dgsolve.errors import SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError
from dgsolve.language.json_schema.language import compile_schema

KEY = {"type": "object", "required": ["a"]}

NOTHING: list[tuple[Any, str, str | None]] = [
    (False, "", None),
    ({"enum": []}, "", "enum"),
    ({"type": "string", "enum": [1]}, "", "enum"),
    ({"type": "integer", "minimum": 3, "maximum": 2}, "", "minimum"),
    ({"enum": [1, 2], "minimum": 3}, "", "enum"),
    ({"type": "array", "minItems": 3, "maxItems": 2}, "", "minItems"),
    ({"type": "array", "uniqueItems": True, "items": {"type": "boolean"}, "minItems": 3}, "", "minItems"),
    ({"type": "object", "propertyNames": {"const": "a"}, "minProperties": 2}, "", "minProperties"),
    ({"type": "null", "not": {"type": "null"}}, "", "not"),
    ({**KEY, "properties": {"a": False}}, "/properties/a", None),
    ({**KEY, "properties": {"a": {"$ref": "#"}}}, "", "required"),
    ({**KEY, "propertyNames": {"enum": ["b"]}}, "", "propertyNames"),
]


@pytest.mark.parametrize(("schema", "pointer", "keyword"), NOTHING)
def test_the_place_the_keyword_and_what_to_do(schema, pointer, keyword):
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema)
    assert isinstance(caught.value, UnsatisfiableSchemaError)
    assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword) and caught.value.hint


def test_what_is_nested_too_deeply_says_what_to_do():
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(70):
        schema = {"type": "array", "items": schema}
    with pytest.raises(UnsupportedSchemaError, match="60 places deep") as caught:
        compile_schema(schema)
    assert caught.value.hint
