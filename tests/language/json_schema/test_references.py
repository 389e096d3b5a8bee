"""References inside a document, and recursion."""

import pytest

from dgsolve.errors import SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError
from dgsolve.language.json_schema.dialect import Dialect
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.json_schema.references import References, extend, steps_of
from dgsolve.language.json_schema.spelling import spell

DOCUMENT = {
    "$id": "http://example.org/root.json",
    "$defs": {
        "a/b~c%": {"type": "null"},
        "named": {"$anchor": "here", "type": "string"},
        "inner": {"$id": "folder/inner.json", "$defs": {"x": {"$anchor": "deep", "type": "array"}}},
    },
    "prefixItems": [{"enum": [{"$anchor": "no"}]}, {}],
}


@pytest.mark.parametrize(
    ("place", "reference", "target"),
    [
        ("", "#", ""),
        ("", "#/$defs/a~1b~0c%25", "/$defs/a~1b~0c%"),
        ("", "#here", "/$defs/named"),
        ("", "root.json#here", "/$defs/named"),
        ("", "http://example.org/folder/inner.json", "/$defs/inner"),
        ("", "folder/inner.json#deep", "/$defs/inner/$defs/x"),
        ("/$defs/inner", "#", "/$defs/inner"),
        ("/$defs/inner/$defs/x", "#/$defs/x", "/$defs/inner/$defs/x"),
        ("", "#/prefixItems/1", "/prefixItems/1"),
        ("", "https://json-schema.org/draft/2020-12/schema", None),
    ],
)
def test_targets(place, reference, target):
    assert References(DOCUMENT, Dialect(2020)).target(place, "$ref", reference) == target


@pytest.mark.parametrize("reference", ["#/$defs/none", "#/prefixItems/7", "#no", "#/$id", "#/prefixItems"])
def test_leading_nowhere(reference):
    with pytest.raises(SchemaError, match="nowhere"):
        References(DOCUMENT, Dialect(2020)).target("", "$ref", reference)


def test_another_document_is_refused_with_its_place():
    with pytest.raises(UnsupportedSchemaError) as caught:
        compile_schema({"properties": {"a": {"$ref": "http://example.org/other"}}})
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/a", "$ref")


def test_pointers():
    assert extend("/a", "b/c", "~") == "/a/b~1c/~0"
    assert steps_of("/a/b~1c/~0") == ["a", "b/c", "~"]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}},
    ],
)
def test_circles_without_progress(schema):
    with pytest.raises(SchemaError, match="back to itself"):
        compile_schema(schema)


def nested(depth):
    return {"next": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize("times", [0, 1, 3])
def test_recursion_ends_at_the_limit(times):
    schema = {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False}
    language = compile_schema(schema, limits=Limits(recursion=times))
    taken = [language.acceptor.accepts(spell(nested(depth)).encode()) for depth in range(6)]
    assert taken == [depth <= times for depth in range(6)]
    assert language.warnings


def test_recursion_without_end_has_no_value():
    with pytest.raises(UnsatisfiableSchemaError, match="without end"):
        compile_schema({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]})


def test_a_dynamic_reference_with_several_anchors_is_left_to_the_validator():
    schema = {
        "$id": "http://example.org/strict",
        "$dynamicAnchor": "node",
        "$ref": "#/$defs/tree",
        "unevaluatedProperties": False,
        "$defs": {
            "tree": {
                "$id": "http://example.org/tree",
                "$dynamicAnchor": "node",
                "properties": {"c": {"items": {"$dynamicRef": "#node"}}},
            }
        },
    }
    language = compile_schema(schema)
    left = {(use.pointer, use.keyword) for use in language.keywords if use.enforced == "validator"}
    assert ("/$defs/tree/properties/c/items", "$dynamicRef") in left
    assert language.acceptor.accepts(b'{"c": [{"c": []}]}')
