"""Different items out of few values: the automaton takes exactly the arrays that the judge takes."""

from itertools import product
from typing import Any

import pytest

from dgsolve.errors import UnsatisfiableSchemaError
from dgsolve.language.json_schema.language import JsonLanguage, compile_schema
from tests.language.json_schema.test_language import accepts

ARRAY = {"type": "array", "uniqueItems": True}
BOOLEAN = {"type": "boolean"}
WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]

EXACT: list[tuple[dict[str, Any], list[Any]]] = [  # schema, the values that its items may be, and others
    ({"items": BOOLEAN}, [True, False, None]),
    ({"items": {"enum": [1, True, None, "1"]}}, [1, True, None, "1", 1.0]),
    ({"items": {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.5}}, [0, 0.5, 1, 2]),
    ({"items": {"type": ["null", "boolean"]}, "minItems": 2, "maxItems": 2}, [None, True, False]),
    ({"prefixItems": [{"enum": [1, 2]}, {"const": 1}], "items": {"enum": [1, 2, 3]}}, [1, 2, 3]),
    ({"prefixItems": [{"enum": [1, 2]}] * 2, "items": False, "minItems": 2}, [1, 2]),
    ({"items": {"enum": [1, 2, 3]}, "contains": {"minimum": 2}, "maxContains": 1}, [1, 2, 3]),
    ({"items": BOOLEAN, "not": {"minItems": 2}}, [True, False]),
    ({"items": {"pattern": "^[ab]$", "type": "string"}}, ["a", "b", "c"]),
]


def uniqueness(language: JsonLanguage) -> list[str]:
    return [use.enforced for use in language.keywords if use.keyword == "uniqueItems"]


@pytest.mark.parametrize(("schema", "values"), EXACT)
def test_the_automaton_knows_which_values_are_used(schema, values):
    language = compile_schema({**ARRAY, **schema})
    assert not language.judged
    valid = 0
    for count in range(5):
        for items in product(values, repeat=count):
            assert accepts(language, list(items)) == language.judge.accepts(list(items)), items
            valid += language.judge.accepts(list(items))
    assert valid


def test_numbers_with_zeros_behind_are_no_other_values():
    language = compile_schema({**ARRAY, "items": {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.5}})
    assert language.acceptor.accepts(b"[0.0,1]") and not language.acceptor.accepts(b"[0.0,0]")


def test_eight_words_are_told_apart():
    language = compile_schema({**ARRAY, "items": {"enum": WORDS}})
    assert not language.judged and accepts(language, WORDS[::-1]) and not accepts(language, [*WORDS[:6], "alpha"])


@pytest.mark.parametrize("count", [20, 64])
def test_of_more_values_there_are_no_more_items_and_the_rest_is_judged(count):
    language = compile_schema({**ARRAY, "items": {"enum": [f"word{number}" for number in range(count)]}})
    words = [f"word{number}" for number in range(count)]
    assert accepts(language, words) and not accepts(language, [*words, "word0"]) and accepts(language, ["word0"] * 2)
    assert uniqueness(language) == ["validator"]


def test_a_few_items_out_of_many_values_are_told_apart():
    language = compile_schema({**ARRAY, "items": {"enum": [f"w{number}" for number in range(40)]}, "maxItems": 2})
    assert not language.judged and accepts(language, ["w1", "w2"]) and not accepts(language, ["w1", "w1"])


@pytest.mark.parametrize(
    ("items", "fewest"),
    [
        (BOOLEAN, 3),
        ({"type": "null"}, 2),
        ({"const": 1}, 5000),
        ({"enum": [1, 1.0, 2]}, 3),
        ({"type": "integer", "minimum": 1, "maximum": 500}, 501),
    ],
)
def test_more_items_than_values_are_refused(items, fewest):
    with pytest.raises(UnsatisfiableSchemaError) as caught:
        inner = {"a": {**ARRAY, "items": items, "minItems": fewest}}
        compile_schema({"type": "object", "properties": inner, "required": ["a"]})
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/a", "minItems")


def test_arrays_and_objects_may_be_cut_off_so_they_are_judged():
    for items in ({"enum": [[1], [2]]}, {"type": "array"}, {"$ref": "#"}):
        assert uniqueness(compile_schema({**ARRAY, "items": items}))[:1] == ["validator"]
    tree = {**ARRAY, "items": {"$ref": "#"}, "maxItems": 1}
    assert accepts(compile_schema(tree), [[[]]])
