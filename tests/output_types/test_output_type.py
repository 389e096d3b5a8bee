"""Output types: schemas as tight as the type's own validation, values of the type, and faults with their place."""

import dataclasses
import json
import re
from collections.abc import Callable
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NamedTuple, Optional

import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from dgsolve.errors import OutputValidationError, SchemaError
from dgsolve.language.json_schema.judge import Judge
from dgsolve.language.json_text import JsonTextError
from dgsolve.output_types import Choice, OutputType, Regex


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    S = 1
    L = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
    made: int = dataclasses.field(init=False, default=3)


class Row(TypedDict):
    a: int


class Pair(NamedTuple):
    left: int
    right: str = "x"


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog", "wolf"] = Field("dog")


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Person(BaseModel):
    zip: str
    age: int
    nick: Optional[str]  # noqa: UP045  required, though it may be null
    pet: Pet = Cat()
    scores: dict[int, int] = {}
    either: int | list[int] = 0

    @pydantic.field_validator("age")
    @classmethod
    def _even(cls, age: int) -> int:
        if age % 2:
            raise ValueError("must be even")
        return age

    @pydantic.model_validator(mode="after")
    def _grown(self) -> "Person":
        assert self.age < 100 or self.nick, "the old need a nick"
        return self


GOOD = {"zip": "1", "age": 2, "nick": None}


def test_keys_come_in_declared_order_and_extra_ones_not_at_all():
    schema = OutputType.of(Person).schema
    assert list(schema["properties"]) == ["zip", "age", "nick", "pet", "scores", "either"]
    assert schema["required"] == ["zip", "age", "nick"]
    judge = Judge(schema)
    assert judge.accepts(GOOD) and not judge.accepts(GOOD | {"more": 1}) and not judge.accepts({"zip": "1", "age": 2})


def test_extra_keys_stay_allowed_where_the_model_keeps_them():
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        a: int

    assert Judge(OutputType.of(Open).schema).accepts({"a": 1, "b": 2})
    assert Judge(OutputType.of(dict).schema).accepts({"b": 2})


@pytest.mark.parametrize(
    ("output_type", "text", "value", "name"),
    [
        (Point, '{"x": 1}', Point(1), "Point"),
        (Row, '{"a": 1}', {"a": 1}, "Row"),
        (Pair, '[1, "b"]', Pair(1, "b"), "Pair"),
        (Colour, '"blue"', Colour.BLUE, "Colour"),
        (Size, "2", Size.L, "Size"),
        (Literal["a", 1], "1", 1, "Literal['a', 1]"),
        (int, "3", 3, "int"),
        (float, "3", 3.0, "float"),
        (bool, "true", True, "bool"),
        (str, '"é"', "é", "str"),
        (list[Point], '[{"x": 1, "y": 2}]', [Point(1, 2)], "list[Point]"),
        (dict[str, int], '{"a": 1}', {"a": 1}, "dict[str, int]"),
        (tuple[int, str], '[1, "a"]', (1, "a"), "tuple[int, str]"),
        (set[int], "[1, 2]", {1, 2}, "set[int]"),
        (int | None, "null", None, "int | None"),
        (Decimal, "19.99", Decimal("19.99"), "Decimal"),
        (Tree, '{"value": 1, "children": [{"value": 2}]}', Tree(value=1, children=[Tree(value=2)]), "Tree"),
        ({"title": "Thing", "type": "object"}, '{"a": 1.5}', {"a": 1.5}, "Thing"),
        ({}, "[1]", [1], "JSON"),
        (True, "0", 0, "JSON"),
        (Regex("[ab]+"), "ab", "ab", "Regex"),
        (Choice(["a", "b"]), "a", "a", "Choice"),
    ],
    ids=str,
)
def test_texts_become_values_of_the_type(output_type, text, value, name):
    made = OutputType.of(output_type)
    assert made.parse(text) == value and type(made.parse(text)) is type(value)
    assert made.name == name and made.faults(text) == ()
    if made.schema is not None:
        assert Judge(made.schema).accepts(json.loads(text))
    assert OutputType.of(made) is made


