"""String automata against Python's own lengths and searches, over texts with every kind of character and escape."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.language.acceptor import Acceptor, TooLargeError
from dgsolve.language.algebra import difference, intersect
from dgsolve.language.json_schema.spelling import spell_string
from dgsolve.language.json_schema.strings import any_string, key, keys_except, left_to_judge, string
from dgsolve.language.regex import RegexError

KINDS = ["", "a", '"', "\\", "\n", "\x00", "\x7f", "é", "\u2028", "\uffff", "😀", "\U0010ffff"]
TEXTS = ["".join(letters) for letters in itertools.product(KINDS, repeat=3)]


def accepts(language: Acceptor, text: str) -> bool:
    return language.accepts(spell_string(text).encode())


@pytest.mark.parametrize("bounds", [(0, None), (0, 0), (0, 2), (1, None), (1, 1), (2, 3), (2, None), (4, None), (3, 2)])
def test_lengths_count_code_points(bounds: tuple[int, int | None]) -> None:
    least, most = bounds
    language = string(min_length=least, max_length=most)
    wrong = [t for t in TEXTS if accepts(language, t) != (least <= len(t) <= (len(t) if most is None else most))]
    assert wrong == []
    assert language == Acceptor(language.rows, language.finals), "minimal and numbered as all acceptors are"


@settings(deadline=None)
@given(st.text(max_size=40))
def test_every_text_is_a_string(text: str) -> None:
    assert accepts(any_string(), text)
    assert accepts(string(max_length=len(text)), text)
    assert accepts(string(min_length=len(text)), text)
    assert not accepts(string(min_length=len(text) + 1), text)
    assert not text or not accepts(string(max_length=len(text) - 1), text)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"a",
        b'"',
        b'"a',
        b'""" ',
        b'"\n"',
        b'"\\u0061"',
        b'"\\/"',
        b'"\\u001F"',
        b'"\\u0009"',
        b'"\xff"',
        b'"\xed\xa0\x80"',
    ],
)
def test_other_spellings_are_no_strings(text: bytes) -> None:
    assert not any_string().accepts(text)


@pytest.mark.parametrize("pattern", ["a", "^a", "a$", "^[^a]*$", "é|😀", "^.{2}$", r"\\", '^"'])
def test_patterns_and_lengths_hold_together(pattern: str) -> None:
    language = string(patterns=[pattern], min_length=1, max_length=2)
    for text in TEXTS:
        if "\n" in text or "\u2028" in text:  # where Python's '.' and '$' differ from ECMA-262
            continue
        assert accepts(language, text) == (1 <= len(text) <= 2 and re.search(pattern, text) is not None), text


def test_two_patterns_and_a_format() -> None:
    language = string(patterns=["^2", "9$"], formats=["date", "unheard-of"])
    assert accepts(language, "2024-02-29") and accepts(language, "2000-12-19")
    assert not accepts(language, "2023-02-29") and not accepts(language, "1999-12-29")
    assert accepts(string(formats=["unheard-of"]), "anything")


def test_a_broken_pattern_is_told() -> None:
    with pytest.raises(RegexError):
        string(patterns=["("])


def test_what_is_left_to_the_judge() -> None:
    assert left_to_judge(max_length=50, formats=["date", "uuid", "unheard-of"]) == ()
    assert left_to_judge(max_length=10**9) == ("maxLength",)
    assert left_to_judge(max_length=51, formats=["email"], limit=50) == ("maxLength", "format")
    assert accepts(string(max_length=51, limit=50), "a" * 100)
    assert not accepts(string(max_length=50, limit=50), "a" * 51)


def test_long_bounds() -> None:
    assert accepts(string(min_length=600, max_length=10**9), "é" * 600)
    assert not accepts(string(min_length=600, max_length=10**9), "é" * 599)
    with pytest.raises(TooLargeError):
        string(min_length=10**9)


def test_keys() -> None:
    given_keys = ["a", "ab", 'q"', ""]
    rest = keys_except(given_keys, ["^x-", "9"])
    for text in [*TEXTS, *given_keys, "x-1", "x", "19"]:
        wanted = text not in given_keys and not text.startswith("x-") and "9" not in text
        assert accepts(rest, text) == wanted, text
    assert accepts(key('q"é'), 'q"é') and len(key("ab")) == 5
    assert keys_except([]) == any_string()
    assert intersect(key("a"), keys_except(["a"])).empty
    assert difference(any_string(), keys_except(["a"])) == key("a")
