"""Tables of tokens against every sequence of tokens, on small languages and vocabularies."""

import random
from itertools import product

import numpy as np
import pytest

import dgsolve.language.token_functions as token_functions
import dgsolve.language.token_table as token_table
from dgsolve.errors import SchemaError, UnsatisfiableSchemaError
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import NOTHING, byte_set, concat, difference, literal, repeat, star, strings, union
from dgsolve.language.ragged import Growing, chunks, distinct, runs
from dgsolve.language.token_table import TableTooLargeError, TokenTable, compile_tokens, min_tokens
from dgsolve.language.vocabulary import TextVocabulary

LONGEST = 5
E_ACUTE = "é".encode()
PIECES = [b"a", b"b", E_ACUTE[:1], E_ACUTE[1:], E_ACUTE, b"ab", b"ba", b"aa", E_ACUTE[1:] + b"a", b"b" + E_ACUTE[:1]]


def random_language(rng: random.Random, depth: int) -> Acceptor:
    if depth == 0:
        return literal(rng.choice([b"a", b"b", E_ACUTE, b"ab", b"ba"]))
    kind, part = rng.randrange(5), random_language(rng, depth - 1)
    if kind == 0:
        return concat(part, random_language(rng, depth - 1))
    if kind == 1:
        return union(part, random_language(rng, depth - 1))
    if kind == 2:
        return star(part)
    if kind == 3:
        return repeat(part, rng.randrange(2), rng.randrange(2, 4))
    return difference(star(byte_set(b"ab" + E_ACUTE)), part)


def random_vocabulary(rng: random.Random) -> TextVocabulary:
    """Four texts, one of them perhaps twice, one or two ends, padding that is an end or not."""
    pieces = [*rng.sample(PIECES, 3), None, None, rng.choice(PIECES)]
    rng.shuffle(pieces)
    first, second = (token for token, piece in enumerate(pieces) if piece is None)
    ends, pad = rng.choice([((first,), first), ((first,), second), ((second, first), first)])
    return TextVocabulary(tuple(pieces), ends, pad)


def step(table: TokenTable, state: int, token: int) -> int:
    """The state after `token`, -1 for none."""
    row = slice(table.offsets[state], table.offsets[state + 1])
    at = np.flatnonzero(table.classes[row] == table.token_class[token])
    return int(table.targets[row][at[0]]) if at.size else -1


def allowed(acceptor: Acceptor, vocabulary: TextVocabulary, ids: tuple[int, ...]) -> bool:
    """The rule itself: text of the language, one end token, padding."""
    end = next((k for k, token in enumerate(ids) if token in vocabulary.end_ids), len(ids))
    filling = {*vocabulary.end_ids} if vocabulary.pad_id in vocabulary.end_ids else {vocabulary.pad_id}
    texts = [vocabulary.pieces[token] for token in ids[:end]]
    if end == len(ids) or not set(ids[end + 1 :]) <= filling or None in texts:
        return False
    return acceptor.accepts(b"".join(text or b"" for text in texts))


def whole_texts(acceptor: Acceptor, vocabulary: TextVocabulary) -> dict[int, set[tuple[int, ...]]]:
    """All allowed sequences of each length."""
    lengths = range(1, LONGEST + 1)
    return {
        n: {ids for ids in product(range(vocabulary.size), repeat=n) if allowed(acceptor, vocabulary, ids)}
        for n in lengths
    }


def spelled(table: TokenTable, length: int) -> set[tuple[int, ...]]:
    """All sequences of this length that the table takes to its end."""
    found = {(): table.start}
    for _ in range(length):
        tried = {(*ids, v): step(table, q, v) for ids, q in found.items() for v in range(len(table.token_class))}
        found = {ids: q for ids, q in tried.items() if q >= 0}
    return {ids for ids, state in found.items() if state == table.end}


def check_form(table: TokenTable) -> None:
    arrays = (table.token_class, table.offsets, table.classes, table.targets, table.distance)
    assert {array.dtype for array in arrays} == {np.dtype(np.int32)}
    origins = np.repeat(np.arange(table.states), np.diff(table.offsets))
    inner = np.flatnonzero(np.diff(origins) == 0)
    assert (np.diff(table.classes)[inner] > 0).all()
    assert set(table.classes.tolist()) == set(range(table.class_count))
    assert {*table.targets.tolist(), table.start} == set(range(table.states))
    columns = [
        sorted(zip(origins[table.classes == c].tolist(), table.targets[table.classes == c].tolist(), strict=True))
        for c in range(table.class_count)
    ]
    assert len({tuple(column) for column in columns}) == len(columns)
    for state in range(table.states):
        after = table.targets[table.offsets[state] : table.offsets[state + 1]]
        expected = 0 if state == table.end else 1 + table.distance[after].min()
        assert table.distance[state] == expected < table.states


