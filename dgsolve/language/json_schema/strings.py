"""Strings as JSON texts: how many code points, which patterns, which formats; and the keys of objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import NOTHING, concat, difference, intersect, literal, strings
from dgsolve.language.code_points import ANY, json_string_character
from dgsolve.language.draft import Draft
from dgsolve.language.json_schema.formats import format_language, judged
from dgsolve.language.json_schema.spelling import spell_string
from dgsolve.language.ranges import Ranges, Targets, ranges
from dgsolve.language.regex import compile_regex
from dgsolve.language.size_limit import refuse_beyond

LIMIT = 1000  # code points; a maxLength beyond it is left to the judge

_QUOTE = ord('"')


def string(
    *,
    min_length: int = 0,
    max_length: int | None = None,
    patterns: Sequence[str] = (),
    formats: Sequence[str] = (),
    limit: int = LIMIT,
) -> Acceptor:
    r"""The JSON texts, quotes included, of the strings that keep to all that is given; lengths count code points.

    Wider than that only in what `left_to_judge` names for the same arguments. Raises TooLargeError where that takes too
    many states (minLength is always counted), and what `compile_regex` raises for a pattern.

    >>> string(max_length=2, patterns=["^a"]).accepts(rb'"a\n"')
    True
    """
    most = None if max_length is None or max_length > limit else max_length
    kept = [_matching(pattern) for pattern in patterns]
    kept += [language for name in formats if (language := _formatted(name)) is not None]
    if min_length or most is not None or not kept:
        kept.append(_counted(min_length, most))
    return intersect(*kept)


def left_to_judge(*, max_length: int | None = None, formats: Sequence[str] = (), limit: int = LIMIT) -> tuple[str, ...]:
    """The keywords that `string` with these arguments does not enforce, or not wholly.

    >>> left_to_judge(max_length=10**9, formats=["uuid"])
    ('maxLength',)
    """
    long = max_length is not None and max_length > limit
    return ("maxLength",) * long + ("format",) * any(judged(name) for name in formats)


def any_string() -> Acceptor:
    """Every string, as JSON text."""
    return _counted(0, None)


def key(text: str) -> Acceptor:
    """The JSON text of one key."""
    return literal(spell_string(text).encode())


def keys_except(texts: Iterable[str], patterns: Iterable[str] = ()) -> Acceptor:
    """The JSON texts of all strings that are none of `texts` and match none of `patterns`."""
    rest = difference(any_string(), strings(spell_string(text).encode() for text in texts))
    for pattern in patterns:
        rest = difference(rest, _matching(pattern))
    return rest


@lru_cache(maxsize=512)
def _matching(pattern: str) -> Acceptor:
    return _quoted(compile_regex(pattern, json_string_character))


@cache
def _formatted(name: str) -> Acceptor | None:
    language = format_language(name)
    return None if language is None else _quoted(language)


def _quoted(content: Acceptor) -> Acceptor:
    return concat(literal(b'"'), content, literal(b'"'))


@lru_cache(maxsize=128)
def _counted(least: int, most: int | None) -> Acceptor:
    """All strings of so many code points: a copy of one character for each.

    Written state by state, in the order and form of minimal automata, because `repeat` takes ten times as long.
    """
    if most is not None and most < least:
        return NOTHING
    character = json_string_character(ANY)
    last, end = least if most is None else most, len(character)
    refuse_beyond(last * end)
    inner = [[(low, high, 0 if to in character.finals else to) for low, high, to in row] for row in character.rows]
    close = (_QUOTE, _QUOTE, end)
    places = [_split(row) for row in [*inner, []]]
    closing, either = _split([close]), _split([*inner[0], close])
    states = [(0, 0)]  # (characters, one that has begun included; the state inside it, 0 between two, `end` after all)
    numbers = {(0, 0): 1}
    draft = Draft([closing[0]], [(1,)], set())
    for count, place in states:
        kind, row = places[place] if place or count < least else either if count != most else closing
        begun = count if place else min(count + 1, last)
        after = [(begun, to) if to < end else (0, end) for to in row]
        for state in after:
            if state not in numbers:
                states.append(state)
                numbers[state] = len(states)
        draft.kinds.append(kind)
        draft.targets.append(tuple(map(numbers.__getitem__, after)))
    draft.finals.add(numbers[0, end])
    return Acceptor.of_minimal(draft)


def _split(arcs: Iterable[tuple[int, int, int]]) -> tuple[Ranges, Targets]:
    arcs = sorted(arcs)
    return ranges(tuple((low, high) for low, high, _ in arcs)), tuple(to for *_, to in arcs)
