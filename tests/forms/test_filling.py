"""`fill=`: what may be given, how it is written, and errors that name the place inside of it."""

import dataclasses
import json
import time
from collections import OrderedDict, deque
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict, Field, Secret, SecretBytes, SecretStr, computed_field

from dgsolve.errors import FillError, SchemaError, UnsatisfiableSchemaError
from dgsolve.forms import compile_form
from dgsolve.forms.filling import given_parts


class Colour(Enum):
    RED = "red"


class Size(IntEnum):
    L = 3


class Person(BaseModel):
    name: str = Field(alias="Name", max_length=5)
    price: Decimal = Decimal("1.5")
    born: date | None = None

    @computed_field
    @property
    def initial(self) -> str:
        return self.name[0]


class Team(BaseModel):
    lead: Person
    members: list[Person] = []


@dataclasses.dataclass
class Point:
    x: int
    colour: Colour = Colour.RED


class Login(BaseModel):
    key: SecretStr = Field(alias="Key")
    model_config = ConfigDict(populate_by_name=True)


class Pair(NamedTuple):
    left: int
    right: Colour


ANA = Person(Name="Ana", born=date(2001, 2, 3))
ANAS = {"Name": "Ana", "price": Decimal("1.5"), "born": "2001-02-03"}


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({"a": [1, 2.5, None, True, "x"]}, {"a": [1, 2.5, None, True, "x"]}),
        (ANA, ANAS),
        ({"lead": ANA, "members": [ANA]}, {"lead": ANAS, "members": [ANAS]}),
        (Team(lead=ANA), {"lead": ANAS, "members": []}),
        ([Point(1)], [{"x": 1, "colour": "red"}]),
        (Pair(1, Colour.RED), [1, "red"]),
        ({"a": Size.L, "b": {Colour.RED}}, {"a": 3, "b": ["red"]}),
        (date(2026, 5, 1), "2026-05-01"),
        (Decimal("1.50"), Decimal("1.50")),
        (deque([1, Colour.RED]), [1, "red"]),
    ],
    ids=str,
)
def test_what_is_given_is_written_as_json_has_it(given, plain):
    assert given_parts(given) == plain and type(given_parts(given)) is type(plain)


class Text(str):
    pass


class Odd(float):
    def __repr__(self) -> str:
        return "odd"


class Shade(str, Enum):  # noqa: UP042  (what people have)
    DARK = "dark"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({Text("a"): Text("b")}, '{"a": "b"}'),
        ({Shade.DARK: Shade.DARK}, '{"dark": "dark"}'),
        ({"a": [Odd(2.5), np.float64(5), np.str_("c")]}, '{"a": [2.5, 5, "c"]}'),
        (OrderedDict(a=Odd(1)), '{"a": 1}'),
    ],
    ids=str,
)
def test_types_made_from_those_of_json_are_written_as_these(given, text):
    filled = compile_form({"properties": {"extra": {"type": "null"}}}).filled(given)
    assert filled.accepts(text) and not filled.accepts('{"a": "c"}')


@pytest.mark.parametrize(
    ("given", "pointer", "kind"),
    [
        (lambda: SecretStr("k3y"), "", "SecretStr"),
        (lambda: {"key": SecretBytes(b"k3y")}, "/key", "SecretBytes"),
        (lambda: {"keys": [1, Secret[int](5)]}, "/keys/1", "Secret"),
        (lambda: Login(key="k3y"), "/Key", "SecretStr"),
        (lambda: [Login(key="k3y")], "/0/Key", "SecretStr"),
        (lambda: deque([SecretStr("k3y")]), "/0", "SecretStr"),
        (lambda: {"keys": iter([SecretStr("k3y")])}, "/keys/0", "SecretStr"),
    ],
)
def test_secrets_are_not_written_as_asterisks(given, pointer, kind):
    with pytest.raises(FillError, match=f"a {kind}.* is not written out") as caught:
        given_parts(given())
    assert caught.value.pointer == pointer and "get_secret_value()" in caught.value.hint
    assert "k3y" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "hint"),
    [(np.int64(3), "int("), (np.float32(3), "float("), (np.array([3]), ".tolist()"), (np.bool_(1), ".tolist()")],
)
def test_numbers_of_other_libraries_are_told_how_to_be_written(given, hint):
    with pytest.raises(FillError, match="fill= at /age: JSON has no") as caught:
        given_parts({"age": given})
    assert hint in caught.value.hint


