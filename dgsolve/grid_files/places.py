"""The line of a key in the text of a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|\n')
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"'-]+)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")


def steps(key: str) -> list[str]:
    """rule[2].total is rule, 2, total."""
    return [name or number for name, number in _STEP.findall(key)]


def toml_line(text: str, key: str) -> int:
    """The line of `key`, or of the deepest table around it that has one; 0 where nothing has."""
    return _deepest(_toml_places(text), steps(key))


def json_line(text: str, key: str) -> int:
    """As `toml_line`, of a JSON text."""
    return _deepest(_json_places(text), steps(key))


def repeated_key(text: str) -> tuple[str, int]:
    """The first key of a JSON text that its table has already, such as grid.rows, and the line where it is again."""
    seen = set()
    for place, line in _json_places(text):
        if place in seen:
            return ".".join(place), line
        seen.add(place)
    return "", 0


def _deepest(places: Iterator[tuple[tuple[str, ...], int]], wanted: list[str]) -> int:
    found = dict(reversed(list(places)))
    for length in range(len(wanted), 0, -1):
        if tuple(wanted[:length]) in found:
            return found[tuple(wanted[:length])]
    return 0


def _toml_places(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    at: tuple[str, ...] = ()
    seen: Counter[str] = Counter()
    inside = ""  # the quotes of a text over several lines
    for number, line in enumerate(text.split("\n"), 1):
        opened = not inside
        for quotes in ('"""', "'''"):
            if line.count(quotes) % 2 and inside in ("", quotes):
                inside = "" if inside else quotes
        if not opened:
            continue
        header, key = _HEADER.fullmatch(line), _KEY.match(line)
        if header:
            name = header[2].strip("\"'")
            seen[name] += 1
            at = (name, str(seen[name])) if header[1] == "[[" else tuple(name.split("."))
            yield at, number
        elif key:
            yield (*at, key[1]), number


def _json_places(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every key and every member of a list, with the line on which it begins."""
    stack: list[list[str]] = []  # of each bracket around: "{" or "[", and the step that goes on
    number, last = 1, ""
    for match in _JSON.finditer(text):
        token = match[0]
        if token == "\n":
            number += 1
            continue
        if token in "{[":
            stack.append([token, "1" if token == "[" else ""])
            if last != ":":  # else its key was told
                yield tuple(step for _, step in stack[:-1] if step), number
        elif token in "}]" and stack:
            stack.pop()
        elif token == ":" and stack:
            stack[-1][1] = last[1:-1]
            yield tuple(step for _, step in stack), number
        elif token == "," and stack and stack[-1][0] == "[":
            stack[-1][1] = str(int(stack[-1][1]) + 1)
        last = token
