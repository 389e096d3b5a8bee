"""Patterns and choices that cannot be meant are refused; choices are texts that can be written."""

import re
from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Literal

import pytest

from dgsolve.errors import UsageError
from dgsolve.output_types import Choice, Regex


def test_choices_are_texts_that_can_be_written():
    with pytest.raises(UsageError, match="option 1 of Choice has half a character"):
        Choice(["a", "\ud800"])
    assert len(Choice([str(number) for number in range(50_000)]).options) == 50_000


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    L = 3


def test_an_enum_of_texts_is_a_choice_of_its_values():
    assert Choice(Colour) == Choice(["red", "blue"]) and Choice(Colour).options == ("red", "blue")
    with pytest.raises(UsageError, match="not all values of Size are texts") as caught:
        Choice(Size)
    assert caught.value.hint.startswith("Give Size itself as the output type")


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: Choice("yes", "no"), "Write Choice(['yes', 'no'])."),
        (lambda: Choice({"b", "a"}), "Write Choice(['a', 'b'])."),
        (lambda: Choice(Literal["yes", "no"]), "Write Choice(['yes', 'no'])."),
        (lambda: Choice(letter for letter in "ab"), "Write Choice(list(...))."),
        (lambda: Choice("yes"), "Write Choice(['yes', 'no'])."),
        (lambda: Choice(str), "Write Choice(['yes', 'no'])."),
    ],
)
def test_what_is_no_list_is_told_how_to_be_one(make: Callable[[], Choice], hint: str):
    with pytest.raises(UsageError, match="Choice takes ") as caught:
        make()
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Choice([]), "at least one option"),
        (lambda: Choice("ab"), "a list of texts, not 'ab'"),
        (lambda: Choice(["a", "b", "a"]), "'a' twice"),
        (lambda: Choice(["a", ""]), "option 1 of Choice is ''"),
        (lambda: Choice(["a", 1]), "option 1 of Choice is 1"),
        (lambda: Regex(""), "not ''"),
        (lambda: Regex(re.compile("a")), "not a compiled one"),
    ],
)
def test_plain_texts_refuse_what_cannot_be_meant(make, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        make()
