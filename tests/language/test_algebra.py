"""Every operation against brute force over all texts of a and b up to length 6, and the promises about equality."""

import pickle
from functools import reduce
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.language import minimal as minimal_module
from dgsolve.language import word_list
from dgsolve.language.acceptor import Acceptor, TooLargeError
from dgsolve.language.algebra import (
    EMPTY_TEXT,
    NOTHING,
    at_most,
    byte_set,
    concat,
    difference,
    exactly_one,
    intersect,
    literal,
    network,
    optional,
    repeat,
    star,
    strings,
    union,
)

LONGEST = 6
TEXTS = [bytes(letters) for length in range(LONGEST + 1) for letters in product(b"ab", repeat=length)]

Pair = tuple[Acceptor, frozenset[bytes]]  # an acceptor, and the short texts that it should accept


def joined(*sets):
    texts = {b""}
    for those in sets:
        texts = {x + y for x in texts for y in those if len(x + y) <= LONGEST}
    return frozenset(texts)


def times(texts, low, high):
    return frozenset().union(*(joined(*[texts] * n) for n in range(low, high + 1)))


def walks(edges, finals):
    """What a graph accepts, by following every walk from node 0."""
    found = {0: {b""}}
    grown = True
    while grown:
        grown = False
        for origin, target, texts in edges:
            fresh = joined(found.get(origin, set()), texts) - found.get(target, set())
            if fresh:
                grown = True
                found[target] = found.get(target, set()) | fresh
    return frozenset().union(*(found.get(node, set()) for node in finals))


def grown(parts):
    many = st.lists(parts, min_size=1, max_size=3)
    bounds = st.tuples(st.integers(0, 2), st.integers(0, 3))
    node = st.integers(0, 3)
    edges = st.lists(st.tuples(node, node, parts), min_size=1, max_size=5)
    return st.one_of(
        many.map(lambda ps: (concat(*(a for a, _ in ps)), joined(*(s for _, s in ps)))),
        many.map(lambda ps: (union(*(a for a, _ in ps)), frozenset().union(*(s for _, s in ps)))),
        many.map(lambda ps: (intersect(*(a for a, _ in ps)), reduce(frozenset.__and__, (s for _, s in ps)))),
        many.map(
            lambda ps: (
                exactly_one(*(a for a, _ in ps)),
                frozenset(text for text in TEXTS if sum(text in s for _, s in ps) == 1),
            )
        ),
        st.tuples(parts, parts).map(lambda ps: (difference(ps[0][0], ps[1][0]), ps[0][1] - ps[1][1])),
        parts.map(lambda p: (optional(p[0]), p[1] | {b""})),
        parts.map(lambda p: (star(p[0]), times(p[1], 0, LONGEST))),
        st.tuples(parts, bounds).map(
            lambda x: (repeat(x[0][0], x[1][0], sum(x[1])), times(x[0][1], x[1][0], sum(x[1])))
        ),
        st.tuples(parts, st.integers(0, 3)).map(
            lambda x: (repeat(x[0][0], x[1]), times(x[0][1], x[1], LONGEST + x[1]))
        ),
        st.tuples(edges, st.sets(node, min_size=1, max_size=2)).map(
            lambda x: (
                network([(a, b, part) for a, b, (part, _) in x[0]], 0, x[1]),
                walks([(a, b, texts) for a, b, (_, texts) in x[0]], x[1]),
            )
        ),
    )


SHORT = st.sampled_from(TEXTS[:15])
LEAVES = st.one_of(
    SHORT.map(lambda text: (literal(text), frozenset({text}))),
    st.sets(st.sampled_from(b"ab")).map(lambda them: (byte_set(them), frozenset(bytes([b]) for b in them))),
    st.sets(SHORT, max_size=6).map(lambda texts: (strings(texts), frozenset(texts))),
)
LANGUAGES = st.recursive(LEAVES, grown, max_leaves=8)


