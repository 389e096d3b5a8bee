"""What is enforced how, why nothing fits, and what is refused."""

import pytest

from dgsolve.errors import SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError, UsageError
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits


def enforced(schema, **options):
    return {(use.pointer, use.keyword): use.enforced for use in compile_schema(schema, **options).keywords}


def test_each_keyword_has_its_enforcer():
    large = "^(a|b)*a(a|b){13}$"
    schema = {
        "title": "T",
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "string", "maxLength": 10**6, "minLength": 1, "format": "made-up", "pattern": large},
    }
    assert enforced(schema) == {
        ("", "title"): "annotation",
        ("", "type"): "automaton",
        ("", "uniqueItems"): "validator",
        ("", "items"): "automaton",
        ("/items", "type"): "automaton",
        ("/items", "maxLength"): "validator",
        ("/items", "minLength"): "automaton",
        ("/items", "format"): "annotation",
        ("/items", "pattern"): "validator",
    }
    notes = {use.keyword: use.note for use in compile_schema(schema).keywords}
    assert "standard format" in notes["format"]


def test_keywords_beside_a_reference_in_old_drafts():
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/i", "maximum": 3}},
        "definitions": {"i": {"type": "integer"}},
    }
    [use] = [use for use in compile_schema(schema).keywords if use.keyword == "maximum"]
    assert (use.enforced, use.pointer) == ("annotation", "/properties/a")
    assert "$ref" in use.note
    [warning] = compile_schema(schema).warnings
    assert "/properties/a" in warning and "maximum" in warning
    assert compile_schema({**schema, "$schema": "https://json-schema.org/draft/2020-12/schema"}).warnings == ()


def test_lenient_drops_what_it_cannot_enforce_and_says_so():
    schema = {"properties": {"a": {"$ref": "http://example.org/x", "type": "integer"}}}
    language = compile_schema(schema, lenient=True)
    assert enforced(schema, lenient=True)["/properties/a", "$ref"] == "dropped"
    assert language.schema == schema
    assert language.judged_schema == {"properties": {"a": {"type": "integer"}}}
    assert any("dropped" in warning for warning in language.warnings)
    assert not language.acceptor.accepts(b'{"a": "x"}')


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword"),
    [
        (False, "", None),
        ({"allOf": [True, False]}, "/allOf/1", None),
        ({"not": {}}, "", "not"),
        ({"enum": []}, "", "enum"),
        ({"type": "string", "enum": [1]}, "", "enum"),
        ({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4}, "", "exclusiveMinimum"),
        ({"type": "string", "format": "uuid", "maxLength": 10}, "", "format"),
        (
            {"type": "object", "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 4}}, "required": ["a"]},
            "/properties/a",
            "minimum",
        ),
        ({"type": "null", "oneOf": [{}, {"type": "null"}]}, "", "oneOf"),
        ({"type": "array", "items": False, "minItems": 1}, "", "minItems"),
        ({"type": "object", "minProperties": 3, "maxProperties": 2}, "", "minProperties"),
    ],
)
def test_the_keyword_that_leaves_no_value(schema, pointer, keyword):
    with pytest.raises(UnsatisfiableSchemaError) as caught:
        compile_schema(schema)
    assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword)


def test_an_optional_key_without_a_value_is_absent():
    schema = {"properties": {"a": {"type": "integer", "minimum": 5, "maximum": 4}, "b": {"type": "null"}}}
    acceptor = compile_schema(schema | {"type": "object", "additionalProperties": False}).acceptor
    assert acceptor.accepts(b'{"b": null}')
    assert not acceptor.accepts(b'{"a": 5}')


@pytest.mark.parametrize("schema", [None, "x", [], {"type": "foo"}, {"properties": 3}, {"pattern": "("}, {1: 2}])
def test_malformed(schema):
    with pytest.raises(SchemaError):
        compile_schema(schema)


def within(depth, step):
    schema = {"type": "integer"}
    for _ in range(depth):
        schema = step(schema)
    return schema


