"""Bytes of a file into lines of plain characters."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from typing import IO

from dgsolve.errors import PuzzleError
from dgsolve.puzzle_files.base import Line

LONGEST_LINE = 1 << 24  # characters; a file without line ends must not fill the memory
BAD_BYTE = "\ufffd"
NO_TEXT_HINT = "Puzzles are read from text; a trace is played with `dgsolve replay FILE`."
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"%PDF-", b"\x89PNG")  # gzip, zip, documents, pictures

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PLAIN = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},  # full-width forms
    **dict.fromkeys(range(0x2500, 0x2580), "+"),  # corners and crossings of boxes
    **dict.fromkeys(map(ord, "─━┄┅┈┉╌╍═╴╶╸╺"), "-"),
    **dict.fromkeys(map(ord, "│┃┆┇┊┋╎╏║╵╷╹╻"), "|"),
    **dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000), " "),
    **dict.fromkeys((0x00B7, 0x2022, 0x2219, 0x22C5, 0x30FB), "."),  # raised dots
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-"),
    0xFEFF: None,
}


def lines_of_bytes(buffered: io.BufferedReader) -> Iterator[Line]:
    """Lines of a binary stream in UTF-8, UTF-16 or UTF-32; a byte that cannot be read becomes BAD_BYTE.

    Raises PuzzleError where it is no text at all: packed, a picture, a program.
    """
    head = buffered.peek(256)[:256]
    encoding = _encoding(head)
    if head.startswith(_PACKED) or (encoding == "utf-8" and _is_binary(head)):
        raise PuzzleError("this file is not text", hint=NO_TEXT_HINT)
    text = io.TextIOWrapper(buffered, encoding=encoding, errors="replace", newline=None)
    try:
        yield from _lines(text)
    finally:
        text.detach()


def _is_binary(head: bytes) -> bool:
    """Whether a tenth or more are control characters that no text has."""
    odd = sum(byte < 32 and byte not in b"\t\n\v\f\r\x1b" for byte in head)
    return 10 * odd > len(head)


def lines_of_text(text: str) -> Iterator[Line]:
    """Lines of a string; any line end will do."""
    yield from _lines(io.StringIO(text, newline=None))


def _encoding(head: bytes) -> str:
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name
    zeros = head[0::2].count(0), head[1::2].count(0)
    if zeros[0] != zeros[1] and 8 * max(zeros) >= len(head) > 1:  # UTF-16 without its mark
        return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    return "utf-8"


def _lines(text: IO[str]) -> Iterator[Line]:
    number = 0
    while line := text.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise PuzzleError("this line does not end: not a puzzle file", line=number)
        line = line.rstrip("\n")
        plainly = plain(line)
        yield Line(number, plainly, None if plainly == line else line)


def plain(text: str) -> str:
    """Without what keyboards, editors and web pages put in the place of plain signs: full-width digits, box lines."""
    return text if text.isascii() else text.translate(_PLAIN)
