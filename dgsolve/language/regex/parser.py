r"""ECMA-262 patterns, read in Unicode mode but with what people write besides: `\-`, `\_`, a lone `]` or `}`, `(?i)`,
`(?P<name>...)`.

Source: ECMA-262, 22.2.1 (patterns), B.1.2 (what browsers add) and the modifiers `(?ims-ims:...)` of the 2025 edition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dgsolve.language.code_points import ANY, CodePoints
from dgsolve.language.regex.brackets import read_brackets
from dgsolve.language.regex.classes import LINE_ENDS, either_case
from dgsolve.language.regex.errors import IrregularError
from dgsolve.language.regex.escapes import named_set, read_escape
from dgsolve.language.regex.reader import Reader
from dgsolve.language.regex.syntax import Chars, Look, Node, at_end, at_start, choice, repeat, sequence, word_edge

MAX_DEPTH = 50  # groups within groups

_QUANTIFIER = r"[*+?]|\{([0-9]+)(,([0-9]*))?\}"
_FOREIGN = {
    "(?P": "of Python's (?P...) only the group (?P<name>...) can be read: write it as ECMA-262 does",
    "(?#": "comments are not ECMA-262: leave (?#...) out",
    "(?>": "atomic groups are not ECMA-262: write (?:...)",
    "(?(": "conditions are not ECMA-262: write an alternative for each case",
}


@dataclass(frozen=True)
class _Mode:
    """The flags in effect, and how many groups are open."""

    ignore_case: bool = False
    lines: bool = False
    dot_all: bool = False
    depth: int = 0


def parse(pattern: str) -> Node:
    """The tree of a pattern; raises RegexError, for back-references and for what is not ECMA-262 too."""
    reader, mode = Reader(pattern), _Mode()
    if flags := reader.match(r"\(\?([ims]+)\)"):
        mode = _with_flags(mode, flags[1], True)
    tree = _disjunction(reader, mode)
    if not reader.done:
        reader.fail("this ) closes nothing: write \\) for the parenthesis itself")
    return tree


def _disjunction(reader: Reader, mode: _Mode) -> Node:
    options: list[Node] = []
    parts: list[Node] = []
    while not reader.done and reader.next != ")":
        if reader.take("|"):
            options.append(sequence(parts))
            parts = []
        else:
            parts.append(_term(reader, mode))
    return choice([*options, sequence(parts)])


def _term(reader: Reader, mode: _Mode) -> Node:
    start = reader.at
    if reader.take("^"):
        return _unrepeated(reader, at_start(~LINE_ENDS if mode.lines else ANY))
    if reader.take("$"):
        return _unrepeated(reader, at_end(~LINE_ENDS if mode.lines else ANY))
    if edge := reader.match(r"\\([bB])"):
        return _unrepeated(reader, word_edge(named_set("w", mode.ignore_case), negative=edge[1] == "B"))
    if reader.take("("):
        node = _group(reader, mode, start)
        return (_unrepeated if reader.pattern.startswith(("(?<=", "(?<!"), start) else _repeated)(reader, node)
    return _repeated(reader, Chars(_character(reader, mode)))


def _group(reader: Reader, mode: _Mode, start: int) -> Node:
    """Reads from behind the ( to behind its )."""
    if mode.depth == MAX_DEPTH:
        reader.fail(f"more than {MAX_DEPTH} groups within one another", start)
    mode = replace(mode, depth=mode.depth + 1)
    look = reader.match(r"\?(<?)([=!])")
    if not look and reader.next == "?":
        mode = _group_mode(reader, mode, start)
    body = _disjunction(reader, mode)
    if not reader.take(")"):
        reader.fail("this ( has no closing ): write \\( for the parenthesis itself", start)
    return Look(body, behind=look[1] == "<", negative=look[2] == "!") if look else body


def _group_mode(reader: Reader, mode: _Mode, start: int) -> _Mode:
    """Reads what stands between ( and the contents of a group that is no look-around."""
    if reader.match(r"\?(P?<[^\W\d][\w$]*>|:)"):
        return mode
    if flags := reader.match(r"\?([ims]*)(?:-([ims]+))?:"):
        return _with_flags(_with_flags(mode, flags[1], True), flags[2] or "", False)
    for opening, advice in _FOREIGN.items():
        if reader.pattern.startswith(opening, start):
            reader.fail(advice, start)
    if flags := reader.match(r"\?([ims]+)\)"):
        reader.fail(f"flags in the midst of a pattern are not ECMA-262: write (?{flags[1]}:...)", start)
    groups = "(...) (?:...) (?<name>...) (?=...) (?!...) (?<=...) (?<!...)"
    reader.fail(f"ECMA-262 has no such group; there are {groups}", start)


def _with_flags(mode: _Mode, flags: str, on: bool) -> _Mode:
    names = {"i": "ignore_case", "m": "lines", "s": "dot_all"}
    return replace(mode, **{names[flag]: on for flag in flags})


def _character(reader: Reader, mode: _Mode) -> CodePoints:
    """One character or class."""
    start = reader.at
    if reader.match(r"\\(?:[1-9]|k)"):
        message = "what a back-reference matches is no regular language: spell out the alternatives"
        raise IrregularError(message, reader.pattern, start)
    if reader.match(_QUANTIFIER):
        reader.fail(f"nothing to repeat: write \\{reader.pattern[start]} for the character itself", start)
    if reader.take("["):
        return read_brackets(reader, mode.ignore_case)
    if reader.take("."):
        return ANY if mode.dot_all else ~LINE_ENDS
    if reader.take("\\"):
        found = read_escape(reader, mode.ignore_case)
        if isinstance(found, CodePoints):
            return found
    else:
        found = reader.next
        reader.at += 1
    return either_case(CodePoints.of(found)) if mode.ignore_case else CodePoints.of(found)


def _repeated(reader: Reader, node: Node) -> Node:
    """The node with the quantifier behind it, if there is one; a lazy one means the same texts."""
    start = reader.at
    if found := reader.match(r"\{(,[0-9]+)\}"):
        reader.fail(f"{found[0]} is not ECMA-262: write {{0{found[1]}}}", start)
    found = reader.match(_QUANTIFIER)
    if not found:
        return node
    reader.take("?")
    low, high = _bounds(found)
    if high is not None and low > high:
        reader.fail(f"{found[0]} asks for at least {low} and at most {high}", start)
    return _unrepeated(reader, repeat(node, low, high))


def _unrepeated(reader: Reader, node: Node) -> Node:
    start = reader.at
    if found := reader.match(_QUANTIFIER):
        reader.fail(f"nothing to repeat for {found[0]}: put what it repeats into (?:...)", start)
    return node


def _bounds(quantifier: re.Match[str]) -> tuple[int, int | None]:
    signs: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
    if quantifier[0] in signs:
        return signs[quantifier[0]]
    low = _count(quantifier[1])
    return low, low if not quantifier[2] else _count(quantifier[3]) if quantifier[3] else None


def _count(digits: str) -> int:
    """The number; of more than ten digits the first ten, which are beyond any automaton too."""
    return int(digits.lstrip("0")[:10] or "0")
