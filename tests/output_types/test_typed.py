"""Types whose own code, or whose validators, fail are named; integers of any length are read."""

import json
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    Field,
    RootModel,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from dgsolve.errors import DgsolveError, SchemaError, UsageError
from dgsolve.language import json_text
from dgsolve.output_types import OutputType


def test_integers_of_any_length_are_read():
    digits = "9" * 5000
    assert json_text.plain(f'[{digits}, 2.5, "a"]') == [int(Decimal(digits)), 2.5, "a"]
    assert OutputType.of({"type": "integer"}).parse(digits) == 10**5000 - 1
    with pytest.raises(DgsolveError):
        OutputType.of(int).parse(digits)


@pytest.mark.parametrize("raised", [KeyError("odd"), TypeError("odd"), RuntimeError("odd"), SystemExit(0)])
def test_validators_that_fail_are_named(raised):
    class Strange(BaseModel):
        flag: bool

        @field_validator("flag")
        @classmethod
        def refuse(cls, flag: bool) -> bool:
            raise raised

    with pytest.raises(UsageError, match=f"validator .* failed .*{type(raised).__name__}") as caught:
        OutputType.of(Strange).parse('{"flag": true}')
    assert caught.value.__cause__ is raised and "ValueError" in caught.value.hint


def test_types_whose_own_code_fails_are_named():
    class Strange:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            raise ZeroDivisionError("odd")

    with pytest.raises(SchemaError, match="Strange fails when its schema is asked for: ZeroDivisionError: odd"):
        OutputType.of(Strange)


def positive(value: int) -> int:
    if value < 1:
        raise ValueError("must be positive")
    return value


Positive = Annotated[int, AfterValidator(positive)]


class Item(BaseModel):
    count: Positive = Field(alias="Count")
    most: int = 9

    @model_validator(mode="after")
    def in_order(self) -> "Item":
        assert self.count <= self.most, "more than the most"
        return self


class Order(BaseModel):
    items: list[Item] = []
    by_name: dict[str, Positive] = {}
    pair: tuple[Positive, str] = (1, "")
    either: str | list[Positive] = ""
    number: int = Field(0, validation_alias=AliasChoices("no", AliasPath("numbers", 0)))

    @model_validator(mode="before")
    @classmethod
    def not_empty(cls, value: Any) -> Any:
        if not value:
            raise ValueError("must not be empty")
        return value

    @field_validator("by_name")
    @classmethod
    def few(cls, value: dict[str, int]) -> dict[str, int]:
        if len(value) > 1:
            raise PydanticCustomError("many", "{n} are too many", {"n": len(value)})
        return value

    @field_validator("*")
    @classmethod
    def not_seven(cls, value: Any) -> Any:
        if value == 7:
            raise ValueError("must not be 7")
        return value


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ({"items": [{"Count": 1}, {"Count": 0}]}, [("/items/1/Count", "must be positive")]),
        ({"items": [{"Count": 3, "most": 2}, {"Count": 0}]}, [("/items/0", "more"), ("/items/1/Count", "must be")]),
        ({"by_name": {"a/b~c": 0}}, [("/by_name/a~1b~0c", "must be positive")]),
        ({"by_name": {"a": 1, "b": 2}}, [("/by_name", "2 are too many")]),
        ({"pair": [0, "x"]}, [("/pair/0", "must be positive")]),
        ({"either": [1, 0]}, [("/either/1", "must be positive")]),
        ({"no": 7}, [("/no", "must not be 7")]),
        ({}, [("", "must not be empty")]),
    ],
)
def test_faults_of_validators_are_at_the_pointer_of_their_loc(value, faults):
    found = OutputType.of(Order).faults(json.dumps(value))
    assert [fault.pointer for fault in found] == [pointer for pointer, _ in faults]
    assert all(fault.message.startswith(words) for fault, (_, words) in zip(found, faults, strict=True))


@pytest.mark.parametrize(
    ("output_type", "text", "pointer"),
    [
        (Positive, "0", ""),
        (list[Positive], "[1, 0]", "/1"),
        (RootModel[list[Positive]], "[1, 0]", "/1"),
        (Annotated[list[int], AfterValidator(lambda value: positive(len(value)) and value)], "[]", ""),
        (dict[Annotated[str, AfterValidator(lambda key: positive(len(key)) and key)], int], '{"": 1}', "/"),
    ],
)
def test_faults_of_types_that_are_no_models_are_at_the_pointer_of_their_loc(output_type, text, pointer):
    (fault,) = OutputType.of(output_type).faults(text)
    assert fault == (pointer, "must be positive")
    assert str(fault) == f"{pointer or 'the value'}: must be positive"
