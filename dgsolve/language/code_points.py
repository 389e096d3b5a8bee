"""Sets of characters, and how one character of a set is spelled in bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from dgsolve.language.acceptor import Acceptor

Ranges = tuple[tuple[int, int], ...]

_LAST = 0x10FFFF
_SHORT_ESCAPES = {'"': '"', "\\": "\\", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
_LENGTHS = ((0, 0x00, 0x00, 0x7F), (1, 0xC0, 0x80, 0x7FF), (2, 0xE0, 0x800, 0xFFFF), (3, 0xF0, 0x10000, _LAST))
# (bytes after the first, bits of the first, lowest, highest code point)


@dataclass(frozen=True)
class CodePoints:
    """A set of characters (no surrogates) as sorted ranges (low, high), both included, that neither meet nor touch.

    Make one with `of` or `between`; `|`, `&`, `-` and `~` are the Boolean operations.
    """

    ranges: Ranges

    @staticmethod
    def of(characters: str) -> CodePoints:
        """The characters of this text; lone surrogates are left out."""
        return CodePoints.between((ord(character), ord(character)) for character in characters)

    @staticmethod
    def between(ranges: Iterable[tuple[int, int]]) -> CodePoints:
        """All in these ranges, which may come in any order and overlap; surrogates are left out."""
        joined: list[tuple[int, int]] = []
        for low, high in sorted(ranges):
            if joined and low <= joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
            else:
                joined.append((low, high))
        halves = (((low, min(high, 0xD7FF)), (max(low, 0xE000), high)) for low, high in joined)
        return CodePoints(tuple((low, high) for both in halves for low, high in both if low <= high))

    def __contains__(self, character: str) -> bool:
        at = bisect_right(self.ranges, (ord(character), _LAST)) - 1
        return at >= 0 and ord(character) <= self.ranges[at][1]

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __invert__(self) -> CodePoints:
        lows = [0, *(high + 1 for _, high in self.ranges)]
        highs = [*(low - 1 for low, _ in self.ranges), _LAST]
        return CodePoints.between(pair for pair in zip(lows, highs, strict=True) if pair[0] <= pair[1])

    def __or__(self, other: CodePoints) -> CodePoints:
        return CodePoints.between((*self.ranges, *other.ranges))

    def __and__(self, other: CodePoints) -> CodePoints:
        return ~(~self | ~other)

    def __sub__(self, other: CodePoints) -> CodePoints:
        return ~(~self | other)


Spelling = Callable[[CodePoints], Acceptor]
"""How one character of a set is written: each character in one way, and none the beginning of another."""

ANY = CodePoints.between([(0, _LAST)])
CONTROLS = CodePoints.between([(0, 0x1F), (0x7F, 0x7F)])
_ESCAPED = CONTROLS | CodePoints.of('"\\')


@lru_cache(maxsize=4096)
def utf8(characters: CodePoints) -> Acceptor:
    """One of these characters in UTF-8; `utf8(CodePoints.of("aé")).accepts("é".encode())` is True."""
    rows, final = _utf8_rows(characters)
    return Acceptor(rows, {final})


@lru_cache(maxsize=4096)
def json_string_character(characters: CodePoints) -> Acceptor:
    r"""One of these characters as it stands inside a JSON string: as `\n`, `\u00xx` or itself."""
    rows, final = _utf8_rows(characters - _ESCAPED)
    states = {b"": 0}
    for text in (_escape(chr(code)) for low, high in (characters & _ESCAPED).ranges for code in range(low, high + 1)):
        for length in range(1, len(text)):
            if text[:length] not in states:
                states[text[:length]] = len(rows)
                rows[states[text[: length - 1]]].append((text[length - 1], text[length - 1], len(rows)))
                rows.append([])
        rows[states[text[:-1]]].append((text[-1], text[-1], final))
    return Acceptor([sorted(row) for row in rows], {final})


def _utf8_rows(characters: CodePoints) -> tuple[list[list[tuple[int, int, int]]], int]:
    """The arcs of each state, and the final state."""
    end: tuple[int, Ranges] = (0, ((0, 0),))
    pending = [(-1, characters.ranges), end]  # (bytes to come, what they may be)
    numbers = {state: number for number, state in enumerate(pending)}
    rows: list[list[tuple[int, int, int]]] = []
    for state in pending:
        row: list[tuple[int, int, int]] = []
        for low, high, after in _first_bytes(*state):
            if after not in numbers:
                numbers[after] = len(pending)
                pending.append(after)
            row.append((low, high, numbers[after]))
        rows.append(row)
    return rows, numbers[end]


def _escape(character: str) -> bytes:
    short = _SHORT_ESCAPES.get(character)
    return f"\\{short}".encode() if short else f"\\u{ord(character):04x}".encode()


def _first_bytes(tail: int, ranges: Ranges) -> Iterable[tuple[int, int, tuple[int, Ranges]]]:
    """Arcs (low byte, high byte, state after) of the state in which `tail` bytes are to come, -1 at the start."""
    if tail > 0:
        for low, high, after in _blocks(ranges, 64 ** (tail - 1)):
            yield 0x80 + low, 0x80 + high, (tail - 1, after)
    elif tail < 0:
        for length, bits, lowest, highest in _LENGTHS:
            inside = ((max(low, lowest), min(high, highest)) for low, high in ranges)
            for low, high, after in _blocks([pair for pair in inside if pair[0] <= pair[1]], 64**length):
                yield bits + low, bits + high, (length, after)


def _blocks(ranges: Iterable[tuple[int, int]], size: int) -> Iterable[tuple[int, int, Ranges]]:
    """Ranges cut at multiples of `size`: (first block, last block, what each of them holds from its start on)."""
    cut: list[tuple[int, int, list[tuple[int, int]]]] = []
    for low, high in ranges:
        for first, last, inside in _cut(low, high, size):
            if cut and cut[-1][0] == first == last:
                cut[-1][2].append(inside)
            else:
                cut.append((first, last, [inside]))
    return [(first, last, tuple(held)) for first, last, held in cut]


def _cut(low: int, high: int, size: int) -> Iterable[tuple[int, int, tuple[int, int]]]:
    """One range as a part of a block, whole blocks, and a part of a block, as far as there are such."""
    first, last, full = low // size, high // size, (0, size - 1)
    if first == last:
        return [(first, last, (low % size, high % size))]
    head, tail = (low % size, size - 1), (0, high % size)
    start, end = first + (head != full), last - (tail != full)
    parts = [(first, first, head)] if head != full else []
    parts += [(start, end, full)] if start <= end else []
    return parts + ([(last, last, tail)] if tail != full else [])
