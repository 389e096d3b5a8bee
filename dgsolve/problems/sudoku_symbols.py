"""Sizes, boxes and symbols of a Sudoku."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isqrt
from operator import index
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.shortened import shown

_ORDER = string.digits + string.ascii_uppercase
SMALLEST, LARGEST = 4, 25
BLANKS = frozenset((".", "0", "*", "_", "-", "?", ""))  # a symbol in use is never a blank


def _boxes(size: int) -> tuple[int, int] | None:
    """The squarest box that is not higher than wide; None where only whole rows would fit."""
    rows = next(rows for rows in range(isqrt(size), 0, -1) if size % rows == 0)
    return (rows, size // rows) if rows > 1 else None


SIZES = frozenset(size for size in range(SMALLEST, LARGEST + 1) if _boxes(size))
SIZE_OF_SQUARE = {size * size: size for size in SIZES}


def usual_box(size: int) -> tuple[int, int]:
    """Rows and columns of a box where a file names none: 9 -> (3, 3), 6 -> (2, 3), 12 -> (3, 4)."""
    box = _boxes(size) if SMALLEST <= size <= LARGEST else None
    if box is None:
        known = ", ".join(str(known) for known in sorted(SIZES))
        raise UsageError(f"a {size}x{size} grid has no Sudoku boxes", hint=f"Sizes that have them: {known}.")
    return box


def read_box(box: str | Sequence[int] | None) -> tuple[int, int] | None:
    """Rows and columns of one box, from "2x3" or (2, 3); raises UsageError."""
    if box is None:
        return None
    parts = re.fullmatch(r"\s*([0-9]{1,3})\s*[xX×*]\s*([0-9]{1,3})\s*", box) if isinstance(box, str) else None
    numbers = [int(part) for part in parts.groups()] if parts else _pair(box)
    if len(numbers) != 2 or min(numbers) < 2 or not SMALLEST <= numbers[0] * numbers[1] <= LARGEST:
        raise UsageError(
            f"box={shown(box)} is not the shape of a box",
            hint=f'Write rows x columns of one box, such as "2x3"; a grid has {SMALLEST} to {LARGEST} rows.',
        )
    return numbers[0], numbers[1]


def _pair(box: Any) -> list[int]:
    try:
        return [] if isinstance(box, str) else list(map(index, box))
    except TypeError:
        return []


@lru_cache(maxsize=64)
def digits_first(size: int) -> tuple[str, ...]:
    """1-9, then A, B, ...: one character per value."""
    return tuple(_ORDER[1 : size + 1])


@lru_cache(maxsize=64)
def zero_first(size: int) -> tuple[str, ...]:
    """0-9, then A, B, ...: hexadecimal for 16."""
    return tuple(_ORDER[:size])


@lru_cache(maxsize=64)
def letters(size: int) -> tuple[str, ...]:
    """A, B, C, ..."""
    return tuple(string.ascii_uppercase[:size])


@lru_cache(maxsize=64)
def numbers(size: int) -> tuple[str, ...]:
    """1, 2, ..., 10, 11, ...: several characters from 10 on."""
    return tuple(str(value) for value in range(1, size + 1))


def expand_symbols(symbols: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """The symbols of the values 1, 2, ... in order: "1-9A-G" -> ("1", ..., "9", "A", ..., "G"); raises UsageError."""
    if symbols is None:
        return None
    spec = re.sub(r"(?<=[0-9A-Za-z])-(?=[0-9A-Za-z])", "\0", symbols) if isinstance(symbols, str) else ""
    expanded = re.sub(r"(.)\0(.)", _span, spec)
    listed = tuple(expanded.split(",")) if "," in expanded else tuple(expanded)
    several = symbols if isinstance(symbols, Iterable) else ()
    found = listed if isinstance(symbols, str) else tuple(map(str, several))
    bad = any(not symbol or any(char.isspace() or char in "|,;\0" for char in symbol) for symbol in found)
    if bad or len(set(found)) != len(found) or len(found) not in SIZES:
        raise UsageError(
            f"symbols={shown(symbols)} does not name 4 to 25 different symbols",
            hint='Write them in the order of their values, such as "1-9A-G", "0-9A-F" or "A-P".',
        )
    return found


def _span(match: re.Match[str]) -> str:
    first, last = ord(match[1]), ord(match[2])
    same_kind = any(
        match[1] in kind and match[2] in kind
        for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    )
    return "".join(map(chr, range(first, last + 1))) if same_kind and first <= last else "\0"


def span_text(symbols: Sequence[str]) -> str:
    """Symbols for a message: "1-9A-G"; numbers as "1 to 16"."""
    if tuple(symbols) == numbers(len(symbols)):
        return f"1 to {len(symbols)}"
    joined = "".join(symbols)
    for first, last, text in (("1", "9", "1-9"), ("0", "9", "0-9")):
        digits = "".join(map(chr, range(ord(first), ord(last) + 1)))
        if joined.startswith(digits + "A") and joined[len(digits) :] in string.ascii_uppercase:
            return f"{text}A-{joined[-1]}".removesuffix("-A")
    return f"{joined[0]}-{joined[-1]}" if joined in string.ascii_uppercase else " ".join(symbols)


def cell_name(slot: int, size: int) -> str:
    """r2c3 for the slot, both counted from 1."""
    return f"r{slot // size + 1}c{slot % size + 1}"
