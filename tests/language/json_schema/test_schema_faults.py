"""Schemas that are none: the place, the keyword, and a message of bounded length."""

from collections import OrderedDict
from enum import Enum

import numpy as np
import pytest

from dgsolve.errors import SchemaError
from dgsolve.forms import compile_form
from dgsolve.language.json_schema.dialect import URIS


@pytest.mark.parametrize("name", [[], {}, [1], {"a": []}])
def test_a_draft_is_named_by_a_text(name):
    with pytest.raises(SchemaError) as caught:
        compile_form({"$schema": name, "type": "integer"}).acceptor()
    assert caught.value.keyword == "$schema"


def test_integers_too_long_for_a_schema_are_not_called_deep():
    with pytest.raises(SchemaError) as caught:
        compile_form({"minimum": 10**5000}).acceptor()
    assert "integer" in str(caught.value) and "Nest" not in caught.value.hint


def test_a_long_reference_is_cut():
    with pytest.raises(SchemaError, match="points to nothing") as caught:
        compile_form({"$ref": "#/" + "a/" * 100_000}).acceptor()
    assert len(str(caught.value)) < 300


def _pointing_to(part: object, place: str = "foo") -> dict[str, object]:
    """A schema with a part where no draft looks for schemas, and a reference to it."""
    return {place: part, "properties": {"a": {"$ref": f"#/{place}"}}, "required": ["a"], "type": "object"}


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword"),
    [
        (_pointing_to({"items": 4, "type": "array"}), "/foo", "items"),
        (_pointing_to({"multipleOf": 0, "type": "number"}), "/foo", "multipleOf"),
        (_pointing_to({"type": "strin"}), "/foo", "type"),
        (_pointing_to({"pattern": "("}), "/foo", "pattern"),
        (_pointing_to({"allOf": [{"properties": {"b": {"required": 3}}}]}), "/foo/allOf/0/properties/b", "required"),
        ({"$schema": URIS[7]} | _pointing_to({"items": 4}, "$defs"), "/$defs", "items"),
    ],
)
def test_what_a_reference_leads_to_has_to_be_a_schema(schema, pointer, keyword):
    with pytest.raises(SchemaError) as caught:
        compile_form(schema).acceptor()
    assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword)


def test_integers_too_long_are_named_by_place():
    with pytest.raises(SchemaError, match="more than 4,300 digits") as caught:
        compile_form({"properties": {"a": {"enum": [1, 10**5000]}}})
    assert caught.value.pointer == "/properties/a/enum/1"


class Text(str):
    pass


class Items(list):
    pass


class Colour(str, Enum):  # noqa: UP042  (what people have)
    RED = "red"


class Amount(float, Enum):
    HALF = 2.5


class Plain(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"enum": Items([Text("red")])}, '"red"', '"blue"'),
        ({Text("type"): Text("integer")}, "3", '"red"'),
        ({"enum": [Colour.RED]}, '"red"', '"blue"'),
        ({"properties": {Colour.RED: {"type": "null"}}, "required": [Colour.RED]}, '{"red": null}', '{"red": 1}'),
        ({"enum": list(Colour)}, '"red"', '"Colour.RED"'),
        ({"enum": [Amount.HALF]}, "2.5", "2"),
        ({"type": "number", "minimum": np.float64(5)}, "5", "4"),
        ({"type": "integer", "default": np.float64(5)}, "5", "5.5"),
        ({"const": OrderedDict(a=np.float64(1))}, '{"a": 1}', '{"a": 2}'),
    ],
    ids=str,
)
def test_types_made_from_those_of_json_count_as_these(schema, good, bad):
    form = compile_form(schema)
    assert form.accepts(good) and not form.accepts(bad) and form.json_schema == schema


@pytest.mark.parametrize(
    ("schema", "pointer", "hint"),
    [
        ({"minimum": np.int64(5)}, "/minimum", "Write int(...) around it."),
        ({"enum": [Plain.RED]}, "/enum/0", "Write its .value."),
        ({"enum": np.array([1])}, "/enum", "Write what its .tolist() returns."),
    ],
)
def test_other_types_are_told_how_to_be_written(schema, pointer, hint):
    with pytest.raises(SchemaError, match="JSON has no") as caught:
        compile_form(schema)
    assert caught.value.pointer == pointer and caught.value.hint == hint
