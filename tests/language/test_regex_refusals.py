"""What cannot be used is refused in bounded time, with the place and what to write instead."""

import pytest

from dgsolve.language.acceptor import TooLargeError
from dgsolve.language.code_points import utf8
from dgsolve.language.regex import RegexError, compile_regex, formula


@pytest.mark.parametrize(
    ("pattern", "position", "said"),
    [
        ("(a", 0, r"\("),
        ("ab)", 2, r"\)"),
        ("(?:", 0, r"\("),
        ("[a", 0, r"\["),
        ("[\\", 1, "lone backslash"),
        ("a\\", 1, "lone backslash"),
        ("[bz-a]", 2, "z-a"),
        ("*a", 0, r"\*"),
        ("a|{2}", 2, r"\{"),
        ("a**", 2, "*"),
        ("a++", 2, "+"),
        ("a{2}{3}", 4, "{3}"),
        ("^*", 1, "*"),
        (r"\b+", 2, "+"),
        ("(?<=a)?", 6, "?"),
        ("a{3,2}", 1, "at least 3"),
        ("a{,5}", 1, "{0,5}"),
        (r"(a)\1", 3, "back-reference"),
        (r"(?<n>a)\k<n>", 7, "back-reference"),
        ("a(?P=n)", 1, "(?P<name>...)"),
        ("(?>a)", 0, "(?:...)"),
        ("(?#c)", 0, "comments"),
        ("(?(1)a|b)", 0, "conditions"),
        ("a(?i)b", 1, "(?i:...)"),
        ("(?x:a)", 0, "no such group"),
        ("(?<1a>x)", 0, "no such group"),
        ("(?", 0, "no such group"),
        (r"a\Z", 1, "write $"),
        (r"\a", 0, r"\x07"),
        (r"\pL", 0, r"\p{L}"),
        (r"\p{Foo}", 0, "'Foo'"),
        (r"\p{Block=Greek}", 0, "Block=Greek"),
        (r"\x4", 0, r"\x41"),
        (r"\u12", 0, r"\u00e9"),
        (r"\u{110000}", 0, "10FFFF"),
        (r"\01", 0, "octal"),
        (r"[\1]", 1, "octal"),
        (r"\c1", 0, r"\cA"),
        ("(" * 10_000, 50, "50 groups"),
        ("(?<!" * 60 + ")" * 60, 200, "50 groups"),
    ],
)
def test_refused_with_place_and_advice(pattern: str, position: int, said: str) -> None:
    with pytest.raises(RegexError) as caught:
        compile_regex(pattern, utf8)
    assert (caught.value.pattern, caught.value.position) == (pattern, position)
    assert said in caught.value.message and f"character {position + 1} " in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "pattern",
    [
        "a{99999999999999999999}",
        "a{1," + "9" * 5000 + "}",
        "[ab]{1,200000}c",
        "((a{1,100}){2,100}b){1,100}",
        "(?:a*b*c*){3000}$",
        "(?=.*a.{12}x)(?=.*b.{12}x)",
        r"(?:\b|^|$|a){1,300}x",
    ],
)
def test_too_large_patterns_end(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formula, "MAX_WORK", 200_000)  # to keep the test short
    with pytest.raises(TooLargeError):
        compile_regex(pattern, utf8)
