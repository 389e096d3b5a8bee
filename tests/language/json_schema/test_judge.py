"""The judge: the official suite, exact numbers, faults that people can act on, and malformed schemas refused."""

import copy
import json
import pickle
from decimal import Decimal
from pathlib import Path

import pytest

from dgsolve.errors import SchemaError, UnsupportedSchemaError, UsageError
from dgsolve.language.json_schema.dialect import Dialect
from dgsolve.language.json_schema.judge import Judge

SUITE = Path(__file__).resolve().parents[4] / "shared/data/json-schema-test-suite"


def remotes() -> dict[str, object]:
    folder = SUITE / "remotes"
    return {
        f"http://localhost:1234/{path.relative_to(folder).as_posix()}": json.loads(path.read_text("utf-8"))
        for path in folder.rglob("*.json")
    }


@pytest.mark.skipif(not SUITE.is_dir(), reason="the official suite is not in shared/data beside the repository")
@pytest.mark.parametrize("part", ["", "optional/format"])
def test_the_official_suite(part):
    wrong, stored = [], remotes()
    for path in sorted((SUITE / "tests/draft2020-12" / part).glob("*.json")):
        if not part and path.stem == "format":
            continue  # says that formats are annotations by default; ours are checked
        for group in json.loads(path.read_text("utf-8"), parse_float=Decimal):
            judge = Judge(group["schema"], remotes=stored)
            cases = ((case["description"], judge.accepts(case["data"]), case["valid"]) for case in group["tests"])
            wrong += [(path.stem, group["description"], name) for name, found, right in cases if found is not right]
    assert wrong == []


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"multipleOf": 0.1}, [0.3, Decimal("0.3"), 0.7], [Decimal("0.35"), 0.25]),
        ({"multipleOf": Decimal("0.01")}, [19.99, Decimal("123456789.12")], [Decimal("0.001")]),
        ({"minimum": Decimal("0.1000000000000000000000001")}, [1], [Decimal("0.1"), 0.1]),
        ({"maximum": 10**30}, [10**30], [10**30 + 1]),
        ({"maximum": 2**53}, [2**53, float(2**53)], [2**53 + 1, Decimal("9007199254740992.5")]),
        ({"const": 2**53}, [Decimal(2**53)], [2**53 + 1]),
        ({"enum": [12345678901234567890123]}, [12345678901234567890123], [12345678901234567890124]),
        ({"const": 1e23}, [10**23, Decimal("1e23")], [int(1e23)]),  # the float itself is another whole number
        ({"items": {"enum": [[-1.5e300]]}}, [[[-15 * 10**299]]], [[[int(-1.5e300)]]]),
        ({"minimum": 1e25, "maximum": 1e25}, [10**25], [10**25 + 1, 10**25 - 1]),
        ({"multipleOf": 1e23}, [2 * 10**23], [int(1e23)]),
        ({"const": 0.1}, [0.1, Decimal("0.10")], [Decimal("0.1000000000000000055511151231")]),
        ({"multipleOf": 3}, [2**53 + 1, 3 * 10**40], [2**53, 3 * 10**40 + 1]),
        ({"uniqueItems": True}, [[2**53, 2**53 + 1]], [[0.1, Decimal("0.10")]]),
        ({"type": "integer"}, [Decimal("1.0"), 10**400], [Decimal("1.5"), True]),
        ({"const": 1}, [Decimal("1.00"), 1.0], [True, Decimal("1.0000000000000000000000001")]),
        ({"uniqueItems": True}, [[1, True, "1"]], [[1, Decimal("1.0")]]),
        ({"pattern": r"^\d$"}, ["1"], ["١", "1\n"]),
        ({"pattern": r"^\p{L}$"}, ["é"], ["1"]),
        ({"format": "date-time"}, ["2024-02-29T00:00:00Z"], ["2023-02-29T00:00:00Z"]),
        ({"format": "made-up"}, ["anything"], []),
        ({"maxLength": 1}, ["😀"], ["ab"]),
        ({"required": ["a"]}, [{"a": None}, 3], [{}]),
        (False, [], [1]),
    ],
)
def test_values_are_judged_exactly(schema, accepted, refused):
    judge = Judge(schema)
    for value in accepted:
        assert judge.accepts(value) and judge.faults(value) == ()
    for value in refused:
        assert not judge.accepts(value) and judge.faults(value)


