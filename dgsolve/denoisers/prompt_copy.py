"""Where an answer is likely to repeat the prompt: how the value that a text breaks off in may go on."""

from __future__ import annotations

import re

VALUE_END = re.compile(rb'[,;:()<>|"\\\[\]{}\x00-\x1f]| [-/]+ |[.!?](?=\s|$)| +$|$')
CLOSED_STRING = re.compile(rb'"((?:[^"\\]|\\.)+)"')
NUMBER = re.compile(rb"(?:^|[:,\[ ])(-?[0-9]+(?:\.[0-9]*)?)$")
NUMBER_REST = re.compile(rb"[0-9]*(?:\.[0-9]+)?")
SHORTEST_TAIL = 4  # bytes of a longer value that must be found for the rest to be believed
LONGEST_TAIL = 24


def continuations(text: bytes, source: bytes) -> list[bytes]:
    """How the JSON value that `text` breaks off in may go on, as `source` has it, the likeliest first.

    A string is closed by its quote. A text without quotes is taken as one value.

    >>> continuations(b'{"name": "Mar', b"Maria Lopez, 34, lives in Lisbon.")
    [b'ia Lopez"', b'ia']
    """
    value = open_string(text)
    number = NUMBER.search(text)
    if value is not None:
        rest = _rest(value, source, _read_so_far(text, source))
        return [rest + b'"', rest[: rest.find(b" ", 1)]] if rest is not None else []
    if number is not None:
        digits = re.search(rb"(?<![0-9.])" + re.escape(number[1]), source)
        more = digits and NUMBER_REST.match(source, digits.end())
        return [more[0] + end for end in (b",", b"}", b"]", b"")] if more else []
    if text and b'"' not in text:
        rest = _rest(text, source, 0)
        return [rest] if rest else []
    return []


def open_string(text: bytes) -> bytes | None:
    """What stands after the quote that nothing closes yet; None outside of strings."""
    parts = re.split(rb'(?<!\\)(?:\\\\)*"', text)
    return parts[-1] if len(parts) % 2 == 0 else None


def _read_so_far(text: bytes, source: bytes) -> int:
    """Where in `source` the last whole string of `text` that occurs there ends: values mostly come in order."""
    ends = (source.rfind(string) + len(string) for string in CLOSED_STRING.findall(text)[::-1] if string in source)
    return next(ends, 0)


def _rest(value: bytes, source: bytes, read: int) -> bytes | None:
    """What follows in `source` after `value`, or after the longest end of it that occurs there."""
    if not value:
        return None
    at_word = re.compile(rb"(?<![^\W_])" + re.escape(value))
    found = at_word.search(source, read) or at_word.search(source)
    if found is not None:
        return _value(source, found.end())
    for length in range(min(LONGEST_TAIL, len(value)), min(SHORTEST_TAIL, len(value)) - 1, -1):
        at = source.find(value[-length:])
        if at >= 0:
            return _value(source, at + length)
    return None


def _value(source: bytes, start: int) -> bytes:
    """From `start` up to where a value probably ends; addresses of mail end with their word."""
    end = VALUE_END.search(source, start)
    value = source[start : end.start()] if end else source[start:]
    return value.split(b" ")[0] if b"@" in value.split(b" ")[0] else value
