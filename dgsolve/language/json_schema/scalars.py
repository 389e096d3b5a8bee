"""null, booleans, numbers and strings under the rules of one place."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from dgsolve.errors import UnsupportedSchemaError
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import intersect
from dgsolve.language.algebra import strings as texts
from dgsolve.language.json_schema import numbers, strings
from dgsolve.language.json_schema.compiled import EMPTY, Language
from dgsolve.language.json_schema.formats import judged
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.json_schema.rules import Rules
from dgsolve.language.json_schema.trailing_zeros import with_zeros
from dgsolve.language.size_limit import TooLargeError, at_most

NULL = Language.of(texts([b"null"]))
BOOLEAN = Language.of(texts([b"false", b"true"]))
TOO_LARGE = "its automaton would be too large"
TOO_LONG = "counting so many characters makes the automaton too large"
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def language(kind: str, rules: Rules, limits: Limits) -> Language:
    """The texts of one type (null, boolean, integer, fraction, number, string) that fit the rules."""
    if kind == "null":
        return NULL
    if kind == "boolean":
        return BOOLEAN
    return _string(rules, limits) if kind == "string" else _number(kind == "integer", rules, limits)


def _number(integer: bool, rules: Rules, limits: Limits) -> Language:
    bounds = (rules.most(BOUNDS[0]), rules.least(BOUNDS[1]), rules.most(BOUNDS[2]), rules.least(BOUNDS[3]))
    steps = tuple(sorted(set(rules.all("multipleOf"))))
    digits = None if rules.any(frozenset({"enum", "const"})) else limits.digits
    try:
        return Language.of(_numbers(integer, bounds, steps, digits))
    except TooLargeError:
        return Language.of(_numbers(integer, bounds, (), digits), rules.loose("multipleOf", TOO_LARGE))


@lru_cache(maxsize=1024)
def _numbers(integer: bool, bounds: tuple[Any, ...], steps: tuple[Any, ...], digits: int | None) -> Acceptor:
    low, high, above, below = bounds
    given = {"minimum": low, "maximum": high, "exclusive_minimum": above, "exclusive_maximum": below}
    given |= {"max_digits": digits, "max_fraction": digits}
    made = intersect(*(numbers.number(integer=integer, multiple_of=step, **given) for step in steps or (None,)))
    if integer or digits is None:
        return made
    return with_zeros(made, min([digits, *(numbers.decimals(step) for step in steps)]))


def _string(rules: Rules, limits: Limits) -> Language:
    low, high = rules.most("minLength") or 0, rules.least("maxLength")
    if high is not None and low > high:
        return EMPTY
    patterns, formats = tuple(sorted(set(rules.all("pattern")))), tuple(sorted(set(rules.all("format"))))
    longest = high if high is None or high <= limits.length else None
    try:
        acceptor, left = _texts(low, longest, patterns, formats, limits)
    except TooLargeError as error:
        pointer = next(node.pointer for node in rules.nodes if node.rules.get("minLength") == low)
        raise UnsupportedSchemaError(
            f"strings of {low:,} characters or more need too large an automaton",
            pointer=pointer,
            keyword="minLength",
            hint="Ask for fewer characters, or allow more with Limits(aim=...).",
        ) from error
    notes = {keyword: TOO_LARGE for keyword in left}
    notes |= {"maxLength": TOO_LONG} if high != longest else {}
    if any(map(judged, formats)):
        notes |= {"format": "what the automaton lets pass, the validator looks at more closely"}
    return Language.of(acceptor, frozenset().union(*(rules.loose(keyword, note) for keyword, note in notes.items())))


@lru_cache(maxsize=1024)
def _texts(
    low: int, high: int | None, patterns: tuple[str, ...], formats: tuple[str, ...], limits: Limits
) -> tuple[Acceptor, frozenset[str]]:
    """All strings that fit, and the keywords that are left out because the automaton would outgrow the limit.

    At least `low` characters are counted in any case, since the fewest tokens of a text depend on it: TooLargeError.
    """
    parts: list[tuple[tuple[str, ...], Callable[[], Acceptor]]] = [
        *((("pattern",), partial(strings.string, patterns=[pattern])) for pattern in patterns),
        *((("format",), partial(strings.string, formats=[name])) for name in formats),
        (("maxLength",), partial(strings.string, min_length=low, max_length=high)),
    ]
    made, left = strings.any_string(), set[str]()
    for keywords, build in parts:
        try:
            with at_most(limits.text):
                made = intersect(made, build())
        except TooLargeError:
            left.update(keywords)
    if "maxLength" in left:
        with at_most(limits.aim):
            made = intersect(made, strings.string(min_length=low))
    return made, frozenset(left)