PERSON = {
    "properties": {"age": {"maximum": 120}, "tags": {"uniqueItems": True}, "kind": {"enum": ["a", 1]}},
    "required": ["age"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (PERSON, {"age": 150}, [("/age", "maximum", "must be at most 120, not 150")]),
        (PERSON, {}, [("", "required", 'must have the key "age"')]),
        (PERSON, {"age": 1, "x/y": 0}, [("/x~1y", "additionalProperties", "is a key that the schema does not allow")]),
        (PERSON, {"age": 1, "kind": "1"}, [("/kind", "enum", 'must be "a" or 1, not "1"')]),
        (
            PERSON,
            {"age": 1, "tags": [1, 2, 1.0, 2]},
            [(place, "uniqueItems", "equals an item before it") for place in ("/tags/2", "/tags/3")],
        ),
        ({"type": ["string", "null"]}, 1, [("", "type", "must be null or string, not 1")]),
        ({"items": {"minLength": 2}}, ["ab", "é"], [("/1", "minLength", "must have at least 2 characters, not 1")]),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            [("/ab", "propertyNames", "has a name that is not allowed: it must have at most 1 character, not 2")],
        ),
        (
            {"additionalProperties": False},
            {"a": {"b": 1}, "c": 2},
            [(place, "additionalProperties", "is a key that the schema does not allow") for place in ("/a", "/c")],
        ),
        ({"properties": {"a": False}}, {"a": 1}, [("/a", "false", "is not allowed here")]),
        (
            {"contains": {"type": "null"}, "minContains": 2},
            [None],
            [("", "minContains", "has too few items that match the schema of 'contains'")],
        ),
        (
            {"oneOf": [{}, {"type": "integer"}]},
            1,
            [("", "oneOf", "must match exactly one schema of 'oneOf', but matches 0 and 1 (counted from 0)")],
        ),
        (
            {"anyOf": [{"type": "null"}, {"properties": {"b": {"minimum": 3}}}]},
            {"b": 1},
            [("", "anyOf", "matches none of the 2 schemas of 'anyOf'; to match one, /b must be at least 3, not 1")],
        ),
    ],
)
def test_faults_name_the_place_the_keyword_and_what_is_wrong(schema, value, expected):
    found = [(fault.pointer, fault.keyword, fault.message) for fault in Judge(schema).faults(value)]
    assert found == [(pointer, keyword, f"{pointer or 'the value'} {said}") for pointer, keyword, said in expected]


def test_a_fault_points_into_the_schema_through_references():
    schema = {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"minimum": 3}}}
    (fault,) = Judge(schema).faults({"a": 1})
    assert fault.schema_pointer == "/$defs/n/minimum"


def test_a_pattern_that_cannot_be_checked_accepts_nothing():
    judge = Judge({"not": {"pattern": "b"}})
    assert judge.accepts("a" * 50_000)
    assert not judge.accepts("a" * 50_001)
    assert "could not be checked" in judge.faults("a" * 50_001)[0].message
    assert judge.accepts("a"), "the next value is judged as if nothing had been"


@pytest.mark.parametrize(
    ("pattern", "accepted", "refused"),
    [
        (r"\bé", ["aé"], ["é", "éa"]),
        (r"^(?!a).$", ["b"], ["a", "\r", "\u2028"]),
        ("(?s)^.$", ["\n", "\u2029"], ["ab"]),
        ("^[^]$", ["\n", "a"], ["ab"]),
        (r"^[\b]$", ["\b"], ["b"]),
        (r"^\uD83D\uDE00$", ["😀"], ["a"]),
        ("^(?<x>a)$", ["a"], ["b"]),
        (r"^\d$", ["1"], ["١", "1\n"]),
        ("^(a|a)*(?!a)b$", ["aab"], ["a" * 40]),
        ("^.{0,65535}$", ["a" * 3], ["\n"]),
    ],
)
def test_patterns_mean_what_ecma_262_says(pattern, accepted, refused):
    judge, other = Judge({"pattern": pattern}), Judge({"not": {"pattern": pattern}})
    for text in accepted:
        assert judge.accepts(text) and not other.accepts(text)
    for text in refused:
        [fault] = judge.faults(text)
        assert fault.keyword == "pattern" and pattern in fault.message and other.accepts(text)
    assert judge.accepts(3), "which is no string"


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?<x>a)\k<x>"])
def test_back_references_are_refused(pattern):
    with pytest.raises(UnsupportedSchemaError, match="back-reference") as caught:
        Judge({"properties": {"a": {"items": {"pattern": pattern}}}})
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/a/items", "pattern")


