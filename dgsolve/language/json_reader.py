"""One pass over a JSON text that says where each value stands, and where and why the text is no JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from dgsolve.errors import DgsolveError, UsageError
from dgsolve.language.json_schema.spelling import MAX_DEPTH, MAX_DIGITS, exact

Span = tuple[int, int]  # first, and one after the last

_SPACE = re.compile(r"[ \t\n\r]*+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+")
_NUMBER_GOES_ON = re.compile(r"[0-9.eE+-]")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+')  # but its end
_SHORT = 1000  # characters of an integer that Python reads at once; beyond 4,300 int() refuses
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"\w+")
_WORDS = {"true": True, "false": False, "null": None}
_SAY = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}


class JsonTextError(DgsolveError, ValueError):
    """A text that is not JSON; line and column count from 1, columns in characters."""

    def __init__(self, message: str, *, line: int, column: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.line, self.column = line, column

    def __str__(self) -> str:
        return f"JSON, line {self.line}, column {self.column}: {self.message}"


def json_pointer(path: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of keys and indices.

    >>> json_pointer(["a/b", 0])
    '/a~1b/0'
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def decoded(text: str | bytes) -> str:
    """The text as characters; JsonTextError for broken UTF-8, a byte order mark and halves of surrogate pairs."""
    if isinstance(text, bytes):
        text = _decoded_bytes(text)
    if text.startswith("\ufeff"):
        raise _error(text, 0, "a byte order mark before the text", "Save the text as UTF-8 without it.")
    if stray := _SURROGATE.search(text):
        raise _error(text, stray.start(), f"half of a surrogate pair, U+{ord(stray[0]):04X}", "Take it out.")
    return text


def _decoded_bytes(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        message = f"the byte 0x{text[error.start]:02x} is no UTF-8"
        before = text[: error.start].decode()
        raise _error(before, len(before), message, "Save the text as UTF-8.") from error


def _error(text: str, at: int, message: str, hint: str = "") -> JsonTextError:
    line_start = text.rfind("\n", 0, at) + 1
    return JsonTextError(message, line=text.count("\n", 0, at) + 1, column=at - line_start + 1, hint=hint)


def number_of(text: str) -> int | Decimal:
    """The number that a text spells; UsageError or decimal.InvalidOperation where it is too long."""
    whole = text.lstrip("-").isdecimal()
    if whole and len(text) <= _SHORT:
        return int(text)
    number = exact(Decimal(text))
    return int(number) if whole else number


@dataclass
class _Open:
    """An array or object whose end is still to come, and the place in it of the value that is being read."""

    holder: list[Any] | dict[str, Any]
    start: int
    pointer: str
    key: str = ""
    key_start: int = 0

    @property
    def inner(self) -> str:
        if isinstance(self.holder, list):
            return f"{self.pointer}/{len(self.holder)}"
        return self.pointer + json_pointer((self.key,))


class Reader:
    """Reads one text with a stack of its own, so that no depth of nesting ends Python's.

    With `locate`, `values` and `members` hold the characters of each value and each member by JSON Pointer.
    """

    def __init__(self, text: str, *, locate: bool = False) -> None:
        self.text, self.locate = text, locate
        self.at = 0
        self.open: list[_Open] = []
        self.values: dict[str, Span] = {}  # pointer -> characters
        self.members: dict[str, Span] = {}

    def read(self) -> Any:
        self.skip_space()
        while True:
            start = self.at
            char = self.text[start : start + 1]
            if char in ("{", "["):
                if not self.enter(char):
                    continue
                value, start = self.leave()
            else:
                value = self.scalar()
            while self.open:
                self.add(value, start)
                if not self.ends():
                    break
                value, start = self.leave()
            else:
                return self.finish(value, start)

    def enter(self, char: str) -> bool:
        """Step into an array or object; True where it is empty."""
        if len(self.open) == MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} arrays and objects in each other", "Nest less deeply.")
        pointer = self.open[-1].inner if self.locate and self.open else ""
        self.open.append(_Open({} if char == "{" else [], self.at, pointer))
        self.at += 1
        self.skip_space()
        if self.text.startswith("}" if char == "{" else "]", self.at):
            return True
        self.key()
        return False

    def leave(self) -> tuple[Any, int]:
        self.at += 1
        done = self.open.pop()
        return done.holder, done.start

    def add(self, value: Any, start: int) -> None:
        """Put a value that ends here where it belongs."""
        parent = self.open[-1]
        if self.locate:
            self.values[parent.inner] = (start, self.at)
        if isinstance(parent.holder, list):
            parent.holder.append(value)
            return
        if self.locate:
            self.members[parent.inner] = (parent.key_start, self.at)
        parent.holder[parent.key] = value

    def ends(self) -> bool:
        """Whether the array or object closes here; else step over the comma, to the next value."""
        self.skip_space()
        closing = "]" if isinstance(self.open[-1].holder, list) else "}"
        if self.text.startswith(closing, self.at):
            return True
        if not self.text.startswith(",", self.at):
            raise self.unexpected(f"',' or '{closing}'")
        comma = self.at
        self.at += 1
        self.skip_space()
        if self.text.startswith(closing, self.at):
            self.at = comma
            raise self.error(f"a comma before '{closing}'", "Take the comma away.")
        self.key()
        return False

    def key(self) -> None:
        """In an object, read the key and the colon."""
        parent = self.open[-1]
        if isinstance(parent.holder, list):
            return
        start = self.at
        if not self.text.startswith('"', start):
            raise self.unexpected("a key in double quotes")
        parent.key, parent.key_start = self.string(), start
        if parent.key in parent.holder:
            self.at = start
            raise self.error(f"the key {parent.key!r} a second time in one object", "Keep one of the two.")
        self.skip_space()
        if not self.text.startswith(":", self.at):
            raise self.unexpected("':'")
        self.at += 1
        self.skip_space()

    def scalar(self) -> Any:
        if self.text.startswith('"', self.at):
            return self.string()
        if found := _NUMBER.match(self.text, self.at):
            return self.number(found)
        word = _WORD.match(self.text, self.at)
        if word and word[0] in _WORDS:
            self.at = word.end()
            return _WORDS[word[0]]
        raise self.unexpected("a value")

    def string(self) -> str:
        start = self.at
        if found := _STRING.match(self.text, start):
            self.at = found.end()
        if not self.text.startswith('"', self.at):
            raise self.broken_string(start)
        self.at += 1
        value: str = json.loads(self.text[start : self.at])
        if stray := _SURROGATE.search(value):
            self.at = start
            raise self.error(f"a string with half of a surrogate pair, \\u{ord(stray[0]):04x}", "Write both halves.")
        return value

    def number(self, found: re.Match[str]) -> int | Decimal:
        if _NUMBER_GOES_ON.match(self.text, found.end()):
            raise self.error("a number that JSON cannot read", "Write it like -12, 0.5 or 1e9.")
        try:
            value = number_of(found[0])
        except (UsageError, InvalidOperation) as error:
            raise self.error(f"a number of more than {MAX_DIGITS:,} digits", "Write it as a string.") from error
        self.at = found.end()
        return value

    def finish(self, value: Any, start: int) -> Any:
        if self.locate:
            self.values[""] = (start, self.at)
        self.skip_space()
        if self.at < len(self.text):
            raise self.unexpected("the end, for the value is complete,")
        return value

    def skip_space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def error(self, message: str, hint: str = "") -> JsonTextError:
        return _error(self.text, self.at, message, hint)

    def unexpected(self, wanted: str) -> JsonTextError:
        """Something else than what must come here, with what people mean by it."""
        rest = self.text[self.at : self.at + 20]
        word = _WORD.match(rest)
        hint = ""
        if rest.startswith("'"):
            hint = "JSON has double quotes only."
        elif rest.startswith(("//", "/*", "#")):
            hint = "JSON has no comments; take it out."
        elif rest.startswith("```"):
            hint = "Take away the lines with ```."
        elif word and word[0] in _SAY:
            hint = f"JSON writes {_SAY[word[0]]}."
        elif (word and word[0] in ("NaN", "Infinity")) or rest.startswith("-Infinity"):
            hint = "JSON has no such number; write null or a string."
        elif rest.startswith(("+", ".", "-.")):
            hint = "JSON numbers start with a digit, or with '-' and a digit."
        found = f"not {(word[0] if word else rest[0])!r}" if rest else "but the text ends"
        return self.error(f"{wanted} must come here, {found}", hint)

    def broken_string(self, start: int) -> JsonTextError:
        char = self.text[self.at : self.at + 1]
        if char == "\\":
            escape = self.text[self.at : self.at + 2]
            return self.error(f"an escape that JSON does not have, {escape}", r"Write \\ for a backslash.")
        if char:
            escaped = json.dumps(char)[1:-1]
            return self.error(f"a raw control character, U+{ord(char):04X}, in a string", f"Write {escaped}.")
        self.at = start
        return self.error("a string without an end", 'Close it with ".')