def test_aliases_are_the_keys():
    class Named(BaseModel):
        a: int = Field(alias="A")
        b: int = Field(validation_alias=pydantic.AliasChoices("B", "b"))
        c: int = Field(serialization_alias="C")

    made = OutputType.of(Named)
    assert list(made.schema["properties"]) == ["A", "B", "c"]
    assert made.parse('{"A": 1, "B": 2, "c": 3}').model_dump() == {"a": 1, "b": 2, "c": 3}

    class Path(BaseModel):
        p: int = Field(validation_alias=pydantic.AliasPath("q", 0))

    with pytest.raises(SchemaError, match=r"field 'p' of Path is read from an AliasPath"):
        OutputType.of(Path)


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (GOOD, []),
        (GOOD | {"age": 3}, [("/age", "must be even")]),
        (GOOD | {"age": 100}, [("", "the old need a nick")]),
        (GOOD | {"pet": {"kind": "cat", "lives": "x"}}, [("/pet/lives", "Input should be a valid integer")]),
        (GOOD | {"scores": {"x": 1}}, [("/scores/x", "Input should be a valid integer")]),
        (GOOD | {"either": [1, "x"]}, [("/either", "Input should be"), ("/either/1", "Input should be")]),
        ({"zip": "1", "age": 2}, [("", "Field required")]),
    ],
)
def test_faults_of_validators_name_their_place(value, faults):
    made = OutputType.of(Person)
    text = json.dumps(value)
    found = made.faults(text)
    assert [pointer for pointer, _ in found] == [pointer for pointer, _ in faults]
    assert all(said in message for (_, message), (_, said) in zip(found, faults, strict=True))
    if faults:
        with pytest.raises(OutputValidationError) as caught:
            made.parse(text)
        assert caught.value.text == text and len(caught.value.errors) == len(faults)
    else:
        assert made.parse(text) == Person(**GOOD)


def test_a_validator_inside_a_union_and_a_list_is_found_without_the_other_branches():
    def positive(value: int) -> int:
        if value < 1:
            raise ValueError("must be positive")
        return value

    made = OutputType.of(list[str | Annotated[int, pydantic.AfterValidator(positive)]])
    assert made.faults('["a", 1, 0]') == (("/2", "must be positive"),)


def test_a_key_named_like_a_branch_is_no_branch():
    class Odd(BaseModel):
        kind: Literal["cat"] = "cat"
        cat: int

        @pydantic.field_validator("cat")
        @classmethod
        def _small(cls, cat: int) -> int:
            if cat > 1:
                raise ValueError("too big")
            return cat

    made = OutputType.of(Annotated[Odd | Dog, Field(discriminator="kind")])
    assert made.faults('{"kind": "cat", "cat": 5}') == (("/cat", "too big"),)


def test_equal_keys_are_refused_and_schemas_not_changed():
    with pytest.raises(JsonTextError, match="a second time"):
        OutputType.of(Person).parse('{"zip": "1", "zip": "2", "age": 2, "nick": null}')
    schema = {"type": "object", "properties": {"a": {"format": "uuid4", "type": "string"}}}
    before = json.dumps(schema)
    assert OutputType.of(schema).schema is schema and json.dumps(schema) == before


@pytest.mark.parametrize(
    ("given_type", "said", "hint"),
    [
        (None, "None is no output type", "str"),
        (lambda x: x, "the function '<lambda>'", "class"),
        (print, "the function 'print'", ""),
        (Person.model_construct(), "an instance of Person", "Write the class itself: Person."),
        (Point(1), "an instance of Point", "Point"),
        (Colour.RED, "an instance of Colour", "Colour"),
        ([int], "a list of values", "Write list[int]."),
        (["b", "a"], "a list of values", "dgsolve.Choice(['b', 'a'])"),
        ({"b", "a"}, "a set of values", "dgsolve.Choice(['a', 'b'])"),
        ("name", "the text 'name'", "dgsolve.Regex"),
        (re.compile("a+"), "a compiled pattern", "dgsolve.Regex('a+')"),
        (5, "the number 5", "Literal[5]"),
        (json, "the module 'json'", ""),
        (complex, "complex holds something that JSON cannot write", "pydantic models"),
        (Callable[[int], int], "JSON cannot write", ""),
        (type[int], "JSON cannot write", ""),
        (list["Nowhere"], "not fully defined", ""),  # noqa: F821
        (type("Lock", (), {}), "Lock is no type that can be read from JSON", ""),
    ],
    ids=str,
)
def test_misuse_says_what_to_write_instead(given_type: Any, said, hint):
    with pytest.raises(SchemaError) as caught:
        OutputType.of(given_type)
    assert said in str(caught.value) and hint in caught.value.hint
