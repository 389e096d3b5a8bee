"""The automaton against the judge: never narrower than the schema, and not wider unless it says so."""

import copy
from random import Random

import pytest

from dgsolve.errors import UnsatisfiableSchemaError
from dgsolve.language import json_text
from dgsolve.language.json_schema.judge import Judge
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.json_schema.spelling import spell
from tests.language.json_schema.schema_samples import schema, value

SMALL = Limits(any_depth=2)  # as deep as the random values


def accepts(language, instance):
    return language.acceptor.accepts(spell(language.arrange(instance)).encode())


def random_text(acceptor, random, most=60):
    """A walk to a final state that soon prefers to end."""
    state, text = 0, bytearray()
    while len(text) < 400:
        arcs = acceptor.rows[state]
        if state in acceptor.finals and (not arcs or len(text) > most or random.random() < 0.2):
            return bytes(text)
        low, high, state = random.choice(arcs)
        text.append(random.randint(low, high))
    return None


def test_any_of_many_open_objects():
    branches = [{"properties": {f"k{k}": {"type": "string"}}, "required": [f"k{k}"]} for k in range(10)]
    language = compile_schema({"type": "object", "anyOf": branches})
    assert not language.judged, "2 ** 10 sets of branches may fit, yet ten keys are enough to tell"
    random, valid = Random(0), 0
    for _ in range(300):
        instance = {f"k{k}": random.choice(["x", 1]) for k in range(10) if random.random() < 0.2}
        assert accepts(language, instance) == language.judge.accepts(instance)
        valid += language.judge.accepts(instance)
    assert 50 < valid < 250


@pytest.mark.parametrize("seed", range(6))
def test_random_schemas_against_the_judge(seed):
    random = Random(seed)
    compared = 0
    for _ in range(25):
        made = schema(random)
        values = [value(random) for _ in range(40)]
        judge = Judge(made)
        try:
            language = compile_schema(made, limits=SMALL)
        except UnsatisfiableSchemaError:
            assert not any(judge.accepts(instance) for instance in values), made
            continue
        for instance in values:
            valid, taken = judge.accepts(instance), accepts(language, instance)
            assert taken or not valid, (made, instance)
            assert valid or not taken or language.judged, (made, instance)
            compared += valid
    assert compared > 100


@pytest.mark.parametrize("seed", range(4))
def test_random_texts_of_the_automaton_fit(seed):
    random = Random(100 + seed)
    judged = 0
    for _ in range(15):
        made = schema(random)
        try:
            language = compile_schema(made, limits=SMALL)
        except UnsatisfiableSchemaError:
            continue
        for _ in range(10 if not language.judged else 0):
            text = random_text(language.acceptor, random)
            try:
                parsed = json_text.parse(text) if text else None
            except json_text.JsonTextError as error:
                assert "a second time" in str(error), text  # keys that the schema does not name may come twice
                continue
            if text:
                assert Judge(made).accepts(parsed), (made, text)
                judged += 1
    assert judged > 20


@pytest.mark.parametrize(
    ("made", "accepted", "refused"),
    [
        ({"properties": {"a": {"type": "integer"}, "b": {}}}, [{"b": 1, "a": 2}, {"z": [1], "a": 1}], [{"a": "1"}]),
        ({"enum": [1, "1", None, False]}, [1, 1.0, "1", None, False], [True, 0, "null", 1.5]),
        ({"const": {"a": [1, {"b": 2}]}}, [{"a": [1, {"b": 2.0}]}], [{"a": [1, {"b": 3}]}, {}]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, [1, 2.5, "x"], [3, 1.5 - 1]),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}, {"b": 1}, 3], [{}, {"c": 1}]),
        ({"if": {"properties": {"t": {"const": "a"}}}, "then": {"required": ["v"]}}, [{"t": "b"}, {"v": 1}], [{}]),
        ({"dependencies": {"a": ["b"], "b": {"required": ["c"]}}}, [{"c": 1}, {"a": 1, "b": 1, "c": 1}], [{"b": 1}]),
        ({"items": [{"type": "integer"}], "additionalItems": False}, [[], [1]], [["a"], [1, 2]]),
        ({"minimum": 1, "exclusiveMinimum": True}, [2], [1, 0]),
        ({"properties": {"a": False, "b": {}}}, [{"b": 1}], [{"a": 1}]),
        (
            {"$ref": "#/$defs/t", "$defs": {"t": {"type": ["integer", "array"], "items": {"$ref": "#"}}}},
            [[[1], 2]],
            [["a"]],
        ),
        ({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, [{"a": 1}], [{"b": 1}]),
    ],
)
def test_what_is_accepted(made, accepted, refused):
    before = copy.deepcopy(made)
    language = compile_schema(made)
    assert [instance for instance in accepted if not accepts(language, instance)] == []
    assert [instance for instance in refused if accepts(language, instance)] == []
    assert not language.judged
    assert made == before


def test_keys_come_in_the_order_of_their_appearance():
    language = compile_schema(
        {
            "allOf": [{"properties": {"b": {"properties": {"y": {}, "x": {}}}}}],
            "properties": {"a": {}},
            "required": ["c", "a"],
        }
    )
    given = {"z": 1, "c": 1, "a": 2, "b": {"x": 1, "y": 2}}
    assert list(language.arrange(given)) == ["b", "a", "c", "z"]
    assert list(language.arrange(given)["b"]) == ["y", "x"]
    assert list(given) == ["z", "c", "a", "b"]


def test_a_space_is_free_after_colon_and_comma_alone():
    acceptor = compile_schema({"const": {"a": [1, 2], "b": {}}}).acceptor
    for text in ('{"a":[1,2],"b":{}}', '{"a": [1, 2], "b": {}}', '{"a":[1, 2],"b": {}}'):
        assert acceptor.accepts(text.encode())
    for text in ('{ "a":[1,2],"b":{}}', '{"a":  [1,2],"b":{}}', '{"a" :[1,2],"b":{}}', '{"a":[1,2],"b":{} }'):
        assert not acceptor.accepts(text.encode())
