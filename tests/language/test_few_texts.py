"""The texts of a language, counted before they become many."""

import pytest

from dgsolve.language.algebra import NOTHING, byte_set, literal, repeat, star, strings, union
from dgsolve.language.few_texts import few_texts


@pytest.mark.parametrize("words", [[], [b""], [b"a", b"ab", b""], [b"yes", b"no", b"none"]])
def test_all_texts_are_there_shortest_first(words):
    made = strings(words) if words else NOTHING
    assert few_texts(made, len(words)) == tuple(sorted(words, key=lambda word: (len(word), word)))
    assert not words or few_texts(made, len(words) - 1) is None


def test_many_and_endless_ones_are_not_listed():
    assert few_texts(repeat(byte_set(b"ab"), 6, 6), 64) is not None
    assert few_texts(repeat(byte_set(b"ab"), 200, 200), 64) is None
    assert few_texts(star(literal(b"a")), 64) is None
    assert few_texts(union(literal(b"b"), star(literal(b"aa"))), 1000) is None
