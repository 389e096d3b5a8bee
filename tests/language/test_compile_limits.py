"""What is beyond the limits is refused with the reason, in bounded time."""

import random
import time

import pytest

from dgsolve.errors import UnsupportedSchemaError
from dgsolve.forms import compile_form
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.token_table import TableTooLargeError, compile_tokens
from dgsolve.language.vocabulary import TextVocabulary

BRANCHES = {
    "oneOf": [
        {"properties": {f"{a}{b}": {"enum": [a, b]} for b in range(6)}, "required": [f"{a}0"]} for a in range(6)
    ]
}


@pytest.mark.parametrize(
    ("limits", "message"),
    [(Limits(states=20), "more than 20 states"), (Limits(seconds=0), "longer than 0 seconds")],
    ids=["states", "seconds"],
)
def test_a_schema_beyond_the_limits(limits, message):
    with pytest.raises(UnsupportedSchemaError, match=message) as raised:
        compile_schema(BRANCHES, limits=limits)
    assert raised.value.hint


def test_a_table_beyond_the_limit_on_real_sizes():
    """Every token does something else in every state."""
    rng = random.Random(3)
    states = 1_300
    rows = [[(byte, byte, rng.randrange(states)) for byte in range(97, 123)] for _ in range(states)]
    words = {bytes(rng.choices(range(97, 123), k=rng.randint(1, 6))) for _ in range(20_000)}
    vocabulary = TextVocabulary((*sorted(words), None), (len(words),), len(words))
    acceptor = Acceptor(rows, [0])
    begun = time.thread_time()
    with pytest.raises(TableTooLargeError, match=r"transitions|too much work"):
        compile_tokens(acceptor, vocabulary)
    assert time.thread_time() - begun < 10


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [{"a": number, "b": str(number * 7919)} for number in range(10_000)]},
        {"properties": {f"k{number}": {"type": "integer"} for number in range(30_000)}},
    ],
)
def test_what_is_too_large_is_refused_before_the_work(schema):
    started = time.process_time()
    with pytest.raises(UnsupportedSchemaError, match="more than 100,000 states"):
        compile_form(schema).acceptor()
    assert time.process_time() - started < 15


def test_many_branches_with_keys_of_their_own_take_no_longer_than_allowed():
    schema = {"anyOf": [{"properties": {f"a{n}": {"const": n}}, "required": [f"a{n}"]} for n in range(6_000)]}
    started = time.process_time()
    with pytest.raises(UnsupportedSchemaError, match=r"longer than 0\.5 seconds"):
        compile_schema(schema, limits=Limits(seconds=0.5))
    assert time.process_time() - started < 10


def test_many_that_must_not_hold_are_taken_away_one_by_one():
    """Compiled one inside the other they would take 2 to the power of their number."""
    schema = {"type": "integer", "minimum": 0, "maximum": 300, "allOf": [{"not": {"const": n}} for n in range(70)]}
    made = compile_schema(schema)
    assert {use.enforced for use in made.keywords} == {"automaton"}
    assert [n for n in range(-1, 302) if made.acceptor.accepts(str(n).encode())] == list(range(70, 301))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "allOf": [{"pattern": f".*a{{{n}}}.*b.{{{n}}}"} for n in range(5, 40)]},
        {"patternProperties": {f".*c{{{n}}}.*d.{{{n}}}": {} for n in range(5, 40)}},
    ],
    ids=["pattern", "patternProperties"],
)
def test_the_time_counts_while_one_string_is_built(schema):
    started = time.process_time()
    with pytest.raises(UnsupportedSchemaError, match=r"longer than 1 seconds"):
        compile_schema(schema, limits=Limits(seconds=1))
    assert time.process_time() - started < 5