@pytest.mark.parametrize("seed", range(40))
def test_the_table_takes_exactly_the_spellings_of_the_texts(seed: int) -> None:
    rng = random.Random(seed)
    acceptor, vocabulary = random_language(rng, 3), random_vocabulary(rng)
    texts = whole_texts(acceptor, vocabulary)
    try:
        table = compile_tokens(acceptor, vocabulary)
    except SchemaError:
        assert not any(texts.values())
        return
    check_form(table)
    for length, expected in texts.items():
        assert spelled(table, length) == expected
    shortest = next((length for length, found in texts.items() if found), None)
    assert min_tokens(table) == shortest if shortest else min_tokens(table) > LONGEST


def test_no_allowed_token_leads_to_a_dead_end() -> None:
    vocabulary = TextVocabulary((b"a", b"b", b"ax", None), (3,), 3)
    table = compile_tokens(union(literal(b"ay"), literal(b"axb"), literal(b"b")), vocabulary)
    assert step(table, table.start, 0) == -1  # "a" could only go on with "x" or "y", which no token spells alone
    assert vocabulary.pieces[2] == b"ax"
    assert step(table, step(table, table.start, 2), 1) == step(table, table.start, 1) != -1
    assert table.token_class[0] == -1


def test_languages_without_a_text() -> None:
    vocabulary = TextVocabulary((b"a", b"ab", None), (2,), 2)
    with pytest.raises(UnsatisfiableSchemaError, match="no text"):
        compile_tokens(NOTHING, vocabulary)
    with pytest.raises(SchemaError, match="cannot spell"):
        compile_tokens(literal(b"aba" + b"b" * 2), vocabulary)


def test_the_empty_text_is_an_end_token_alone() -> None:
    table = compile_tokens(literal(b""), TextVocabulary((b"a", None, None), (1,), 2))
    assert spelled(table, 3) == {(1, 2, 2)}
    assert table.token_class.tolist() == [-1, 0, 1]


def test_tokens_that_act_alike_are_one_class() -> None:
    words = [bytes([a, b]) for a in b"abcdefgh" for b in b"abcdefgh"]
    vocabulary = TextVocabulary((*words, b"a", None), (65,), 65)
    table = compile_tokens(repeat(byte_set(b"abcdefgh"), 0, 40), vocabulary)
    assert table.class_count == 3
    assert (table.states, min_tokens(table)) == (42, 1)


def test_a_large_language_is_the_same_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    words = [bytes(rng.choices(b"abcd", k=rng.randint(1, 6))) for _ in range(300)]
    vocabulary = TextVocabulary((*words, *(bytes([byte]) for byte in b"abcd,"), None), (305,), 305)
    acceptor = concat(strings(words), star(concat(literal(b","), strings(words[:40]))))
    table = compile_tokens(acceptor, vocabulary)
    monkeypatch.setattr(token_functions, "CHUNK", 7)
    again = compile_tokens(acceptor, vocabulary)
    for name in ("token_class", "offsets", "classes", "targets", "distance"):
        assert np.array_equal(getattr(table, name), getattr(again, name))
    for _ in range(20):
        state, text = table.start, b""
        while state != table.end:
            token = rng.choice([t for t in range(vocabulary.size) if step(table, state, t) >= 0])
            state, text = step(table, state, token), text + (vocabulary.pieces[token] or b"")
        assert acceptor.accepts(text)


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        (token_table, "LIMIT", "transitions"),
        (token_table, "CELLS", "over bytes"),
        (token_functions, "WORK", "too much work"),
        (token_functions, "CELLS", "too much work"),
    ],
)
def test_beyond_the_limits(monkeypatch: pytest.MonkeyPatch, module: object, name: str, message: str) -> None:
    monkeypatch.setattr(module, name, 5)
    vocabulary = TextVocabulary((b"a", b"ab", b"b", b"c", None), (4,), 4)
    with pytest.raises(TableTooLargeError, match=message) as raised:
        compile_tokens(repeat(byte_set(b"abc"), 0, 9), vocabulary)
    assert raised.value.hint


def test_ragged() -> None:
    at, numbers = runs(np.array([4, 9, 0]), np.array([2, 0, 3]))
    assert (at.tolist(), numbers.tolist()) == ([0, 0, 2, 2, 2], [4, 5, 0, 1, 2])
    sizes = np.array([3, 1, 9, 0, 2, 2])
    assert [(part.start, part.stop) for part in chunks(sizes, 4)] == [(0, 2), (2, 3), (3, 6)]
    assert list(chunks(sizes[:0], 4)) == []
    growing = Growing(np.arange(2))
    for number in range(2, 9):
        growing.append(np.arange(number, number + number % 2))
    assert growing.values.tolist() == [0, 1, 3, 5, 7]
    assert len(growing) == 5
    for values in ([5, 3, 5, 4], [900, 1, 900]):
        assert distinct(np.array(values)).tolist() == sorted(set(values))
