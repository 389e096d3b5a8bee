"""Names that propertyNames leaves are keys like declared ones: in order, each once at most, counted exactly."""

from itertools import permutations
from typing import Any, Literal

import pytest

import dgsolve
from dgsolve import Model
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import UnsatisfiableSchemaError
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits
from tests.language.json_schema.test_language import accepts

DEFS = {"$defs": {"key": {"enum": ["a", "b"]}}}
INTEGER = {"type": "integer"}
NAMES: list[dict[str, Any]] = [
    {"enum": ["b", "a", 3]},
    {"pattern": "^(a|b)$"},
    {"pattern": "^[ab]*$", "maxLength": 1, "minLength": 1},
    {"anyOf": [{"const": "b"}, {"enum": ["a"]}]},
    {"$ref": "#/$defs/key"},
    {"enum": ["a", "b", "long"], "maxLength": 3},
]


def schema(names: Any, **more: Any) -> dict[str, Any]:
    keys = {"type": "object", "propertyNames": names, "additionalProperties": INTEGER}
    return {**keys, **DEFS, **more}


@pytest.mark.parametrize("names", NAMES)
def test_each_name_comes_once_at_most_and_in_one_order(names):
    language = compile_schema(schema(names))
    keys = list(language.arrange({"a": 1, "b": 2, "c": 3}))[:2]
    texts = {"{}", *(f'{{"{key}": 1}}' for key in keys), f'{{"{keys[0]}": 1, "{keys[1]}": 1}}'}
    made = {"{" + ", ".join(f'"{key}": 1' for key in some) + "}" for n in range(4) for some in permutations("aabbc", n)}
    assert {text for text in made if language.acceptor.accepts(text.encode())} == texts
    assert not language.judged


def test_the_order_is_that_of_the_list():
    language = compile_schema({"propertyNames": {"enum": ["c", "a", "b"]}, "required": ["b"], "properties": {"a": {}}})
    assert list(language.arrange({"b": 1, "c": 2, "a": 3})) == ["a", "c", "b"]


@pytest.mark.parametrize("bounds", [{"minProperties": 2}, {"maxProperties": 1}, {"minProperties": 1}])
def test_keys_are_counted(bounds):
    language = compile_schema(schema({"enum": ["a", "b"]}, **bounds))
    for instance in ({}, {"a": 1}, {"b": 1}, {"a": 1, "b": 2}):
        assert accepts(language, instance) == language.judge.accepts(instance), instance
    assert not language.judged


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("fewest", [3, 20, 2000])
def test_more_keys_than_names_are_refused(names, fewest):
    with pytest.raises(UnsatisfiableSchemaError) as caught:
        inner = {"x": schema(names, minProperties=fewest)}
        compile_schema({"type": "object", "properties": inner, "required": ["x"], **DEFS})
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/x", "minProperties")


def test_patterns_say_what_a_name_holds():
    language = compile_schema(schema({"enum": ["a", "b"]}, patternProperties={"^b": {"type": "null"}}))
    assert accepts(language, {"a": 1, "b": None}) and not accepts(language, {"b": 1})


def test_values_have_one_text_in_every_branch():
    """Where one branch lists the names, the others write them in its order too, or `not` took too little away."""
    language = compile_schema({"type": "object", "not": {"propertyNames": {"enum": ["a", "b"]}, "minProperties": 2}})
    for instance in ({}, {"b": 1}, {"b": 1, "a": 1}, {"a": 1, "b": 2}, {"c": 1, "a": 2}, {"a": 1, "c": 2}):
        assert accepts(language, instance) == language.judge.accepts(instance), instance
    assert not language.acceptor.accepts(b'{"b": 1, "a": 1}')


def test_a_dict_of_literals_never_repeats_a_key():
    form = dgsolve.compile(dict[Literal["a", "b"], int])
    assert not form.acceptor().accepts(b'{"a": 1, "a": 2}') and form.acceptor().accepts(b'{"a": 1, "b": 2}')
    for seed in range(5):
        made = Model(RandomDenoiser()).generate("x", dict[Literal["a", "b"], bool], seed=seed, draw=True, attempts=1)
        assert made.keys() <= {"a", "b"}


def test_more_names_stay_undeclared():
    many = compile_schema(schema({"enum": [f"k{number}" for number in range(65)]}))
    assert many.acceptor.accepts(b'{"k3": 1, "k2": 1}') and not many.acceptor.accepts(b'{"a": 1}')


def test_where_keys_of_their_own_take_too_many_states_they_stay_undeclared():
    made = schema({"enum": [f"k{number}" for number in range(60)]}, additionalProperties={"pattern": "^.{30}$"})
    language = compile_schema(made, limits=Limits(aim=1000, states=4000))
    assert language.acceptor.accepts(f'{{"k3": "{"x" * 30}", "k2": "{"y" * 30}"}}'.encode())
    assert compile_schema(made).acceptor.accepts(f'{{"k2": "{"x" * 30}", "k3": "{"y" * 30}"}}'.encode())
    assert not compile_schema(made).acceptor.accepts(f'{{"k3": "{"x" * 30}", "k2": "{"y" * 30}"}}'.encode())
