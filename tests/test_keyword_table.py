"""The keyword table of docs/json.md, row by row, against what `compile` does with a schema for each thing it says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dgsolve
from dgsolve.errors import UnsupportedSchemaError
from dgsolve.forms.json_form import JsonForm
from dgsolve.language.json_schema import arrays, extra_keys, formats, numbers, objects
from dgsolve.language.json_schema.limits import USUAL
from dgsolve.language.json_schema.reading import KEYWORDS

PAGE = (Path(__file__).parents[1] / "docs" / "json.md").read_text("utf-8")
AUTOMATON, JUDGE, REFUSED, NOBODY = "automaton", "judge", "refused", "nobody"
REPORTED = {AUTOMATON: "automaton", JUDGE: "validator", NOBODY: "annotation"}
DRAFT = {year: f"https://json-schema.org/draft/{year}/schema" for year in ("2019-09", "2020-12")}
SEVEN = "http://json-schema.org/draft-07/schema#"
LARGE = "^a{0,99999}$"
BACK = r"^(.)\1$"
UNIQUE = {"type": "array", "uniqueItems": True}
NULL = {"type": "null"}
NUMBERS = {"type": "array", "items": {"type": "integer"}}
CLOSED = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
HEAVY = {"type": "object", "properties": {key: {"type": "string", "maxLength": 64} for key in "abcdefgh"}}
WIDE = {"anyOf": [{"properties": {"a": NULL}}, {"prefixItems": [NULL]}, {}]}  # which of these hold is not known before
TREE = {"$dynamicAnchor": "t", "properties": {"a": {"$dynamicRef": "#t"}}}

# By keyword and by who enforces it: a schema that has the keyword somewhere.
SCHEMAS: dict[str, dict[str, Any]] = {
    "type": {AUTOMATON: NULL},
    "enum": {AUTOMATON: {"enum": [1, True, "a"]}},
    "const": {AUTOMATON: {"const": [1]}},
    "properties": {AUTOMATON: CLOSED},
    "required": {AUTOMATON: {**CLOSED, "required": ["a"]}},
    "additionalProperties": {AUTOMATON: CLOSED},
    "propertyNames": {AUTOMATON: {"propertyNames": {"maxLength": 3}}, JUDGE: {"propertyNames": {"pattern": LARGE}}},
    "patternProperties": {
        AUTOMATON: {"patternProperties": {"^a": NULL}},
        JUDGE: {"patternProperties": {LARGE: NULL}},
        REFUSED: {"patternProperties": {BACK: NULL}},
    },
    "minProperties": {AUTOMATON: {"minProperties": 16}, JUDGE: {"minProperties": 17}, REFUSED: {"minProperties": 1001}},
    "maxProperties": {AUTOMATON: {"maxProperties": 16}, JUDGE: {"maxProperties": 17}},
    "dependentRequired": {AUTOMATON: {"dependentRequired": {"a": ["b"]}}},
    "dependentSchemas": {AUTOMATON: {"dependentSchemas": {"a": {"required": ["b"]}}}},
    "dependencies": {AUTOMATON: {"$schema": SEVEN, "dependencies": {"a": ["b"]}}},
    "unevaluatedProperties": {
        AUTOMATON: {"properties": {"a": NULL}, "unevaluatedProperties": False},
        JUDGE: {**WIDE, "unevaluatedProperties": False},
    },
    "unevaluatedItems": {
        AUTOMATON: {"prefixItems": [NULL], "unevaluatedItems": False},
        JUDGE: {**WIDE, "unevaluatedItems": False},
    },
    "items": {AUTOMATON: NUMBERS},
    "prefixItems": {AUTOMATON: {"prefixItems": [NULL]}},
    "additionalItems": {AUTOMATON: {"$schema": SEVEN, "items": [NULL], "additionalItems": False}},
    "minItems": {
        AUTOMATON: {**NUMBERS, "minItems": 1000},
        JUDGE: {"items": HEAVY, "minItems": 200},
        REFUSED: {**NUMBERS, "minItems": 1001},
    },
    "maxItems": {AUTOMATON: {**NUMBERS, "maxItems": 64}, JUDGE: {**NUMBERS, "maxItems": 65}},
    "contains": {AUTOMATON: {**NUMBERS, "contains": {"const": 1}}, JUDGE: {"contains": UNIQUE}},
    "minContains": {
        AUTOMATON: {**NUMBERS, "contains": {"const": 1}, "minContains": 2},
        JUDGE: {"contains": NULL, "minContains": 100},
    },
    "maxContains": {
        AUTOMATON: {**NUMBERS, "contains": {"const": 1}, "maxContains": 2},
        JUDGE: {"contains": NULL, "maxContains": 100},
    },
    "uniqueItems": {AUTOMATON: {**UNIQUE, "items": {"enum": [1, 2, True, None, "a"]}}, JUDGE: UNIQUE},
    "minLength": {AUTOMATON: {"minLength": 1800}, REFUSED: {"minLength": 2200}},
    "maxLength": {AUTOMATON: {"maxLength": 256}, JUDGE: {"maxLength": 257}},
    "pattern": {
        AUTOMATON: {"pattern": r"^(?=.*\d)\p{Lu}.{2,4}"},
        JUDGE: {"pattern": LARGE},
        REFUSED: {"pattern": BACK},
    },
    "minimum": {AUTOMATON: {"minimum": 0.25}},
    "maximum": {AUTOMATON: {"maximum": 10**30}},
    "exclusiveMinimum": {AUTOMATON: {"exclusiveMinimum": -7}},
    "exclusiveMaximum": {AUTOMATON: {"exclusiveMaximum": 7}},
    "multipleOf": {AUTOMATON: {"multipleOf": 0.25}, JUDGE: {"multipleOf": 7919}},
    "allOf": {AUTOMATON: {"allOf": [UNIQUE]}},
    "anyOf": {AUTOMATON: {"anyOf": [NULL, CLOSED]}, JUDGE: {"anyOf": [UNIQUE, NULL]}},
    "oneOf": {AUTOMATON: {"oneOf": [NULL, CLOSED]}, JUDGE: {"oneOf": [UNIQUE, NULL]}},
    "not": {AUTOMATON: {"type": ["null", "boolean"], "not": NULL}, JUDGE: {"not": UNIQUE}},
    **{
        word: {
            AUTOMATON: {"if": {"minimum": 3}, "then": {"maximum": 5}, "else": {"minimum": 0}, "type": "integer"},
            JUDGE: {"if": UNIQUE, "then": {"maxItems": 1}, "else": {"maxItems": 2}},
        }
        for word in ("if", "then", "else")
    },
    "$ref within the schema": {AUTOMATON: {"$ref": "#/$defs/a", "$defs": {"a": NULL}}},
    "$ref to another document": {REFUSED: {"$ref": "https://example.org/a.json"}, JUDGE: {"$ref": DRAFT["2020-12"]}},
    "$dynamicRef": {
        AUTOMATON: {"properties": {"a": {"$dynamicRef": "#t"}}, "$dynamicAnchor": "t"},
        JUDGE: {"properties": {"a": {"$ref": "x"}}, "$defs": {"x": {"$id": "x", **TREE}, "y": {"$id": "y", **TREE}}},
    },
    "$recursiveRef": {JUDGE: {"$schema": DRAFT["2019-09"], "properties": {"a": {"$recursiveRef": "#"}}}},
}
SILENT = {"deprecated": True, "readOnly": True, "examples": []}  # others that ask for nothing hold a text


def rows() -> Iterator[tuple[str, set[str], str]]:
    """The table: its first cells, whom the others name, and their text."""
    for line in PAGE[PAGE.index("| keyword | enforced by |") :].split("\n\n")[0].splitlines()[2:]:
        first, *others = line.strip("|").split("|")
        said = " ".join(others)
        who = {one for one in (*REPORTED, REFUSED) if re.search(rf"\b{one}\b", said)}
        yield first.strip(), who, said


def named(first: str) -> list[str]:
    return re.findall("`([^`]+)`", first)


def enforcers(word: str, schema: Any, **options: Any) -> set[str]:
    """What the report says of every use of a keyword."""
    return {use.enforced for use in compiled(schema, **options).keywords if use.keyword == word}


def compiled(schema: Any, **options: Any) -> JsonForm:
    form = dgsolve.compile(schema, **options)
    assert isinstance(form, JsonForm)
    return form


RULES = [row for row in rows() if not row[0].startswith("`format`")]
FORMATS = [row for row in rows() if row[0].startswith("`format`")]
IDS = [row[0] for row in RULES]


@pytest.mark.parametrize(("first", "who", "said"), RULES, ids=IDS)
def test_a_row_is_what_the_report_says(first: str, who: set[str], said: str) -> None:
    for word in [first.replace("`", "")] if "$ref" in first else named(first):
        schemas = {NOBODY: {word: SILENT.get(word, "x")}} if who == {NOBODY} else SCHEMAS[word]
        assert set(schemas) == who, f"the row says {who}, and there are schemas for {set(schemas)}"
        for one, schema in schemas.items():
            holds(word.split()[0], one, schema)


def holds(word: str, who: str, schema: Any) -> None:
    if who == REFUSED:
        with pytest.raises(UnsupportedSchemaError) as caught:
            dgsolve.compile(schema)
        assert caught.value.keyword == word
    elif who == JUDGE:
        assert REPORTED[JUDGE] in enforcers(word, schema)
    else:
        assert enforcers(word, schema) == {REPORTED[who]}


@pytest.mark.parametrize(("first", "who", "said"), FORMATS, ids=[row[0][:30] for row in FORMATS])
def test_a_row_of_formats_is_what_the_report_says(first: str, who: set[str], said: str) -> None:
    for name in named(first)[1:]:
        form = compiled({"type": "string", "format": name})
        [use] = [use for use in form.keywords if use.keyword == "format"]
        assert use.enforced == REPORTED[JUDGE if JUDGE in who else AUTOMATON]
        wide = form.acceptor().accepts(b'"a b\\u0000"')
        assert wide == (AUTOMATON not in who), name
    if who == {NOBODY}:
        for schema in ({"format": "phone"}, {"$schema": SEVEN, "format": "uuid"}):
            [use] = [use for use in compiled(schema).keywords if use.keyword == "format"]
            assert use.enforced == REPORTED[NOBODY] and use.note


def test_the_table_has_every_keyword_and_every_format() -> None:
    assert enforcers("x-unit", {"x-unit": "m"}) == {REPORTED[NOBODY]}
    words = {word.split()[0] for first, *_ in rows() for word in named(first)}
    assert words >= KEYWORDS and words >= formats.FORMATS.keys()


def test_the_numbers_of_the_table_are_those_of_the_code() -> None:
    table = {word: said for first, _, said in rows() for word in named(first)}
    most = {
        **{"minProperties": USUAL.properties, "maxProperties": USUAL.properties},
        **{"propertyNames": USUAL.names, "maxItems": USUAL.items, "maxLength": USUAL.length},
    }
    assert all(f"up to {number} " in table[word] for word, number in most.items())
    beyond = {
        **{"minItems": arrays.LONGEST, "minProperties": objects.LONGEST},
        **{"patternProperties": extra_keys.MOST, "multipleOf": numbers.LIMIT},
    }
    assert all(f"more than {number:,} " in table[word] for word, number in beyond.items())
    limits = " ".join(PAGE[PAGE.index("## Limits") :].split("\n## ")[0].split())
    assert f"{USUAL.states:,} states" in limits and f"{USUAL.seconds:g} seconds" in limits
    assert f"at most {USUAL.digits} digits" in limits
    assert (USUAL.any_depth, USUAL.recursion) == (4, 3) and "four deep" in limits and "followed three times" in limits


def test_digits_of_numbers_are_bounded_where_the_page_says_so() -> None:
    long = "1" * 21
    number = {"type": "number"}
    assert not compiled(number).accepts(long) and not compiled(number).accepts("0." + long)
    assert compiled(number).accepts(long[1:]) and compiled(number).accepts("0." + long[1:])
    assert compiled({**number, "minimum": -(10**30)}).accepts(long)
    away = [{"oneOf": [number, NULL]}, {**number, "not": {"const": 3}}, {"if": number, "then": {"minimum": 0}}]
    assert all(compiled(free).accepts(long) for free in ({}, *away))
    assert compiled({"items": number, "contains": {"const": 1}}).accepts(f"[1, {long}]")


def test_what_stands_beside_a_reference_is_ignored_with_a_warning_in_old_drafts() -> None:
    schema = {"items": {"$ref": "#/definitions/a", "minimum": 3}, "definitions": {"a": {"type": "integer"}}}
    old = compiled({**schema, "$schema": SEVEN})
    assert old.accepts("[1]") and any("$ref" in warning and "minimum" in warning for warning in old.warnings)
    new = compiled({**schema, "$schema": DRAFT["2020-12"]})
    assert not new.accepts("[1]") and new.accepts("[3]") and not new.warnings


def test_two_equal_undeclared_keys_are_faulted() -> None:
    form = compiled({"additionalProperties": {"type": "integer"}})
    assert form.acceptor().accepts(b'{"a": 1, "a": 2}') and form.faults('{"a": 1, "a": 2}')
