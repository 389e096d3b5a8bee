"""What the report says of each keyword against what automaton and judge really do."""

from random import Random

import pytest

from dgsolve.errors import SchemaError
from dgsolve.language import json_text
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits
from tests.language.json_schema.schema_samples import schema
from tests.language.json_schema.test_language import random_text

LARGE = "^(a|b)*a(a|b){13}$"
LONG = "^a{0,99999}$"
TREE = {"$dynamicAnchor": "t", "properties": {"a": {"$dynamicRef": "#t"}}}
HEAVY = {"type": "object", "properties": {key: {"type": "string", "maxLength": 64} for key in "abcdefgh"}}

JUDGED = [  # schema, where, which keyword, a text that the automaton lets pass and the keyword does not
    ({"uniqueItems": True}, "", "uniqueItems", "[1, 1]"),
    ({"items": {"uniqueItems": True}}, "/items", "uniqueItems", "[[1, 1]]"),
    ({"not": {"uniqueItems": True}}, "", "not", "[1]"),
    ({"not": {"uniqueItems": True}}, "/not", "uniqueItems", "[1]"),
    ({"not": {"$ref": "#/$defs/a"}, "$defs": {"a": {"uniqueItems": True}}}, "/$defs/a", "uniqueItems", "[1]"),
    ({"not": {"type": "array", "uniqueItems": True}}, "/not", "type", "[1]"),
    ({"if": {"uniqueItems": True}, "then": {"maxItems": 1}}, "", "if", "[1, 2]"),
    ({"if": {"uniqueItems": True}, "then": {"maxItems": 1}}, "", "then", "[1, 2]"),
    ({"if": {"uniqueItems": True}, "then": {"maxItems": 1}}, "/then", "maxItems", "[1, 2]"),
    ({"if": {"uniqueItems": True}, "else": {"maxItems": 1}}, "", "else", "[1, 1]"),
    ({"oneOf": [{"uniqueItems": True}, {"minItems": 2}]}, "", "oneOf", "[1, 2]"),
    ({"anyOf": [{"uniqueItems": True}, {"minItems": 3}]}, "/anyOf/0", "uniqueItems", "[1, 1]"),
    ({"dependentSchemas": {"a": {"properties": {"b": {"uniqueItems": True}}}}}, "/dependentSchemas/a/properties/b",
     "uniqueItems", '{"b": [1, 1], "a": 1}'),
    ({"anyOf": [{"uniqueItems": True}, {"minItems": 3}]}, "", "anyOf", "[1, 1]"),
    ({"type": "array", "anyOf": [{"uniqueItems": True}, {"minItems": 3}]}, "", "anyOf", "[1, 1]"),
    ({"propertyNames": {"maxLength": 300}}, "", "propertyNames", '{"' + "x" * 301 + '": 1}'),
    ({"maxLength": 300}, "", "maxLength", '"' + "x" * 301 + '"'),
    ({"propertyNames": {"maxLength": 300}}, "/propertyNames", "maxLength", '{"' + "x" * 301 + '": 1}'),
    ({"maxItems": 100}, "", "maxItems", "[" + "1," * 100 + "1]"),
    ({"items": HEAVY, "minItems": 200}, "", "minItems", "[" + "{}," * 198 + "{}]"),
    ({"maxProperties": 20}, "", "maxProperties", str({f"k{k}": 1 for k in range(21)}).replace("'", '"')),
    ({"minProperties": 20}, "", "minProperties", '{"a": 1}'),
    ({"multipleOf": 7919}, "", "multipleOf", "3"),
    ({"pattern": LARGE}, "", "pattern", '"b"'),
    ({"patternProperties": {LONG: {"type": "null"}}}, "", "patternProperties", '{"a": 1}'),
    ({"patternProperties": {LONG: {"type": "null"}}}, "/patternProperties/" + LONG, "type", '{"a": 1}'),
    ({"contains": {"type": "null"}, "minContains": 100}, "", "minContains", "[]"),
    ({"contains": {"type": "null"}, "minContains": 100}, "/contains", "type", "[]"),
    ({"contains": {"type": "array", "uniqueItems": True}}, "", "contains", "[[1, 1]]"),
    ({"contains": {"type": "array", "uniqueItems": True}}, "/contains", "uniqueItems", "[[1, 1]]"),
    ({"anyOf": [{"properties": {"a": {"type": "null"}}}, {}], "unevaluatedProperties": False}, "",
     "unevaluatedProperties", '{"a": 1}'),
    ({"anyOf": [{"prefixItems": [{"type": "null"}]}, {}], "unevaluatedItems": False}, "", "unevaluatedItems", "[1]"),
    ({"format": "date-time"}, "", "format", '"2016-12-31T22:59:60+05:00"'),
    ({"format": "time"}, "", "format", '"15:58:60-08:00"'),
    ({"format": "hostname"}, "", "format", '"' + ".".join(["a" * 60] * 5) + '"'),
    ({"format": "email"}, "", "format", '"a@' + ".".join(["a" * 60] * 5) + '"'),
    ({"format": "idn-email"}, "", "format", '"a@-"'),
    ({"format": "idn-hostname"}, "", "format", '"-"'),
    ({"format": "regex"}, "", "format", '"("'),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"$id": "x", **TREE, "additionalProperties": False},
                                     "y": {"$id": "y", **TREE}}}, "/$defs/x/properties/a", "$dynamicRef",
     '{"a": {"c": 1}}'),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"$id": "x", "$defs": {"z": {"$dynamicAnchor": "t", "type": "null"}},
      "items": {"$dynamicRef": "#t"}}, "y": {"$id": "y", "$dynamicAnchor": "t"}}}, "/$defs/x/$defs/z", "type", "[1]"),
    ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, "", "$ref", '{"type": 3}'),
    ({"$schema": "https://json-schema.org/draft/2019-09/schema", "properties": {"a": {"$recursiveRef": "#"}},
      "additionalProperties": False}, "/properties/a", "$recursiveRef", '{"a": {"b": 1}}'),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "pointer", "keyword", "text"), JUDGED)
