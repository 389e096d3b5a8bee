"""The one spelling of each JSON value: what the automata generate, and how given values are written before judging."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from numbers import Integral, Real

from dgsolve.errors import UsageError
from dgsolve.shortened import shown

SHORT_ESCAPES = {'"': '"', "\\": "\\", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}  # after a backslash

MAX_DEPTH = 500  # of arrays and objects in each other; Python's own stack ends not far beyond
MAX_DIGITS = 10_000  # of a number; ten characters like 1e99999999 must not become 100 MB

_CLOSED = object()  # no value: an array or object ends here
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')
_SURROGATE = re.compile("[\ud800-\udfff]")


def spell(value: object, *, spaced: bool = True) -> str:
    """The text of a JSON value, object keys in the order given, `spaced`: one space after each ':' and ','.

    Takes what `json.loads` makes, tuples and Decimals too. Raises UsageError for what JSON cannot say.

    >>> spell({"a": [1.0, 2.50, None]})
    '{"a": [1, 2.5, null]}'
    """
    space = " " if spaced else ""
    pieces: list[str] = []
    todo: list[tuple[str, object, int]] = [("", value, 0)]  # (text before, value, depth), the last one next
    while todo:
        before, part, depth = todo.pop()
        pieces.append(before)
        if depth > MAX_DEPTH:
            raise UsageError(f"a value of more than {MAX_DEPTH} arrays and objects in each other is too deep")
        if part is _CLOSED:
            continue
        if isinstance(part, (list, tuple, Mapping)):
            pieces.append("{" if isinstance(part, Mapping) else "[")
            todo += reversed(list(_inside(part, "," + space, ":" + space, depth + 1)))
        else:
            pieces.append(_scalar(part))
    return "".join(pieces)


def spell_string(text: str) -> str:
    r"""The text in quotes, escaped where JSON says so: \" \\ \b \f \n \r \t, and \u00xx for other controls.

    DEL is written so too, which JSON leaves free, since some readers take none as it is.
    """
    if stray := _SURROGATE.search(text):
        place = f"U+{ord(stray[0]):04X} at position {stray.start()}"
        raise UsageError(f"JSON cannot hold half of a surrogate pair: {place}", hint="Take it out of the string.")
    return f'"{_ESCAPED.sub(_escape, text)}"'


def spell_number(value: int | float | Decimal) -> str:
    """The number in decimal without exponent, '1' for 1.0, '0' for -0.0; a float means its shortest decimal.

    >>> spell_number(2.5e-7), spell_number(1e21), spell_number(-0.0)
    ('0.00000025', '1000000000000000000000', '0')
    """
    text = f"{exact(value):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def exact(value: int | float | Decimal) -> Decimal:
    """The decimal that a number means: a float means its shortest decimal. Raises UsageError for NaN and infinity."""
    number = Decimal(float.__repr__(value) if isinstance(value, float) else value)
    if not number.is_finite():
        raise UsageError(f"JSON has no number {value}", hint="Write null or a string instead.")
    if max(abs(number.adjusted()), len(number.as_tuple().digits)) > MAX_DIGITS:
        raise UsageError(f"a number of more than {MAX_DIGITS:,} digits is too long", hint="Write it as a string.")
    return number


def no_json(value: object) -> UsageError:
    """The error for a value that JSON does not have."""
    hint = plainer(value) or "Write a string, number, list or dict."
    return UsageError(f"JSON has no {type(value).__name__}: {shown(value)}", hint=hint)


def plainer(value: object) -> str:
    """How to write an enum, or a number or array of another library, as JSON has it; "" for anything else."""
    if isinstance(value, Enum):
        return "Write its .value."
    for kind, name in ((Integral, "int"), (Real, "float")):
        if isinstance(value, kind):
            return f"Write {name}(...) around it."
    return "Write what its .tolist() returns." if hasattr(value, "tolist") and not isinstance(value, type) else ""


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    return "\\" + SHORT_ESCAPES[char] if char in SHORT_ESCAPES else f"\\u{ord(char):04x}"


def _inside(
    value: Sequence[object] | Mapping[object, object], comma: str, colon: str, depth: int
) -> Iterator[tuple[str, object, int]]:
    """The parts of an array or object, each with the text before it, and its end."""
    if isinstance(value, Mapping):
        for count, (key, part) in enumerate(value.items()):
            yield (comma if count else "") + _key(key) + colon, part, depth
        yield "}", _CLOSED, depth - 1
    else:
        for count, part in enumerate(value):
            yield comma if count else "", part, depth
        yield "]", _CLOSED, depth - 1


def _scalar(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return spell_number(value)
        case str():
            return spell_string(value)
    raise no_json(value)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise UsageError(f"JSON keys are strings, not {type(key).__name__}: {key!r}", hint=f"Write {str(key)!r}.")
    return spell_string(key)
