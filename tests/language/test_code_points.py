"""Sets of characters against Python's own sets, and spellings against Python's own encoders."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dgsolve.language.algebra import byte_set, network
from dgsolve.language.code_points import ANY, CONTROLS, CodePoints, json_string_character, utf8

EDGES = [0, 0x1F, 0x22, 0x5C, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0x10FFFF]
NEAR = sorted({code + by for code in EDGES for by in (-1, 0, 1) if 0 <= code + by <= 0x10FFFF})
SCALARS = [code for code in NEAR if not 0xD800 <= code <= 0xDFFF]
RANGES = st.lists(st.tuples(st.sampled_from(NEAR), st.sampled_from(NEAR)).map(sorted).map(tuple), max_size=5)


def _near(characters: CodePoints) -> set[int]:
    return {code for code in SCALARS if chr(code) in characters}


def _wanted(ranges: list[tuple[int, int]]) -> set[int]:
    return {code for code in SCALARS if any(low <= code <= high for low, high in ranges)}


def _in_json(character: str) -> bytes:
    return json.dumps(character, ensure_ascii=character == "\x7f")[1:-1].encode()


@given(RANGES, RANGES)
def test_boolean_operations_are_those_of_sets(these: list[tuple[int, int]], those: list[tuple[int, int]]) -> None:
    a, b = CodePoints.between(these), CodePoints.between(those)
    assert _near(a) == _wanted(these)
    assert _near(a | b) == _wanted(these) | _wanted(those)
    assert _near(a & b) == _wanted(these) & _wanted(those)
    assert _near(a - b) == _wanted(these) - _wanted(those)
    assert _near(~a) == set(SCALARS) - _wanted(these)
    assert ~~a == a and a | ~a == ANY and not a & ~a


def test_surrogates_are_no_characters() -> None:
    assert CodePoints.of("a\ud800") == CodePoints.of("a")
    assert not CodePoints.between([(0xD800, 0xDFFF)])
    assert ANY.ranges == ((0, 0xD7FF), (0xE000, 0x10FFFF))


@given(RANGES)
def test_spelled_characters_are_those_of_the_set(ranges: list[tuple[int, int]]) -> None:
    characters = CodePoints.between(ranges)
    raw, quoted = utf8(characters), json_string_character(characters)
    for code in SCALARS:
        inside = chr(code) in characters
        assert raw.accepts(chr(code).encode()) == inside
        assert quoted.accepts(_in_json(chr(code))) == inside


@pytest.mark.parametrize("characters", [ANY, CONTROLS, CodePoints(()), CodePoints.of("é🐲"), ~CodePoints.of("a")])
def test_utf8_is_a_minimal_automaton(characters: CodePoints) -> None:
    acceptor = utf8(characters)
    arcs = [(state, *arc) for state, row in enumerate(acceptor.rows) for arc in row]
    edges = [(state, to, byte_set(range(low, high + 1))) for state, low, high, to in arcs]
    assert acceptor == network(edges, 0, acceptor.finals)


@pytest.mark.parametrize("text", [b"\xc0\x80", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b""])
def test_what_is_no_character_in_utf8_is_not_accepted(text: bytes) -> None:
    assert not utf8(ANY).accepts(text)


@pytest.mark.parametrize("text", [b'"', b"\\", b"\n", b"\\/", b"\\u000a", b"\\u0061", b"\\u001F", b"\x7f"])
def test_each_character_has_one_spelling_in_json(text: bytes) -> None:
    assert not json_string_character(ANY).accepts(text)


def test_json_escapes() -> None:
    assert json_string_character(CodePoints.of('"\\\b\f\n\r\t\x00\x1f/\x7fé')).shortest == b"/"
    spellings = {"\b": b"\\b", "\x1f": b"\\u001f", "/": b"/", "\x7f": b"\\u007f", "é": b"\xc3\xa9"}
    for character, spelled in spellings.items():
        assert json_string_character(CodePoints.of(character)).accepts(spelled)
