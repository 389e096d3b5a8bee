"""Character classes in brackets."""

from __future__ import annotations

from dgsolve.language.code_points import CodePoints
from dgsolve.language.regex.classes import either_case
from dgsolve.language.regex.escapes import read_escape
from dgsolve.language.regex.reader import Reader


def read_brackets(reader: Reader, ignore_case: bool) -> CodePoints:
    """Reads from behind the `[` to behind its `]`; `[]` is no character, `[^]` any."""
    start = reader.at - 1
    negative = reader.take("^")
    items: list[CodePoints | tuple[int, int]] = []
    while not reader.take("]"):
        if reader.done:
            reader.fail("this [ has no closing ]: write \\[ for the bracket itself", start)
        items += _item(reader, ignore_case)
    found = CodePoints.between(pair for item in items for pair in _ranges(item))
    found = either_case(found) if ignore_case else found
    return ~found if negative else found


def _item(reader: Reader, ignore_case: bool) -> list[CodePoints | tuple[int, int]]:
    """A character, a set, or a range; a hyphen beside a set, as in `[\\w-.]`, stands for itself."""
    start = reader.at
    low = _one(reader, ignore_case)
    if not reader.match(r"-(?!\])"):
        return [low]
    if reader.done:
        return [low]
    high = _one(reader, ignore_case)
    if isinstance(low, CodePoints) or isinstance(high, CodePoints):
        return [low, (0x2D, 0x2D), high]
    if low[0] > high[0]:
        text = reader.pattern[start : reader.at]
        reader.fail(f"the range {text} runs backwards: write the lower character first", start)
    return [(low[0], high[0])]


def _one(reader: Reader, ignore_case: bool) -> CodePoints | tuple[int, int]:
    if reader.take("\\"):
        found = _escape(reader, ignore_case)
    else:
        found = reader.next
        reader.at += 1
    return found if isinstance(found, CodePoints) else (ord(found), ord(found))


def _escape(reader: Reader, ignore_case: bool) -> CodePoints | str:
    if reader.take("b"):
        return "\b"
    if reader.match("[1-9]"):
        reader.fail("octal escapes are not ECMA-262: write \\x01 for \\1", reader.at - 2)
    return read_escape(reader, ignore_case)


def _ranges(item: CodePoints | tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return item.ranges if isinstance(item, CodePoints) else (item,)