def test_an_object_of_the_type_fixes_its_fields_and_leaves_the_others():
    form = compile_form(Team).filled({"lead": ANA})
    other = '{"Name": "Bo", "price": 2}'
    assert form.accepts(f'{{"lead": {{"Name": "Ana", "price": 1.5, "born": "2001-02-03"}}, "members": [{other}]}}')
    assert not form.accepts(f'{{"lead": {other}}}')
    assert not form.accepts('{"lead": {"Name": "Ana", "price": 2, "born": "2001-02-03"}}')


def ring() -> object:
    class Node(BaseModel):
        model_config = ConfigDict(arbitrary_types_allowed=True)
        next: object = None

    node = Node()
    node.next = node
    return node


@pytest.mark.parametrize(
    ("given", "pointer", "said", "hint"),
    [
        (lambda: {"lead": {1: 2}}, "/lead", "keys are texts, not int: 1", "Write '1'."),
        (lambda: {"lead": {"a/b": [0, object()]}}, "/lead/a~1b/1", "JSON has no object", "pydantic model"),
        (lambda: {"lead": int}, "/lead", "JSON has no type", "pydantic model"),
        (lambda: {"lead": {"Name": float("nan")}}, "/lead/Name", "JSON has no number nan", "null"),
        (lambda: {"lead": {"Name": "\ud800"}}, "/lead/Name", "JSON cannot hold half of", "Take it out"),
        (lambda: {"members": [{"price": 10**5000}]}, "/members/0/price", "an integer of more than 4,300", "shorter"),
    ],
)
def test_what_json_cannot_write_is_refused_with_its_place(given, pointer, said, hint):
    with pytest.raises(FillError) as caught:
        compile_form(Team).filled(given())
    assert caught.value.pointer == pointer and str(caught.value).startswith(f"fill= at {pointer}: {said}")
    assert hint in caught.value.hint


def test_an_object_that_holds_itself_is_refused():
    with pytest.raises(FillError, match="more than 100 arrays and objects in each other") as caught:
        compile_form({}).filled(ring())
    assert caught.value.pointer.startswith("/next/next/") and len(str(caught.value)) < 300


def test_a_list_that_holds_itself_is_refused():
    endless: list = []
    endless.append(endless)
    with pytest.raises(FillError, match="fill= at its root: a part of it holds itself") as caught:
        compile_form({}).filled(endless)
    assert isinstance(caught.value, SchemaError) and caught.value.pointer == ""


@pytest.mark.parametrize(
    ("given", "pointer", "said", "hint"),
    [
        ({"lead": {"Name": 3}}, "/lead/Name", "must be string, not 3", "a value that the schema allows there"),
        ({"lead": {"Name": "Annabelle"}}, "/lead/Name", "must have at most 5 characters", "leave it out"),
        ({"lead": {"Name": "Ana", "name": "Ana"}}, "/lead/name", "the output has no 'name' there", "Write 'Name'."),
        ({"leed": {"Name": "Ana"}}, "/leed", "the output has no 'leed' there", "Write 'lead'."),
        ({"zzz": 1}, "/zzz", "the output has no 'zzz' there", "Leave it out."),
        ({"price": 1}, "/price", "the output has no 'price' there", "The schema has it in another part"),
        ({"lead": 3}, "/lead", "must be object, not 3", "a value that"),
        ({"lead": {"Name": "Ana"}, "members": [{"price": 1}]}, "/members", "cannot be", "A list is given whole"),
        ('{"lead": 3}', "", "must be object", "json.loads"),
    ],
)
def test_what_the_schema_does_not_allow_is_told_with_its_place(given, pointer, said, hint):
    form = compile_form(Team).filled(given)
    with pytest.raises(FillError) as caught:
        form.acceptor()
    place = pointer or "its root"
    assert caught.value.pointer == pointer and str(caught.value).startswith(f"fill= at {place}: {said}")
    assert hint in caught.value.hint and isinstance(caught.value.__cause__, UnsatisfiableSchemaError)


