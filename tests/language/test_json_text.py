"""JSON texts: only what RFC 8259 allows, numbers exactly, and the bytes of each value."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import DgsolveError
from dgsolve.language.json_reader import Reader
from dgsolve.language.json_text import JsonTextError, json_pointer, member_spans, parse, spans

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
PIECES = [*'{}[],:"10- \n', '"a"', '"\\ud83d', "\\ude00", ".5", "e9", "true", "nul"]


def at(value, pointer):
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step) if isinstance(value, list) else step]
    return value


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_what_json_writes_is_read_back(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert parse(text) == parse(text.encode()) == json.loads(text, parse_float=Decimal)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=300)
def test_every_other_text_is_refused_by_both_readers_and_read_alike(text):
    try:
        expected = json.loads(text, parse_float=Decimal, parse_constant=Decimal)
    except ValueError:
        with pytest.raises(JsonTextError):
            parse(text)
        return
    try:
        found = Reader(text).read()
    except JsonTextError:  # what Python reads beyond RFC 8259: keys twice, halves of pairs
        with pytest.raises(JsonTextError):
            parse(text)
    else:
        assert found == parse(text) == expected


@given(VALUES, st.sampled_from([None, 1]))
def test_each_span_holds_the_value_of_its_pointer(value, indent):
    text = json.dumps(value, ensure_ascii=False, indent=indent).encode()
    whole = parse(text)
    found = spans(text)
    assert len(found) == count(whole)
    for pointer, (start, end) in found.items():
        assert parse(text[start:end]) == at(whole, pointer)
        assert text[start:end].strip() == text[start:end]
    for pointer, (start, end) in member_spans(text).items():
        key, inner = next(iter(parse(b"{" + text[start:end] + b"}").items()))
        assert pointer.endswith(json_pointer([key])) and inner == at(whole, pointer)


def count(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(count, inner))


def test_spans_count_bytes_and_members_start_at_their_keys():
    text = '{"é": [7], "a/b~": {"": "😀"}}'
    assert spans(text)["/é/0"] == (8, 9)
    assert member_spans(text) == {"/é": (1, 10), "/a~1b~0": (12, 32), "/a~1b~0/": (21, 31)}
    assert spans(text)[""] == (0, len(text.encode()))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12345678901234567890123", 12345678901234567890123),
        ("0.1000000000000000000000001", Decimal("0.1000000000000000000000001")),
        ("1.0", Decimal(1)),
        ("1e3", Decimal(1000)),
        ("-0", 0),
        ("9" * 6000, Decimal("9" * 6000)),  # more digits than int() of a text takes
        (r'"\u00e9\ud83d\ude00\n"', "é😀\n"),
        (" \t\r\n[ ] ", []),
    ],
)
def test_values_are_exact(text, value):
    assert parse(text) == value
    assert not isinstance(parse(text), float)


@pytest.mark.parametrize(
    ("text", "place", "said", "hint"),
    [
        ("", (1, 1), "a value must come here, but the text ends", ""),
        ('{"a": 1,\n "a": 2}', (2, 2), "the key 'a' a second time", "Keep one"),
        ("[1, NaN]", (1, 5), "not 'NaN'", "no such number"),
        ("-Infinity", (1, 1), "a value must come here", "no such number"),
        ("[1,\n2,]", (2, 2), "a comma before ']'", "Take the comma away"),
        ('{"a" 1}', (1, 6), "':' must come here, not '1'", ""),
        ("{'a': 1}", (1, 2), "a key in double quotes must come here", "double quotes"),
        ("[True]", (1, 2), "not 'True'", "JSON writes true"),
        ("// x\n1", (1, 1), "not '/'", "no comments"),
        ("```json\n{}\n```", (1, 1), "not '`'", "```"),
        ("{} {}", (1, 4), "the value is complete", ""),
        ("01", (1, 1), "a number that JSON cannot read", "-12, 0.5 or 1e9"),
        ("1.", (1, 1), "a number that JSON cannot read", ""),
        (".5", (1, 1), "a value must come here", "start with a digit"),
        ('"a\\x"', (1, 3), r"an escape that JSON does not have, \x", r"\\"),
        ('"a\tb"', (1, 3), "a raw control character, U+0009", r"\t"),
        ('["abc', (1, 2), "a string without an end", ""),
        (r'"\ud800"', (1, 1), r"half of a surrogate pair, \ud800", ""),
        (r'"\uDE00\uD83D"', (1, 1), "half of a surrogate pair", ""),
        ('["\ud800"]', (1, 3), "half of a surrogate pair, U+D800", ""),
        ("\ufeff1", (1, 1), "a byte order mark", "without it"),
        (b'[1,\n"\xc3"]', (2, 2), "the byte 0xc3 is no UTF-8", "UTF-8"),
        (b'"\xed\xa0\x80"', (1, 2), "is no UTF-8", ""),
        ("[" * 501 + "]" * 501, (1, 501), "more than 500 arrays and objects in each other", ""),
        ("[" * 100_000, (1, 501), "more than 500", ""),
        ('{"a":' * 10_000, (1, 2501), "more than 500", ""),
        ("1e99999999", (1, 1), "more than 10,000 digits", "string"),
        ("1e99999999999999999999999", (1, 1), "more than 10,000 digits", ""),
        ("[" + "9" * 20_000 + "]", (1, 2), "more than 10,000 digits", ""),
    ],
)
def test_refusals_name_the_place_and_the_next_step(text, place, said, hint):
    with pytest.raises(JsonTextError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == place
    assert said in str(caught.value) and hint in caught.value.hint
    assert isinstance(caught.value, DgsolveError)


def test_depth_up_to_the_limit_and_brackets_in_strings_are_read():
    deep = parse("[" * 500 + "]" * 500)
    for _ in range(499):
        (deep,) = deep
    assert deep == []
    assert parse('"' + "[{" * 1000 + '"') == "[{" * 1000
    assert len(parse("[" + "[]," * 1000 + "0]")) == 1001
