"""What can stand at a place of a text, against all short texts that the automaton takes."""

import itertools
import json
import re

import pytest

from dgsolve.forms import compile_form
from dgsolve.language import json_text
from dgsolve.language.choices import choices, compact, label, texts_that_begin_with
from dgsolve.output_types import Choice, Regex


def of(schema, text, pointer=""):
    form = compile_form(schema)
    assert form.acceptor().accepts(text.encode())
    return choices(form.acceptor(), text.encode(), json_text.spans(text)[pointer])


def test_each_value_of_an_enum_once_whatever_its_spaces():
    values = [1, 12, -1.5, "a b", 'x"y\\', "é", None, True, [1, [2]], {"k": [], "l": "]"}, {}, []]
    found = of({"enum": values}, '"a b"')
    assert [json.loads(name) for name in sorted(found)] == sorted(values, key=lambda v: label(json.dumps(v).encode()))
    assert all(label(text) == name and b", " not in text for name, text in found.items())


def test_booleans_unions_and_what_hangs_on_what_stands_before():
    either = {
        "oneOf": [
            {"properties": {"t": {"const": "n"}, "v": {"type": "boolean"}}, "required": ["t", "v"]},
            {"properties": {"t": {"const": "m"}, "v": {"enum": [1, None]}}, "required": ["t", "v"]},
        ],
        "type": "object",
    }
    assert set(of(either, '{"t": "n","v":true}', "/v")) == {"true", "false"}
    assert set(of(either, '{"t":"m","v": 1}', "/v")) == {"1", "null"}
    assert set(of(either, '{"t":"m","v": 1}', "/t")) == {'"m"', '"n"'}
    small = {"type": "array", "items": {"type": "integer", "minimum": -1, "maximum": 10}, "maxItems": 2}
    assert set(of(small, "[3,10]", "/1")) == set(map(str, range(-1, 11)))


@pytest.mark.parametrize(("count", "listed"), [(256, True), (257, False)])
def test_more_values_than_that_are_no_choice(count, listed):
    assert bool(of({"enum": list(range(count))}, "0")) is listed
    assert of({"type": "string", "maxLength": 3}, '"a"') == {}


def test_plain_texts():
    assert choices(compile_form(Choice(["a", "ab", "true", "x y"])).acceptor(), b"a", None) == {
        name: name.encode() for name in ("a", "ab", "true", "x y")
    }
    assert set(choices(compile_form(Regex("a?b{1,2}")).acceptor(), b"b", None)) == {"b", "bb", "ab", "abb"}


def test_compact_keeps_spaces_in_strings_and_goes_on_where_it_stopped():
    assert compact(b'{"a \\" b": [1, " "]}')[0] == b'{"a \\" b":[1," "]}'
    for size in range(12):
        head, reading = compact(b'{"a b": " c"}'[:size])
        assert head + compact(b'{"a b": " c"}'[size:], reading)[0] == b'{"a b":" c"}'


@pytest.mark.parametrize(
    ("target", "plain", "pattern"),
    [
        (b"[1", False, r"\[1([],}].*)?"),
        (b'1,"",1', False, r'1, ?"", ?1([],}].*)?'),
        (b'" "', False, r'" "([],}].*)?'),
        (b"1, ", True, r"1, "),
    ],
)
def test_texts_that_begin_so(target, plain, pattern):
    found, seen = texts_that_begin_with(target, plain=plain), 0
    for size in range(8):
        for text in map(bytes, itertools.product(b'[1", ', repeat=size)):
            seen += found.accepts(text)
            assert found.accepts(text) == bool(re.fullmatch(pattern, text.decode())), text
    assert seen
