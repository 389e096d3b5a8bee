"""JSON texts read strictly by RFC 8259, and the bytes that each value of a text stands on."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any

from dgsolve.language.json_reader import JsonTextError, Reader, Span, decoded, json_pointer, number_of
from dgsolve.language.json_schema.spelling import MAX_DEPTH

__all__ = ["JsonTextError", "json_pointer", "member_spans", "parse", "plain", "spans"]

_ANY_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DEEPER = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def parse(text: str | bytes) -> Any:
    """The value of a JSON text: integers as int, numbers with a fraction or an exponent as Decimal, exactly.

    Refuses, with JsonTextError, what RFC 8259 does not allow or leaves open: keys given twice, NaN, halves of surrogate
    pairs, a byte order mark, broken UTF-8; also nesting beyond MAX_DEPTH and numbers beyond MAX_DIGITS.

    >>> parse('{"a": [1, 2.50]}')
    {'a': [1, Decimal('2.50')]}
    """
    text = decoded(text)
    try:
        return _read_fast(text)
    except (ValueError, ArithmeticError, RecursionError):
        return Reader(text).read()  # says where the trouble is


def plain(text: str) -> Any:
    """The value of a text that `parse` takes as `json.loads` has it, with floats, and integers of any length.

    >>> plain('[1, 2.50]')
    [1, 2.5]
    """
    return json.loads(text, parse_int=number_of)  # int() refuses more than 4,300 digits


def spans(text: str | bytes) -> dict[str, Span]:
    """Where each value of a JSON text stands, by JSON Pointer, in bytes of its UTF-8; errors as in `parse`.

    >>> spans('{"é": [7]}')
    {'/é/0': (8, 9), '/é': (7, 10), '': (0, 11)}
    """
    return _located(text)[0]


def member_spans(text: str | bytes) -> dict[str, Span]:
    """As `spans`, for the members of objects alone, each from the first byte of its key to the last of its value.

    >>> member_spans('{"é": [7]}')
    {'/é': (1, 10)}
    """
    return _located(text)[1]


def _read_fast(text: str) -> Any:
    """What Reader reads, ten times faster; an error of Python where it is for Reader to say."""
    if text.count("[") + text.count("{") > MAX_DEPTH:
        brackets = _ANY_STRING.sub("", text).encode().translate(None, _NO_BRACKETS)
        if max(accumulate(map(_DEEPER.__getitem__, brackets))) > MAX_DEPTH:
            raise RecursionError
    if r"\ud" in text or r"\uD" in text:
        raise ValueError("perhaps half of a surrogate pair")
    return _DECODER.decode(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _no_constant(text: str) -> Any:
    raise ValueError(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=number_of, parse_float=number_of, parse_constant=_no_constant
)


def _located(text: str | bytes) -> tuple[dict[str, Span], dict[str, Span]]:
    text = decoded(text)
    reader = Reader(text, locate=True)
    reader.read()
    if text.isascii():
        return reader.values, reader.members
    byte_of = list(accumulate((len(char.encode()) for char in text), initial=0))  # by character
    values, members = (
        {pointer: (byte_of[start], byte_of[end]) for pointer, (start, end) in found.items()}
        for found in (reader.values, reader.members)
    )
    return values, members
