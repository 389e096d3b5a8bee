"""A thought before a text, as an automaton: all sequences of tokens that fit, against a pattern over their names."""

import itertools
import re

import pytest

from dgsolve.errors import UsageError
from dgsolve.language.code_points import utf8
from dgsolve.language.regex import compile_regex
from dgsolve.language.thinking import Thinking, with_thought
from dgsolve.language.token_table import TokenTable, compile_tokens, min_tokens
from dgsolve.language.vocabulary import TextVocabulary

LETTERS = {"a": b"a", "b": b"b", "_": b" ", "n": b"\n", "A": b" a", "t": b"\t"}


def vocabulary(names: str, markers=("<", ">")) -> TextVocabulary:
    """One token a letter, in this order, then the end (E) and the markers."""
    pieces = (*(LETTERS[name] for name in names), None, None, None)
    end = len(names)
    return TextVocabulary(pieces, (end,), end, {markers[0]: end + 1, markers[1]: end + 2})


def accepted(table: TokenTable, names: str, slots: int) -> set[str]:
    """All ways to fill the slots, as names."""
    ways = {"": table.start}
    for _ in range(slots):
        longer = {}
        for way, state in ways.items():
            low, high = table.offsets[state : state + 2]
            targets = dict(zip(table.classes[low:high].tolist(), table.targets[low:high].tolist(), strict=True))
            for token, label in enumerate(table.token_class.tolist()):
                if label in targets:
                    longer[way + names[token]] = targets[label]
        ways = longer
    return {way for way, state in ways.items() if state == table.end}


@pytest.mark.parametrize(
    ("letters", "form", "over_names", "slots"),
    [
        ("ab_nA", "( ?a|b)+", "<?[ab_nA]*>n{0,4}(_?a|A|b)+E+", 6),  # a space begins a text, so it is one
        ("an", "a+", "<?[an]*>n{0,4}a+E+", 8),  # four newlines and no more
        ("a_b", "a[ b]*", "<?[ab_]*>_{0,4}a[_b]*E+", 7),  # inside the text a space acts as a letter does
        ("an", "a*|\\n", "<?[an]*>(a*|n)E+", 7),
        ("an", "a+|\\n", "<?[an]*>(a+|n)E+", 7),
        ("at", "a+", "<?[at]*>a+E+", 7),  # a tab is no such white space
        ("a", "a+", "<?a*>a+E+", 8),
    ],
)
def test_what_fits_is_what_the_pattern_says(letters, form, over_names, slots):
    writes, names = vocabulary(letters), letters + "E<>"
    plain = compile_tokens(compile_regex(form, utf8, anchored=True), writes)
    table = with_thought(plain, writes, Thinking.of(slots, writes, ("<", ">")))
    pattern = re.compile(over_names)
    right = {way for way in map("".join, itertools.product(names, repeat=slots)) if pattern.fullmatch(way)}
    assert len(right) > 30 and accepted(table, names, slots) == right
    assert min_tokens(table) == min_tokens(plain) + 1
    white = 4 if "n{0,4}" in over_names or "_{0,4}" in over_names else 0
    assert table.states == plain.states + 2 + white  # and not many times as many


def test_every_state_knows_its_fewest_tokens():
    writes = vocabulary("ab_nA")
    plain = compile_tokens(compile_regex("( ?a|b){2}", utf8, anchored=True), writes)
    table = with_thought(plain, writes, Thinking.of(9, writes, ("<", ">")))
    for state, distance in enumerate(table.distance.tolist()):
        low, high = table.offsets[state : state + 2]
        nearest = [table.distance[target] + 1 for target in table.targets[low:high].tolist()]
        assert distance == (0 if state == table.end else min(nearest))


@pytest.mark.parametrize("markers", [("<think>", "</think>"), ("<|channel>", "<channel|>"), ("[THINK]", "[/THINK]")])
def test_markers_that_are_known_need_not_be_given(markers):
    found = Thinking.of(3, vocabulary("a", markers))
    assert (found.opening, found.closing) == (2, 3)
    assert found == Thinking.of(3, vocabulary("a", markers), markers)
    with pytest.raises(UsageError, match="no thinking markers"):
        Thinking.of(3, vocabulary("a", (markers[0], "x")))