def smallest_size(acceptor):
    """The number of states by Moore's refinement, byte by byte."""
    blocks, count = [q in acceptor.finals for q in range(len(acceptor))], 0
    while len(set(blocks)) != count:
        count = len(set(blocks))
        after = [[acceptor.step(q, byte) for byte in b"ab"] for q in range(len(acceptor))]
        blocks = [(blocks[q], *(blocks[to] if to >= 0 else None for to in row)) for q, row in enumerate(after)]
        names = {block: number for number, block in enumerate(dict.fromkeys(blocks))}
        blocks = [names[block] for block in blocks]
    return count


@pytest.fixture(autouse=True, scope="module", params=["worklist", "hashes"])
def way(request):
    """Small automata take the worklist alone; the way of the large ones must give the same."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "hashes":
            patch.setattr(minimal_module, "_SMALL", 0)
        yield


@settings(deadline=None, max_examples=100)
@given(LANGUAGES)
def test_accepts_what_brute_force_finds(language):
    acceptor, texts = language
    assert {text for text in TEXTS if acceptor.accepts(text)} == texts
    if texts:
        assert acceptor.shortest == min(texts, key=lambda text: (len(text), text))


@settings(deadline=None, max_examples=60)
@given(LANGUAGES)
def test_is_minimal_and_numbered_breadth_first(language):
    acceptor, _ = language
    assert smallest_size(acceptor) == len(acceptor)
    met = [0]
    for state in range(len(acceptor)):
        for low, high, target in acceptor.rows[state]:
            assert low <= high
            met += [target] * (target not in met)
    assert met == list(range(len(acceptor)))
    for row in acceptor.rows:
        for (_, end, here), (begin, _, there) in pairwise(row):
            assert end < begin and (end + 1 < begin or here != there)


@settings(deadline=None, max_examples=30)
@given(LANGUAGES, LANGUAGES, LANGUAGES)
def test_equal_languages_are_equal(one, two, three):
    a, b, c = one[0], two[0], three[0]
    for same, other in [
        (difference(a, difference(a, b)), intersect(b, a)),
        (union(a, concat(b, c), b), union(b, concat(b, optional(c)), a)),
        (concat(a, concat(b, c)), concat(concat(a, b), c)),
        (star(union(a, b)), star(concat(star(a), star(b)))),
        (exactly_one(a, b), union(difference(a, b), difference(b, a))),
        (repeat(a, 1, 3), concat(a, optional(concat(a, optional(a))))),
        (repeat(a, 2), concat(a, a, star(a))),
        (network([(0, 1, a), (0, 2, b), (1, 2, c)], 0, [1, 2]), union(concat(a, optional(c)), b)),
    ]:
        assert same == other and hash(same) == hash(other) and same.rows == other.rows
    assert (a == b) == (difference(a, b).empty and difference(b, a).empty)


@settings(deadline=None, max_examples=50)
@given(LANGUAGES)
def test_rows_and_arrays_say_the_same(language):
    acceptor, _ = language
    assert Acceptor(acceptor.rows, acceptor.finals) == acceptor == pickle.loads(pickle.dumps(acceptor))
    arcs = [(q, *arc) for q, row in enumerate(acceptor.rows) for arc in row]
    assert acceptor.arcs.dtype == np.int32 and acceptor.arcs.shape == (len(arcs), 4)
    assert list(map(tuple, acceptor.arcs.tolist())) == arcs
    assert acceptor.final_mask.tolist() == [q in acceptor.finals for q in range(len(acceptor))]


def test_rows_of_any_deterministic_automaton_are_tidied():
    rows = [[(97, 97, 1), (98, 99, 2), (120, 120, 3)], [(97, 98, 4)], [(97, 97, 4), (98, 98, 5)], [(0, 9, 3)], [], []]
    acceptor = Acceptor([*rows, [(97, 97, 0)]], [4, 5])  # 1 and 2 are equal, 3 leads nowhere, 6 is not reached
    assert acceptor == concat(byte_set(b"abc"), byte_set(b"ab"))
    assert acceptor.rows == (((97, 99, 1),), ((97, 98, 2),), ())
    assert Acceptor([[(0, 255, 0)]], []) == NOTHING and Acceptor([[], []], [0]) == EMPTY_TEXT


def test_reach():
    acceptor = literal(b"ab")
    assert [acceptor.reach(text) for text in (b"", b"a", b"ab", b"b", b"abc")] == [0, 1, 2, -1, -1]


def test_edges_that_lead_nowhere_do_not_matter():
    a, b = literal(b"a"), literal(b"b")
    assert network([(0, 1, a), (0, 2, b), (3, 1, b), (1, 1, NOTHING)], 0, [1]) == a
    assert network([(5, 7, a)], 0, [7]) == NOTHING and network([], 0, [0]) == EMPTY_TEXT
    assert concat() == EMPTY_TEXT and union() == NOTHING and concat(a, NOTHING) == NOTHING


def test_many_strings():
    draw = Random(0)
    texts = {bytes(draw.choices(b"abcdefgh", k=draw.randrange(9))) for _ in range(3000)}
    acceptor = strings(texts)
    assert all(map(acceptor.accepts, texts))
    others = {text + b"a" for text in texts} | {text[:-1] for text in texts}
    assert [text for text in others if acceptor.accepts(text)] == [text for text in others if text in texts]
    long = [b"a" * 1500 + b"x", b"a" * 1500 + b"yx", b"b" * 1501 + b"x", b"b"]
    assert strings(long) == union(*map(literal, long))
    halves = sorted(texts)
    assert acceptor == union(strings(halves[::2]), strings(halves[1::2]))


def test_colliding_codes_do_no_harm(monkeypatch):
    class Repeating(Random):
        """Draws one number over and over at first."""

        left = 40

        def getrandbits(self, k):
            self.left -= 1
            return 1 if self.left > 0 else super().getrandbits(k)

    part = union(literal(b"aab"), literal(b"abb"), concat(literal(b"b"), repeat(byte_set(b"ab"), 3, 9)))
    texts = [b"aa", b"ab", b"ba", b"abab", b"bbab"]
    wanted = [star(part), repeat(part, 0, 3), strings(texts)]
    monkeypatch.setattr(minimal_module, "Random", Repeating)
    monkeypatch.setattr(minimal_module, "_OTHER", np.uint64(0))
    monkeypatch.setattr(minimal_module, "_FINAL", np.uint64(0))
    alike, calls = word_list._alike, []

    def careless(levels, finals, draw):
        calls.append(finals)
        return alike(levels, finals, draw) if len(calls) > 1 else np.zeros(len(finals), int)

    monkeypatch.setattr(word_list, "_alike", careless)
    assert [star(part), repeat(part, 0, 3), strings(texts)] == wanted
    assert len(calls) == 2


def test_long_repeats_and_chains_of_optional_parts():
    letter = byte_set(b"ab")
    assert len(repeat(letter, 0, 3000)) == 3001
    assert repeat(optional(letter), 5, 300) == repeat(letter, 0, 300)
    assert network([(k, k + 1, optional(letter)) for k in range(100)], 0, [100]) == repeat(letter, 0, 100)


def test_no_more_states_than_allowed():
    letter = byte_set(b"ab")
    with at_most(50):
        assert len(literal(bytes(49))) == 50
        for build in (
            lambda: literal(bytes(50)),
            lambda: repeat(letter, 50, 50),
            lambda: repeat(letter, 0, 10**9),
            lambda: repeat(literal(b"ab"), 0, 40),
            lambda: strings([bytes(60), b"ab"]),
            lambda: concat(star(letter), literal(b"a"), repeat(letter, 6, 6)),
            lambda: intersect(star(repeat(letter, 7, 7)), star(repeat(letter, 11, 11))),
        ):
            with pytest.raises(TooLargeError, match="more than 50 states"):
                build()
    assert len(repeat(letter, 50, 50)) == 51
    assert TooLargeError(1000).states == 1000
