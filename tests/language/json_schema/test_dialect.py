"""Drafts told apart, and what differs between them."""

import pytest

from dgsolve.language.json_schema.dialect import URIS, dialect_of
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.spelling import spell


@pytest.mark.parametrize("draft", URIS)
def test_named_with_and_without_an_empty_fragment(draft):
    uri = URIS[draft].rstrip("#")
    assert dialect_of({"$schema": uri}).draft == dialect_of({"$schema": uri + "#"}).draft == draft


@pytest.mark.parametrize(
    ("schema", "draft"),
    [
        (True, 2020),
        ({"properties": {"n": {"maximum": 3, "exclusiveMaximum": True}}}, 4),
        ({"items": [{}]}, 7),
        ({"anyOf": [{"items": {}, "additionalItems": False}]}, 7),
        ({"items": [{}], "dependentRequired": {}}, 2019),
        ({"items": {"$recursiveRef": "#"}}, 2019),
        ({"$defs": {"a": {"items": {}}}, "prefixItems": [{}]}, 2020),
        ({"properties": {"exclusiveMinimum": {"type": "boolean"}, "additionalItems": {}}}, 2020),
        ({"enum": [{"exclusiveMinimum": True, "items": []}]}, 2020),
        ({"$schema": "https://example.org/mine", "items": [{}]}, 7),
    ],
)
def test_told_by_spelling(schema, draft):
    assert dialect_of(schema).draft == draft


@pytest.mark.parametrize(
    ("draft", "schema", "instance", "accepted"),
    [
        (4, {"minimum": 1, "exclusiveMinimum": True}, 1, False),
        (4, {"const": 1}, 2, True),
        (6, {"const": 1}, 2, False),
        (6, {"if": {}, "then": False}, 1, True),
        (7, {"if": {}, "then": {"type": "null"}}, 1, False),
        (7, {"definitions": {"i": {"type": "integer"}}, "$ref": "#/definitions/i", "maximum": 3}, 4, True),
        (2019, {"definitions": {"i": {"type": "integer"}}, "$ref": "#/definitions/i", "maximum": 3}, 4, False),
        (7, {"dependentRequired": {"a": ["b"]}}, {"a": 1}, True),
        (2019, {"dependentRequired": {"a": ["b"]}}, {"a": 1}, False),
        (2019, {"items": [{"type": "null"}], "additionalItems": {"type": "string"}}, [None, "x"], True),
        (2019, {"items": [{"type": "null"}], "additionalItems": {"type": "string"}}, [None, 1], False),
        (2020, {"prefixItems": [{"type": "null"}], "items": {"type": "string"}}, [None, 1], False),
        (4, {"format": "uuid"}, "x", True),
        (2020, {"format": "uuid"}, "x", False),
    ],
)
def test_what_the_drafts_mean(draft, schema, instance, accepted):
    language = compile_schema({"$schema": URIS[draft], **schema})
    text = spell(language.arrange(instance)).encode()
    assert language.acceptor.accepts(text) is accepted
    assert language.judge.accepts(instance) is accepted