def test_what_is_left_to_the_judge_is_said(schema, pointer, keyword, text):
    language = compile_schema(schema)
    assert language.acceptor.accepts(text.encode()), "else the automaton enforces it after all"
    assert not language.judge.accepts(json_text.parse(text))
    [use] = [use for use in language.keywords if (use.pointer, use.keyword) == (pointer, keyword)]
    assert use.enforced == "validator" and use.note


def test_all_of_a_combination_that_grows_too_large_is_left_to_the_judge():
    branches = [{"properties": {f"k{k}": {"type": "string"}}, "required": [f"k{k}"]} for k in range(8)]
    language = compile_schema({"type": "object", "oneOf": branches}, limits=Limits(aim=400, combined=150))
    enforced = {(use.pointer, use.keyword): use.enforced for use in language.keywords}
    text = b'{"k0": "", "k1": ""}'
    assert language.acceptor.accepts(text) and not language.judge.accepts(json_text.parse(text))
    assert enforced["", "oneOf"] == "validator" and enforced["", "type"] == "automaton"
    assert {enforced[f"/oneOf/{k}", "required"] for k in range(8)} == {"validator"}


@pytest.mark.parametrize("seed", range(4))
def test_the_judge_never_faults_what_the_automaton_is_said_to_enforce(seed):
    random, read = Random(seed), 0
    for _ in range(20):
        made = schema(random)
        try:
            language = compile_schema(made, limits=Limits(any_depth=2))
        except SchemaError:
            continue
        uses = {(use.pointer, use.keyword): use.enforced for use in language.keywords}
        for text in filter(None, (random_text(language.acceptor, random) for _ in range(25))):
            try:
                value = json_text.parse(text)
            except json_text.JsonTextError:  # a key twice
                continue
            read += 1
            for fault in language.judge.faults(value):
                pointer, _, keyword = fault.schema_pointer.rpartition("/")
                assert uses.get((pointer, keyword)) == "validator", (made, text, fault)
    assert read > 100


def test_formats_are_annotations_on_request():
    language = compile_schema({"type": "string", "format": "date"}, formats=False)
    [use] = [use for use in language.keywords if use.keyword == "format"]
    assert use.enforced == "annotation" and "annotations" in use.note
    assert language.acceptor.accepts(b'"soon"') and language.judge.accepts("soon") and not language.judged
