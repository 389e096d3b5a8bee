"""Number automata against exact arithmetic on many decimals."""

from __future__ import annotations

import itertools
import random
import time
from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import UsageError
from dgsolve.forms import compile_form
from dgsolve.language.acceptor import Acceptor, TooLargeError
from dgsolve.language.json_schema.numbers import number
from dgsolve.language.json_schema.spelling import exact, spell_number

AROUND = sorted(
    {Decimal(n) / d for n in range(-260, 261) for d in (1, 10, 100)} | {Decimal(1000 * n) for n in range(-30, 31)}
)
STEPS = [1, 2, 3, 7, 0.1, 0.01, 0.5, 1.5, 2.5, 12, 0.25, 0.3, 100, 40, 0.12, 1e-8, 1000, Decimal("0.7")]
BOUNDS = [*range(-30, 31, 5), -0.0, 0.1, -0.1, 2.55, -2.55, 0.01, 99.99, -100, Decimal("25.0"), 1e-7, -1e-7]
NAMES = ["minimum", "maximum", "exclusive_minimum", "exclusive_maximum"]


def fits(value: Decimal, asked: dict[str, Any]) -> bool:
    given_ = {name: exact(bound) for name, bound in asked.items() if name != "integer"}
    with localcontext() as context:
        context.prec = 700
        return (
            not (asked.get("integer") and value != value.to_integral_value())
            and not ("minimum" in given_ and value < given_["minimum"])
            and not ("maximum" in given_ and value > given_["maximum"])
            and not ("exclusive_minimum" in given_ and value <= given_["exclusive_minimum"])
            and not ("exclusive_maximum" in given_ and value >= given_["exclusive_maximum"])
            and not ("multiple_of" in given_ and value % given_["multiple_of"] != 0)
        )


def accepts(language: Acceptor, value: Decimal | int | float) -> bool:
    return language.accepts(spell_number(value).encode())


@pytest.mark.parametrize("seed", range(60))
def test_the_value_fits_exactly_where_the_text_is_accepted(seed: int) -> None:
    chance = random.Random(seed)
    asked: dict[str, Any] = {name: chance.choice(BOUNDS) for name in NAMES if chance.random() < 0.35}
    if chance.random() < 0.4:
        asked["multiple_of"] = chance.choice(STEPS)
    if chance.random() < 0.3:
        asked["integer"] = True
    language = number(**asked)
    wrong = [value for value in AROUND if accepts(language, value) != fits(value, asked)]
    assert wrong == [], asked


DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**6), max_value=10**6, places=4)


@settings(deadline=None, max_examples=60)
@given(DECIMALS, DECIMALS, st.integers(1, 400), st.integers(0, 3), st.integers(-(10**7), 10**7), st.booleans())
def test_any_bounds_and_steps(low: Decimal, high: Decimal, step: int, places: int, times: int, integer: bool) -> None:
    asked = {
        "minimum": low,
        "exclusive_maximum": high,
        "multiple_of": Decimal(step).scaleb(-places),
        "integer": integer,
    }
    language = number(**asked)
    near = [
        low,
        high,
        asked["multiple_of"] * times,
        asked["multiple_of"] * times + Decimal("0.0001"),
        low + 1,
        high - 1,
    ]
    assert [accepts(language, value) for value in near] == [fits(value, asked) for value in near]


def test_only_canonical_texts() -> None:
    """Every text of up to five of these bytes: accepted exactly if it is how a number is spelled."""
    plain, whole = number(), number(integer=True)
    for size in range(6):
        for letters in itertools.product("-.0123", repeat=size):
            text = "".join(letters)
            try:
                canonical = spell_number(Decimal(text)) == text
            except ArithmeticError:
                canonical = False
            assert plain.accepts(text.encode()) == canonical, text
            assert whole.accepts(text.encode()) == (canonical and "." not in text), text


