"""A pattern as a tree, in the few kinds of node that are left once classes, flags and anchors are spelled out."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from dgsolve.language.code_points import ANY, CodePoints


@dataclass(frozen=True)
class Chars:
    """One character of a set."""

    characters: CodePoints


@dataclass(frozen=True)
class Sequence:
    """All parts, one after the other; no part at all is the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """One of the options; without any, nothing matches."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """The body `low` to `high` times in a row, without end where `high` is None."""

    body: Node
    low: int
    high: int | None


@dataclass(frozen=True)
class Look:
    """A place such that `body` matches from here on (or, with `behind`, up to here), or does not where `negative`."""

    body: Node
    behind: bool
    negative: bool


Node = Chars | Sequence | Choice | Repeat | Look

EMPTY = Sequence(())


def sequence(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))


def choice(options: list[Node]) -> Node:
    return options[0] if len(options) == 1 else Choice(tuple(options))


def repeat(body: Node, low: int, high: int | None) -> Node:
    """A repeated repeat becomes one repeat where no count in between is left out: `(x{1,50}){1,50}` is `x{1,2500}`."""
    if high == 0:
        return EMPTY
    if not isinstance(body, Repeat):
        return Repeat(body, low, high)
    reach = 0 if low == 0 else inf if body.high is None else low * body.high
    if low != high and (low + 1) * body.low > reach + 1:
        return Repeat(body, low, high)
    return Repeat(body.body, low * body.low, None if high is None or body.high is None else high * body.high)


def at_start(among: CodePoints = ANY) -> Node:
    """A place with nothing before it, or no character of this set."""
    return Look(Chars(among), behind=True, negative=True)


def at_end(among: CodePoints = ANY) -> Node:
    """A place with nothing after it, or no character of this set."""
    return Look(Chars(among), behind=False, negative=True)


def word_edge(word: CodePoints, negative: bool) -> Node:
    """A place between a word character and another or none; where `negative`, any other place."""
    body, options = Chars(word), []
    for before in (True, False):
        after = before if negative else not before
        options.append(Sequence((Look(body, True, not before), Look(body, False, not after))))
    return Choice(tuple(options))