@pytest.mark.parametrize("depth", [100, 10_000])
def test_deep_schemas_are_refused(depth):
    with pytest.raises(SchemaError):
        compile_schema(within(depth, lambda inner: {"properties": {"a": inner}}))


def test_long_chains_of_references():
    chain = {f"d{k}": {"$ref": f"#/$defs/d{k + 1}"} for k in range(2_000)}
    language = compile_schema({"$ref": "#/$defs/d0", "$defs": {**chain, "d2000": {"type": "integer"}}})
    assert language.acceptor.accepts(b"7")
    assert not language.acceptor.accepts(b'"7"')
    through = {f"d{k}": {"properties": {"a": {"$ref": f"#/$defs/d{k + 1}"}}} for k in range(300)}
    with pytest.raises(UnsupportedSchemaError, match="deep"):
        compile_schema({"$ref": "#/$defs/d0", "$defs": {**through, "d300": {}}})


def test_large_lists_of_values():
    acceptor = compile_schema({"enum": [f"value {k}" for k in range(20_000)]}).acceptor
    assert acceptor.accepts(b'"value 19999"')
    assert not acceptor.accepts(b'"value 20000"')


def test_huge_bounds_are_left_to_the_validator():
    uses = enforced({"maxItems": 10**10, "maxProperties": 10**9, "maxLength": 10**9})
    assert set(uses.values()) == {"validator"}


@pytest.mark.parametrize("keyword", ["minLength", "minItems", "minProperties"])
def test_huge_minimums_are_refused(keyword):
    with pytest.raises(UnsupportedSchemaError) as caught:
        compile_schema({"properties": {"a": {keyword: 1_000_000}}})
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/a", keyword)
    assert "1,000,000" in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "shortest"),
    [
        ({"type": "string", "minLength": 300}, 302),
        ({"type": "string", "minLength": 1000, "maxLength": 5000}, 1002),
        ({"type": "string", "minLength": 300, "maxLength": 400, "pattern": "^a"}, 302),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 300}, 601),
        ({"type": "array", "minItems": 30}, 61),
    ],
)
def test_minimums_are_counted(schema, shortest):
    assert len(compile_schema(schema).acceptor.shortest) == shortest


def test_numbers_have_no_more_digits_than_make_sense():
    def takes(schema, number):
        return compile_schema(schema).acceptor.accepts(str(number).encode())

    for kind in ("integer", "number"):
        assert takes({"type": kind}, 2**64) and not takes({"type": kind}, 10**20)
        assert takes({"type": kind, "minimum": -(10**30)}, 10**30) and not takes({"type": kind, "minimum": 0}, 10**20)
        assert takes({"enum": [10**30], "type": kind, "minimum": 0}, 10**30)
        assert takes({"anyOf": [{"const": 10**30}, {"type": kind}]}, 10**30)
    assert takes({"type": "number"}, "0." + "3" * 20) and not takes({"type": "number"}, "0." + "3" * 21)
    assert not takes({"not": {"type": "number"}}, 10**30), "what is taken away is all of it"
    assert not takes({"oneOf": [{"type": "integer"}, {}]}, 10**30)
    assert not takes({"if": {"type": "integer"}, "then": {"maximum": 5}}, 10**30)
    assert not takes({"contains": {"type": "integer"}, "maxContains": 0}, [10**30])


def test_limits():
    many = {"type": "object", "properties": {f"key {k}": {"type": "string"} for k in range(40)}}
    with pytest.raises(UnsupportedSchemaError, match="more than 300 states"):
        compile_schema(many, limits=Limits(aim=300, states=300))
    with pytest.raises(UnsupportedSchemaError, match="seconds"):
        compile_schema(many, limits=Limits(seconds=0))
    with pytest.raises(UsageError, match="any_depth"):
        Limits(any_depth=-1)


def test_less_depth_rather_than_no_automaton():
    tree = {"type": "object", "properties": {key: {"$ref": "#"} for key in "abcdef"}, "additionalProperties": False}
    language = compile_schema(tree, limits=Limits(aim=500))
    assert len(language.acceptor) <= 750
    assert language.acceptor.accepts(b'{"a": {}}')
    assert any("less depth" in warning for warning in language.warnings)