FORBIDDING = {"type": "object", "not": {"required": ["x"]}, "properties": {"x": {"type": "integer"}}}
INNER = {"type": "object", "properties": {"Xs": {"type": "integer"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "given", "pointer", "hint"),
    [
        (FORBIDDING, {"x": 3}, "/x", "or forbids it here: nest it as the schema does, or leave it out."),
        ({"type": "object", "properties": {"i": INNER}}, {"i": {"xs": 3}}, "/i/xs", "Write 'Xs'."),
        ({"type": "object", "properties": {"i": INNER}}, {"i": {"XS": 3}}, "/i/XS", "Write 'Xs'."),
    ],
)
def test_a_key_that_is_not_there_is_told_what_to_do_with_it(schema, given, pointer, hint):
    with pytest.raises(FillError, match="the output has no") as caught:
        compile_form(schema).filled(given).acceptor()
    assert caught.value.pointer == pointer and caught.value.hint.endswith(hint)


def test_the_part_that_cannot_be_is_found_among_many_in_bounded_time():
    schema = {"type": "object", "properties": {f"k{number}": {"type": "integer"} for number in range(300)}}
    given = {f"k{number}": number if number < 299 else None for number in range(300)}
    started = time.process_time()
    with pytest.raises(FillError, match="fill= at /k299: must be integer, not null"):
        compile_form(schema).filled(given).acceptor()
    assert time.process_time() - started < 20


def test_parts_that_fit_alone_but_not_together_are_told_so():
    apart = {"anyOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"b": {"const": 1}}}], "type": "object"}
    with pytest.raises(FillError, match="fill= at its root: its parts do not fit all at once"):
        compile_form(apart).filled({"a": 2, "b": 2}).acceptor()


def test_a_schema_that_nothing_fits_is_no_fault_of_what_is_given():
    nothing = {"type": "object", "required": ["a"], "properties": {"a": {"allOf": [{"type": "null"}, {"const": 1}]}}}
    with pytest.raises(UnsatisfiableSchemaError):
        compile_form(nothing).filled({"b": 1}).acceptor()


def test_a_form_knows_what_is_given_whole():
    form = compile_form(Team).filled({"lead": {"Name": "Ana"}, "members": []})
    assert all(map(form.gives, ("/lead/Name", "/members", "/members/0")))
    assert not any(map(form.gives, ("/lead", "", "/lead/Names")))


OPEN = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
BOOLEAN_A = {"properties": {"a": {"$ref": "#/$defs/b"}}}
SEVERAL = {"type": "object", "allOf": [BOOLEAN_A], "$defs": {"b": {"type": "boolean"}}}


@pytest.mark.parametrize(
    ("schema", "wrong", "right"),
    [
        ({**OPEN, "unevaluatedProperties": False}, {"zz": True}, {"a": True}),
        ({**OPEN, "unevaluatedProperties": {"type": "integer"}}, {"z": "text"}, {"z": 4}),
        ({**SEVERAL, "unevaluatedProperties": False}, {"q": True}, {"a": False}),
        ({**SEVERAL, "$id": "https://a.b/c", "unevaluatedProperties": False}, {"q": True}, {"a": False}),
        ({"prefixItems": [{"type": "integer"}], "unevaluatedItems": False, "type": "array"}, [3, 4], [3]),
    ],
)
def test_what_is_given_is_not_let_in_because_it_is_given(schema, wrong, right):
    form = compile_form(schema)
    with pytest.raises(FillError):
        _ = form.filled(wrong).language
    filled = form.filled(right)
    assert filled.instruction == form.instruction
    keys = ('{"a": true}', '{"a": false}', '{"a": true, "z": 4}', '{"a": true, "zz": true}', '{"q": true}')
    for text in (*keys, "[3]", "[3, 4]"):
        value = json.loads(text)
        holds = value == right or (isinstance(value, dict) and isinstance(right, dict) and {**value, **right} == value)
        assert filled.accepts(text) == (form.accepts(text) and holds), text
