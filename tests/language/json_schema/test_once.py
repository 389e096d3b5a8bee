"""Work done once in a compilation: the same results, failures included, and the same automata as without it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import UnsatisfiableSchemaError
from dgsolve.language.json_schema import builder
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.once import Once
from dgsolve.language.size_limit import TooLargeError, at_most, limit, refuse_beyond

LEAVES = st.sampled_from([{"type": "integer"}, {"maxLength": 2}, {"enum": [1, "a", None]}, {"type": "array"}, {}])
SCHEMAS = st.recursive(
    LEAVES,
    lambda part: st.one_of(
        st.lists(part, min_size=1, max_size=2).map(lambda parts: {"anyOf": parts}),
        st.lists(part, min_size=1, max_size=2).map(lambda parts: {"oneOf": parts}),
        part.map(lambda p: {"properties": {"a": p, "b": p}, "additionalProperties": False}),
        part.map(lambda p: {"if": {"required": ["a"]}, "then": {"properties": {"a": p}}}),
    ),
    max_leaves=4,
)


class Plain(Once):
    def __call__(self, work, *arguments):
        return work(*arguments)


def made(schema):
    try:
        return compile_schema(schema).acceptor
    except UnsatisfiableSchemaError as error:
        return str(error)


@settings(max_examples=40, deadline=None)
@given(SCHEMAS)
def test_the_automaton_is_the_same(schema):
    once = made(schema)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "Once", Plain)
        assert made(schema) == once


def test_what_is_done_depends_on_the_arguments_and_the_limit():
    calls = []

    def work(number):
        calls.append(number)
        refuse_beyond(number)
        return [number, limit()]

    once = Once()
    with at_most(5):
        assert once(work, 3) is once(work, 3)
        for _ in range(2):
            with pytest.raises(TooLargeError) as raised:
                once(work, 7)
            assert raised.value.states == 5
    with at_most(9):
        assert once(work, 7) == [7, 9]
        assert once(work, 3) == [3, 9]
    assert calls == [3, 7, 7, 3]
