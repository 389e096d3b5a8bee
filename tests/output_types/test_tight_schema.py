"""Schemas of Python types are as tight as pydantic's validation: what the schema accepts, the type accepts."""

import dataclasses
import datetime
import ipaddress
import json
import uuid
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Literal

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from dgsolve.language.json_schema.judge import Judge
from dgsolve.output_types import OutputType


class Colour(Enum):
    RED = "red"


class Size(IntEnum):
    S = 1


@dataclasses.dataclass
class Point:
    x: int
    made: int = dataclasses.field(init=False, default=3)


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog", "wolf"] = Field("dog")


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Owner(BaseModel):
    pet: Pet = Cat()
    scores: dict[int, int] = {}


TIMES = ["00:00:00Z", "23:59:60Z", "12:30:00.1234567Z", "12:00:00+23:59", "22:59:60-01:00", "12:30:00", "24:00:00Z"]
DATES = ["0000-01-01", "0001-01-01", "2024-02-29", "2023-02-29", "9999-12-31", "2020-04-31"]
DATETIMES = [f"{date}T{time}" for date in DATES for time in TIMES]
ID = "123e4567-e89b-42d3-a456-426614174000"
IDS = [ID, ID.upper(), ID.replace("-42", "-12"), ID.replace("-42", "-72"), ID.replace("-a4", "-04"), "x"]
DURATIONS = ["P1Y", "P1Y2M3DT4H5M6S", "P1W", "PT0S", "P9999999999Y", "P2147483648D", "PT99999999999H", "P", "PT1.5S"]
URLS = [
    "http://",
    "http://a",
    "http://a:99999",
    "https://my-site.org:8080/b?c#d",
    "http://999.1.1.1",
    "a:b",
    "http:///",
]
URLS += [
    "http://xn--a",
    "http://a.0",
    "ftp://a.org",
    "http://1.2.3.4/",
    "mailto:a@b",
    "x",
    "http://a..b",
    "http://[::1]",
]
PLACES = ["1.2.3.4", "::1", "1.2.3.4/24", "1.2.3.0/24", "10.0.0.0/8", "2001:db8::/32", "2001:db8:1:2::/32", "x"]
NUMBERS = [0, 1, -1, 0.25, 1.5, 12.34, 12.345, 99.99, 100, 999, 1000, 12345, 0.001, 0.0001, -999.99, 123456789.5]
KEYS = ["1", "01", "-1", "+1", "-0", "1.5", "1e2", "x", "", "true", "red", " 1", "9" * 25, ID, "abc", "2024-01-01"]


@pytest.mark.parametrize(
    ("output_type", "values"),
    [
        (datetime.datetime, DATETIMES),
        (pydantic.AwareDatetime, DATETIMES),
        (pydantic.NaiveDatetime, DATETIMES),
        (datetime.date, DATES),
        (datetime.time, TIMES),
        (datetime.timedelta, DURATIONS),
        *((kind, IDS) for kind in (uuid.UUID, pydantic.UUID1, pydantic.UUID4, pydantic.UUID7)),
        (pydantic.AnyUrl, URLS),
        (pydantic.HttpUrl, URLS),
        *((kind, PLACES) for kind in (ipaddress.IPv4Address, ipaddress.IPv4Network, ipaddress.IPv6Interface)),
        *((kind, PLACES) for kind in (ipaddress.IPv6Network, pydantic.IPvAnyAddress, pydantic.IPvAnyNetwork)),
        (pydantic.Base64Bytes, ["YQ==", "YQ", "x", "YWJj", "_w=="]),
        (Decimal, [*NUMBERS, "1"]),
        (Annotated[Decimal, Field(max_digits=3)], NUMBERS),
        (Annotated[Decimal, Field(decimal_places=2, gt=0)], NUMBERS),
        (Annotated[Decimal, Field(max_digits=4, decimal_places=2, lt=50)], NUMBERS),
        (Annotated[Decimal, Field(max_digits=2, decimal_places=2)], NUMBERS),
        *((dict[kind, int], [{key: 1} for key in KEYS]) for kind in (int, float, bool, Decimal)),
        *((dict[kind, int], [{key: 1} for key in KEYS]) for kind in (Colour, Size, uuid.UUID)),
        (dict[Annotated[int, Field(gt=0)], int], [{key: 1} for key in KEYS]),
        (dict[Annotated[str, Field(pattern="^a", max_length=3)], int], [{key: 1} for key in KEYS] + [{"b": "x"}]),
        (dict[datetime.date, int], [{key: 1} for key in KEYS]),
        (dict[tuple[int, int], int], [{"[1,2]": 1}, {}]),
        (Pet, [{}, {"kind": "cat"}, {"lives": 1}, {"kind": "wolf"}, {"kind": "dog", "lives": 1}, {"kind": "fish"}]),
        (Owner, [{}, {"pet": {}}, {"scores": {"a": 1}}, {"scores": {"-1": 1}}, {"pet": {"lives": 3}}, {"more": 1}]),
        (Point, [{"x": 1}, {"x": 1, "made": 2}, {}, {"x": 1, "z": 1}]),
    ],
    ids=str,
)
def test_what_the_schema_accepts_the_type_accepts(output_type, values):
    made = OutputType.of(output_type)
    judge = Judge(made.schema)
    accepted = [value for value in values if judge.accepts(value)]
    assert accepted and len(accepted) < len(values)  # each table has values of both kinds
    for value in accepted:
        assert made.faults(json.dumps(value)) == (), value


DECIMALS = st.decimals(-1, 1, places=3) | st.decimals(-2000, 2000, places=4)


@given(DECIMALS, st.integers(1, 6), st.none() | st.integers(0, 4))
def test_decimals_with_counted_digits(value, digits, places):
    places = places if places is None or places <= digits else digits
    kind = Annotated[Decimal, Field(max_digits=digits, decimal_places=places)]
    judge, adapter = Judge(OutputType.of(kind).schema), TypeAdapter(kind)
    text = format(value.normalize(), "f")
    try:
        adapter.validate_json(text)
    except pydantic.ValidationError:
        assert not judge.accepts(Decimal(text))
    else:
        assert judge.accepts(Decimal(text))


def test_tags_are_required_in_unions_alone():
    class Zoo(BaseModel):
        pet: Pet
        cat: Cat

    judge = Judge(OutputType.of(Zoo).schema)
    assert judge.accepts({"pet": {"kind": "cat"}, "cat": {}}) and not judge.accepts({"pet": {}, "cat": {}})