def test_the_draft_comes_from_schema_spelling_or_caller():
    pair = {"items": [{"type": "null"}], "additionalItems": False}
    assert not Judge(pair).accepts([None, 1])
    assert not Judge({"minimum": 1, "exclusiveMinimum": True}).accepts(1)
    beside = {"$ref": "#/definitions/a", "definitions": {"a": {}}, "type": "string"}
    assert not Judge(beside).accepts(1)
    assert Judge(beside, dialect=Dialect(7)).accepts(1)  # up to draft 7 nothing beside $ref counts
    assert Judge({"$schema": "http://json-schema.org/draft-07/schema#", **beside}).accepts(1)


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword", "said"),
    [
        ({"type": "strng"}, "", "type", 'must be a type or a list of types, not "strng"'),
        ({"properties": {"a": {"minimum": "x"}}}, "/properties/a", "minimum", 'must be number, not "x"'),
        ({"properties": {"a": 3}}, "/properties/a", None, "a schema is an object, true or false, not 3"),
        ({"properties": 3}, "", "properties", "must be object"),
        ({"allOf": [{}, {"required": ["a", "a"]}]}, "/allOf/1", "required", "has an entry twice"),
        ({"patternProperties": {"[": {}}}, "/patternProperties/[", None, "no regular expression"),
        ({"pattern": "("}, "", "pattern", "no regular expression"),
        ({"items": {"$ref": "#/$defs/q"}}, "/items", "$ref", "'#/$defs/q' points to nothing in this schema"),
        ({"x": [float("nan")]}, "/x/0", None, "no number nan"),
        ({"enum": {1, 2}}, "/enum", None, "JSON has no set"),
        ({"x": {1: 2}}, "/x", None, "keys are strings, not int"),
        ({"const": "\ud800"}, "/const", None, "half of a surrogate pair"),
        ([], "", None, "not list"),
        ('{"type": "string"}', "", None, "not str"),
    ],
)
def test_malformed_schemas_are_refused_with_their_place(schema, pointer, keyword, said):
    with pytest.raises(SchemaError) as caught:
        Judge(schema)
    assert not isinstance(caught.value, UnsupportedSchemaError)
    assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword)
    assert said in str(caught.value)


def test_endless_and_very_deep_schemas_are_refused():
    endless: dict[str, object] = {}
    endless["items"] = endless
    deep: dict[str, object] = {}
    for _ in range(300):
        deep = {"not": deep}
    for schema in (endless, deep):
        with pytest.raises(SchemaError):
            Judge(schema)


def test_remote_references_are_refused_unless_given():
    schema = {"properties": {"a": {"$ref": "http://example.com/n.json"}}}
    with pytest.raises(UnsupportedSchemaError) as caught:
        Judge(schema)
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/a", "$ref")
    judge = Judge(schema, remotes={"http://example.com/n.json": {"type": "integer"}})
    assert judge.accepts({"a": 1}) and not judge.accepts({"a": "1"})


def test_what_is_no_json_value_is_refused():
    deep: list[object] = []
    for _ in range(200_000):  # would end the process in the library
        deep = [deep]
    for value in (deep, {1}, "\ud800", {1: 2}):
        with pytest.raises(UsageError):
            Judge({}).accepts(value)


def test_nothing_is_changed():
    schema, value = copy.deepcopy(PERSON), {"age": 150, "tags": [1, 1]}
    judge = Judge(schema)
    assert judge.faults(value) and judge.faults(value) == judge.faults(value)
    assert schema == PERSON and value == {"age": 150, "tags": [1, 1]}
    schema.clear()
    assert not judge.accepts({"age": 150})


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda judge: pickle.loads(pickle.dumps(judge))])
def test_a_judge_can_be_copied_and_can_leave_a_process(copied):
    schema = {"$ref": "urn:more", "pattern": "^a", "format": "date"}
    judge = Judge(schema, remotes={"urn:more": {"maxLength": 3}}, formats=False)
    again = copied(judge)
    for value in ("a", "aaaa", "b", 3):
        assert again.accepts(value) == judge.accepts(value)
