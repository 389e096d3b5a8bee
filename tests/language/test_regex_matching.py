"""Matching without an automaton finds what the automaton accepts."""

from random import Random

import pytest

from dgsolve.language.code_points import utf8
from dgsolve.language.regex import IrregularError, RegexError, compile_regex
from dgsolve.language.regex.matching import LONGEST, Matcher, matcher
from dgsolve.language.size_limit import TooLargeError

PATTERNS = [
    "a", "^a|b$", "^(?:a|b)*a(?:a|b){3}$", "(?<=a)b", "(?<!a)b(?=a|$)", "^(?!.*aa)", r"\bé", "^[^]$", "",
    "^$", "(?i)É", "a{2,3}",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_agrees_with_the_automaton(pattern: str) -> None:
    random, automaton, found = Random(pattern), compile_regex(pattern, utf8), Matcher(pattern).found_in
    for _ in range(400):
        text = "".join(random.choices("abéÉ\n😀", k=random.randint(0, 8)))
        assert found(text) == automaton.accepts(text.encode()), text


def test_long_texts_and_patterns_without_backtracking() -> None:
    assert not matcher("^(a|a)*(?!a)b$").found_in("a" * 10_000)
    assert matcher("^.{0,65535}$").found_in("a" * LONGEST)
    assert matcher("a") is matcher("a")
    with pytest.raises(TooLargeError):
        matcher("a").found_in("b" * (LONGEST + 1))
    with pytest.raises(TooLargeError):
        Matcher("a{200000}")


def test_what_cannot_be_matched() -> None:
    with pytest.raises(IrregularError):
        Matcher(r"(a)\1")
    with pytest.raises(RegexError):
        Matcher("(")
