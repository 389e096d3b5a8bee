"""The few values that a part of a text can have after what stands before it, as the automaton knows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dgsolve.language import json_text
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.json_schema.spelling import spell

MOST = 256  # values; a part that can have more is no choice
NUMERIC = frozenset(b"-0123456789.eE+")  # what a number can go on with: only what follows tells where it ends
AFTER = b",]}"  # what can follow a value
_NUMBER_STARTS = tuple(bytes([byte]) for byte in b"-0123456789")
_WORDS = (b"true", b"false", b"null")


class Reading(NamedTuple):
    """Where in a JSON text: how deep in arrays and objects, whether in a string, and behind a backslash there."""

    depth: int = 0
    quoted: bool = False
    escaped: bool = False

    def after(self, byte: int) -> Reading:
        char = chr(byte)
        if self.quoted:
            return Reading(self.depth, self.escaped or char != '"', char == "\\" and not self.escaped)
        return Reading(self.depth + (char in "[{") - (char in "]}"), char == '"')


def compact(text: bytes, reading: Reading = Reading()) -> tuple[bytes, Reading]:  # noqa: B008
    """The text without the spaces outside its strings, and where it ends; it goes on at `reading`.

    >>> compact(b'{"a b": 1')[0]
    b'{"a b":1'
    """
    kept = bytearray()
    for byte in text:
        if reading.quoted or byte != 0x20:
            kept.append(byte)
        reading = reading.after(byte)
    return bytes(kept), reading


def choices(acceptor: Acceptor, text: bytes, span: tuple[int, int] | None, most: int = MOST) -> dict[str, bytes]:
    """What can stand at `span` after the bytes before it: each value's text as `spell` has it, and compact.

    span None: the whole of a text that is no JSON, as it is. Empty where more than `most` values can.
    """
    state = 0 if span is None else acceptor.reach(text[: span[0]])
    found = list(_texts(acceptor, state, most, plain=span is None))
    if len(found) > most:
        return {}
    return {value.decode() if span is None else label(value): value for value in found}


def label(value: bytes) -> str:
    """The text of a JSON value in the one spelling."""
    return spell(json_text.parse(value))


def _texts(acceptor: Acceptor, state: int, most: int, *, plain: bool) -> Iterator[bytes]:
    """The values' texts; more than `most` as soon as there are so many. Each state leads to a text at least."""
    stack, found = [(state, b"", Reading())], 0
    while stack and found + len(stack) <= most:
        state, text, reading = stack.pop()
        numeric = not plain and text[:1] in _NUMBER_STARTS
        if _ended(acceptor, state, text, reading, plain=plain, numeric=numeric):
            found += 1
            yield text
            if not plain and not numeric:
                continue
        for low, high, target in acceptor.rows[state]:
            for byte in range(low, high + 1):
                spacing = not plain and byte == 0x20 and not reading.quoted
                if not spacing and (not numeric or byte in NUMERIC):
                    stack.append((target, text + bytes([byte]), reading.after(byte)))
    yield from (b"" for _ in stack)


def _ended(acceptor: Acceptor, state: int, text: bytes, reading: Reading, *, plain: bool, numeric: bool) -> bool:
    if plain:
        return state in acceptor.finals
    if numeric:
        return state in acceptor.finals or any(acceptor.step(state, byte) >= 0 for byte in AFTER)
    return text in _WORDS or (len(text) > 1 and text[:1] in b'"[{' and not reading.quoted and not reading.depth)


def texts_that_begin_with(text: bytes, *, plain: bool = False) -> Acceptor:
    """All that begins with a compact text, spaces aside, and goes on with what can follow a value; plain: it alone."""
    size, rows, twins = len(text), list[list[tuple[int, int, int]]](), list[list[tuple[int, int, int]]]()
    reading, before = Reading(), 0
    for place, byte in enumerate(text):
        row = [(byte, byte, place + 1)]
        if not plain and not reading.quoted and before in b",:" and place:
            twins.append(list(row))
            row = sorted([*row, (0x20, 0x20, size + 1 + len(twins))])
        rows.append(row)
        reading, before = reading.after(byte), byte
    rest = size + 1
    return Acceptor([*rows, [] if plain else [(b, b, rest) for b in AFTER], [(0, 255, rest)], *twins], [size, rest])
