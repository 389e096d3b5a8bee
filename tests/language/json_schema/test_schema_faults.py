"""Schemas that are none: the place, the keyword, and a message of bounded length."""

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
