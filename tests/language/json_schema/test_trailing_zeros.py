"""Amounts written with zeros behind: allowed where a value may have several texts, and only there."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.numbers import number
from dgsolve.language.json_schema.trailing_zeros import with_zeros

PRICE = {"type": "number", "minimum": 0, "maximum": 1300}


@pytest.mark.parametrize("text", ["12.5", "12.50", "12.500", "3", "3.0", "3.00", "0.0", "1200.00", "1300.000"])
def test_amounts_may_end_in_zeros(text: str) -> None:
    language = compile_schema(PRICE)
    assert language.acceptor.accepts(text.encode()) and language.judge.accepts(Decimal(text))


@pytest.mark.parametrize("text", ["012.5", "3.", ".50", "-0.0", "1300.10", "1301.00", "1e2", "3.0e0", "3" + ".0" * 2])
def test_other_spellings_stay_out(text: str) -> None:
    assert not compile_schema(PRICE).acceptor.accepts(text.encode())


def test_zeros_have_an_end() -> None:
    acceptor = compile_schema(PRICE).acceptor
    assert acceptor.accepts(b"1." + b"0" * 20) and not acceptor.accepts(b"1." + b"0" * 21)


@pytest.mark.parametrize(
    ("step", "right", "wrong"),
    [
        ({"multipleOf": 0.01}, ["12.5", "12.50", "12.00"], ["12.500", "12.000"]),
        ({"multipleOf": 5}, ["15"], ["15.0", "15.00"]),
        ({"multipleOf": 0.01, "allOf": [{"multipleOf": 0.5}]}, ["12.5", "12.0"], ["12.50", "12.25"]),
    ],
)
def test_no_more_zeros_than_the_digits_of_multiple_of(step: dict[str, Any], right: list[str], wrong: list[str]) -> None:
    acceptor = compile_schema({**PRICE, **step}).acceptor
    assert [text for text in right + wrong if acceptor.accepts(text.encode())] == right


def test_integers_have_no_point() -> None:
    assert not compile_schema({"type": "integer"}).acceptor.accepts(b"3.0")
    both = compile_schema({"type": ["integer", "number"]}).acceptor
    assert both.accepts(b"3.0")


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"multipleOf": 0.5}, **PRICE},
        {"oneOf": [PRICE, {"type": "number", "minimum": 1000}]},
        {"if": {"type": "number", "minimum": 3}, "then": {"multipleOf": 2}, **PRICE},
        {"enum": [12.5, 3]},
    ],
)
def test_one_text_for_a_value_where_texts_are_taken_from_others(schema: dict[str, Any]) -> None:
    language = compile_schema(schema)
    for text in ("12.50", "3.0", "1200.00", "1200.30"):
        assert not language.acceptor.accepts(text.encode())


def test_they_are_the_canonical_ones_with_zeros() -> None:
    canonical = number(minimum=-1, exclusive_maximum=2, multiple_of=0.5)
    extended = with_zeros(canonical, 3)
    for length in range(1, 7):
        for characters in product("-0125.", repeat=length):
            text = "".join(characters)
            assert extended.accepts(text.encode()) == _fits(text, canonical), text


def _fits(text: str, canonical: Any) -> bool:
    if text.count(".") > 1:
        return False
    bare = text.rstrip("0").rstrip(".") if "." in text else text
    fraction = text.partition(".")[2]
    return canonical.accepts(bare.encode()) and len(fraction) <= 3 and not text.endswith(".")
