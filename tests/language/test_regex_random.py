"""Random patterns on random texts against Python's `re`, and against `regex` where look-behind has no fixed width."""

import re

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.language.code_points import json_string_character, utf8
from dgsolve.language.json_schema.spelling import spell_string
from dgsolve.language.regex import compile_regex

TEXTS = st.lists(st.text("abé🐲1 \n_-", max_size=6), min_size=12, max_size=12)
# (in ECMA-262, for Python with re.ASCII)
ATOMS = st.sampled_from(
    [
        ("a", "a"),
        ("é", "é"),
        ("🐲", "🐲"),
        (".", r"[^\n\r\u2028\u2029]"),
        ("[ab]", "[ab]"),
        ("[^a]", "[^a]"),
        ("[é-🐲]", "[é-🐲]"),
        (r"\w", r"\w"),
        (r"\W", r"\W"),
        (r"\d", r"\d"),
        (r"\s", r"[ \n]"),
        ("(?:)", "(?:)"),
    ]
)
PLACES = st.sampled_from([("^", r"\A"), ("$", r"\Z"), (r"\b", r"\b"), (r"\B", r"(?!\b)")])
QUANTIFIERS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "{0,3}?"])
LOOKS = st.sampled_from(["(?=", "(?!", "(?<=", "(?<!"])
Pair = tuple[str, str]


def _larger(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def each(template: str, *parts: Pair | str) -> Pair:
        ours = template.format(*(part if isinstance(part, str) else part[0] for part in parts))
        return ours, template.format(*(part if isinstance(part, str) else part[1] for part in parts))

    return st.one_of(
        st.builds(lambda a, b: each("{}{}", a, b), inner, inner),
        st.builds(lambda a, b: each("(?:{}|{})", a, b), inner, inner),
        st.builds(lambda a, quantifier: each("(?:{}){}", a, quantifier), inner, QUANTIFIERS),
        st.builds(lambda look, a: each("{}{})", look, a), LOOKS, inner),
    )


PATTERNS = st.recursive(ATOMS | PLACES, _larger, max_leaves=6)


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text, re.ASCII) is not None
    except re.error:  # look-behind of no fixed width
        return regex.search(pattern, text, regex.ASCII | regex.VERSION0) is not None


@settings(max_examples=150, deadline=None)
@given(PATTERNS, TEXTS)
def test_random_patterns(pattern: Pair, texts: list[str]) -> None:
    ours, theirs = pattern
    raw, quoted = compile_regex(ours, utf8), compile_regex(ours, json_string_character)
    for text in texts:
        wanted = _matches(theirs, text)
        assert raw.accepts(text.encode()) == wanted, (ours, text)
        assert quoted.accepts(spell_string(text)[1:-1].encode()) == wanted, (ours, text)
