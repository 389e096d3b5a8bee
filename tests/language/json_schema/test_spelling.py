"""The one spelling of each value: read back as the same value, and never spelled otherwise."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from enum import Enum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import DgsolveError, UsageError
from dgsolve.language.json_schema.spelling import MAX_DEPTH, spell, spell_number, spell_string


class Odd(float):
    def __repr__(self) -> str:
        return "odd"


class Whole(int):
    def __repr__(self) -> str:
        return "whole"

    __str__ = __repr__


class Half(float, Enum):
    OF = 0.5


class Colour(Enum):
    RED = "red"


class Shy:
    def __repr__(self) -> str:
        raise RuntimeError("odd")


FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e15, 1e15) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(VALUES)
def test_the_text_reads_back_as_the_value(value: object) -> None:
    assert json.loads(spell(value)) == value
    assert json.loads(spell(value, spaced=False)) == value


@given(FINITE)
def test_a_number_is_its_shortest_decimal_without_exponent(value: float) -> None:
    text = spell_number(value)
    assert float(text) == value
    assert set(text) <= set("-.0123456789")
    assert not text.endswith(".") and (("." not in text) or not text.endswith("0"))
    assert text.lstrip("-") == "0" or not text.lstrip("-").startswith("00")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (Decimal("-0.00"), "0"),
        (Decimal("1.50"), "1.5"),
        (Decimal("1E+3"), "1000"),
        (100, "100"),
        (1e-7, "0.0000001"),
        (1e22, "1" + 22 * "0"),
        (-1234.5, "-1234.5"),
        (10**30 + 1, "1" + 29 * "0" + "1"),
        (0.1, "0.1"),
        (Odd(2.5), "2.5"),
        (np.float64(5), "5"),
        (Whole(7), "7"),
        (Half.OF, "0.5"),
    ],
)
def test_numbers(value: int | float | Decimal, text: str) -> None:
    assert spell_number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"\\/', r'"\"\\/"'),
        ("\b\f\n\r\t", r'"\b\f\n\r\t"'),
        ("\x00\x1f\x7f", '"\\u0000\\u001f\\u007f"'),
        ("é😀\u2028", '"é😀\u2028"'),
    ],
)
def test_strings(value: str, text: str) -> None:
    assert spell_string(value) == text


def test_one_space_after_colon_and_comma_and_nowhere_else() -> None:
    value = {"b": [1, True, {}], "a": [], "c": None}
    assert spell(value) == '{"b": [1, true, {}], "a": [], "c": null}'
    assert spell(value, spaced=False) == '{"b":[1,true,{}],"a":[],"c":null}'


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (math.nan, "nan"),
        ([math.inf], "inf"),
        (Decimal("sNaN"), "sNaN"),
        ("a\ud800", "U+D800 at position 1"),
        ({"\udc00": 1}, "U+DC00 at position 0"),
        ({1: 2}, "keys are strings, not int"),
        ({"a": {1, 2}}, "no set"),
        (b"a", "no bytes"),
        (Decimal("1E+999999999"), "too long"),
        (Decimal("1E-999999999"), "too long"),
        (Decimal("0E+999999999"), "too long"),
    ],
)
def test_what_json_cannot_say_is_refused(value: object, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)) as caught:
        spell(value)
    assert isinstance(caught.value, DgsolveError) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (np.int64(3), "Write int(...) around it."),
        (np.float32(3), "Write float(...) around it."),
        (Fraction(1, 3), "Write float(...) around it."),
        (np.array([1, 2]), "Write what its .tolist() returns."),
        (np.bool_(True), "Write what its .tolist() returns."),
        (Colour.RED, "Write its .value."),
        (Shy(), "Write a string, number, list or dict."),
    ],
)
def test_how_to_write_what_is_no_json(value: object, hint: str) -> None:
    with pytest.raises(UsageError, match=f"^JSON has no {type(value).__name__}: ") as caught:
        spell([value])
    assert caught.value.hint == hint


def test_long_integers() -> None:
    assert spell_number(-(10**9_999)) == "-1" + 9_999 * "0"
    with pytest.raises(UsageError, match="too long"):
        spell_number(10**10_001)


def test_deep_values() -> None:
    def nested(depth: int) -> list[object]:
        value: list[object] = []
        for _ in range(depth):
            value = [value]
        return value

    assert spell(nested(MAX_DEPTH)) == "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)
    with pytest.raises(UsageError, match="too deep"):
        spell(nested(MAX_DEPTH + 1))