@pytest.mark.parametrize(
    ("asked", "inside", "outside"),
    [
        ({"maximum": 1e308}, [10**308, -(10**400)], [10**308 + 1, 10**309]),
        ({"minimum": -1e308}, [-(10**308), 0], [-(10**308) - 1]),
        ({"exclusive_minimum": 1e-7}, ["0.00000010001", 1], ["0.0000001", 0, "0.00000009999", -1]),
        ({"minimum": 0, "maximum": 0}, [0], ["0.1", "-0.1", 1]),
        ({"exclusive_minimum": -0.0}, ["0.0001"], [0, "-0.0001"]),
        ({"minimum": 2, "exclusive_minimum": 2}, ["2.1"], [2]),
        ({"minimum": 3, "exclusive_minimum": 2}, [3], ["2.9"]),
        ({"maximum": 2, "exclusive_maximum": 2}, ["1.9"], [2]),
        ({"multiple_of": 1e-8}, ["0.00000001", "5.12345678"], ["0.000000001"]),
        ({"multiple_of": 100000}, [0, 100000, -300000, 10**9], [10000, 150000, "100000.5"]),
        ({"multiple_of": 1e30}, [0, 3 * 10**30], [10**29, 10**30 + 1]),
        ({"multiple_of": 0.5, "integer": True}, [1, 7, -3], ["0.5"]),
        ({"multiple_of": 1.5, "integer": True}, [3, -6], [1, "1.5"]),
        ({"multiple_of": 0.1, "maximum": 0.3}, ["0.3", "-0.7"], ["0.31", "0.4"]),
    ],
)
def test_edges(asked: dict[str, Any], inside: list[Any], outside: list[Any]) -> None:
    language = number(**asked)
    assert [value for value in inside if not accepts(language, Decimal(value))] == []
    assert [value for value in outside if accepts(language, Decimal(value))] == []


def test_no_number_at_all() -> None:
    assert number(minimum=3, maximum=2).empty
    assert number(exclusive_minimum=2, exclusive_maximum=3, integer=True).empty
    assert number(minimum=1, maximum=6, multiple_of=7).empty
    assert not number(minimum=1, maximum=7, multiple_of=7).empty


def test_caps_leave_room_for_what_the_schema_writes() -> None:
    capped = number(max_digits=3, max_fraction=2)
    assert capped.accepts(b"999.99") and capped.accepts(b"-1") and capped.accepts(b"0.01")
    assert not capped.accepts(b"1000") and not capped.accepts(b"0.001")
    assert number(max_digits=3, minimum=10**6).accepts(b"1000000")
    assert not number(max_digits=3, minimum=10**6).accepts(b"10000000")
    assert number(max_fraction=1, exclusive_minimum=0.01, maximum=0.011).accepts(b"0.011")
    assert not number(max_fraction=0).accepts(b"0.5")


def test_too_many_remainders_are_refused() -> None:
    assert accepts(number(multiple_of=997), 997 * 12345)
    with pytest.raises(TooLargeError):
        number(multiple_of=9973)
    with pytest.raises(TooLargeError):
        number(multiple_of=997, limit=500)


@pytest.mark.parametrize("step", [0, -1, -0.5])
def test_a_step_must_be_above_zero(step: float) -> None:
    with pytest.raises(UsageError, match="above 0"):
        number(multiple_of=step)


def test_remainders_of_powers_of_ten_take_few_states() -> None:
    assert len(number(multiple_of=100000)) < 20
    assert len(number(minimum=0, maximum=150, integer=True)) == 5


@pytest.mark.parametrize("step", [Decimal("1e9999"), Decimal("1e-9999"), 10**4000, 10**4000 + 1, 1e300, 5e-324])
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_steps_of_many_digits_are_left_to_the_judge(kind, step):
    form = compile_form({"type": kind, "multipleOf": step})
    started = time.process_time()
    assert form.accepts("0") and time.process_time() - started < 10
    assert [use.enforced for use in form.keywords if use.keyword == "multipleOf"] == ["validator"]
