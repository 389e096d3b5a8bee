"""Outputs that are plain texts and no JSON: those that a pattern matches whole, and one of a few."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from dgsolve.errors import UsageError
from dgsolve.plural import counted
from dgsolve.shortened import shown


@dataclass(frozen=True)
class Regex:
    r"""Texts that the pattern (ECMA-262) matches from the first character to the last.

    >>> Regex(r"[A-Z]{2}-\d{4}").pattern
    '[A-Z]{2}-\\d{4}'
    """

    pattern: str

    def __post_init__(self) -> None:
        if isinstance(self.pattern, re.Pattern):
            hint = f"Write Regex({shown(self.pattern.pattern)})."
            raise UsageError("Regex takes the text of a pattern, not a compiled one", hint=hint)
        if not isinstance(self.pattern, str) or not self.pattern:
            message = f"Regex takes the text of a pattern, not {shown(self.pattern)}"
            raise UsageError(message, hint=r"Write Regex(r'\d{4}').")


@dataclass(frozen=True)
class Choice:
    """One of these texts: a list of them, or an Enum whose values are texts (the text comes back, not the member).

    >>> Choice(["red", "green"]).options
    ('red', 'green')
    """

    options: Sequence[str]

    def __init__(self, options: Sequence[str] | type[Enum], *more: Any) -> None:
        if more:
            message = f"Choice takes one list of texts, not {shown(options)} and {counted(len(more), 'other')}"
            raise UsageError(message, hint=f"Write Choice({shown([options, *more])}).")
        if isinstance(options, type) and issubclass(options, Enum):
            options = _values(options)
        if not isinstance(options, (list, tuple)):
            raise UsageError(f"Choice takes a list of texts, not {shown(options)}", hint=_as_list(options))
        if not options:
            raise UsageError("Choice needs at least one option, not []", hint="Write Choice(['yes', 'no']).")
        _refuse_odd(options)
        object.__setattr__(self, "options", tuple(options))


def _values(options: type[Enum]) -> list[str]:
    values = [member.value for member in options]
    if not all(isinstance(value, str) for value in values):
        hint = f"Give {options.__name__} itself as the output type: it is written as JSON then."
        raise UsageError(f"not all values of {options.__name__} are texts: {shown(values)}", hint=hint)
    return values


def _as_list(options: Any) -> str:
    if get_origin(options) is Literal:
        return f"Write Choice({shown(list(get_args(options)))})."
    if isinstance(options, (set, frozenset)):
        return f"Write Choice({shown(sorted(options, key=str))})."
    if isinstance(options, Iterable) and not isinstance(options, (str, bytes)):
        return "Write Choice(list(...))."
    return "Write Choice(['yes', 'no'])."


def _refuse_odd(options: Sequence[Any]) -> None:
    """UsageError for an option that is no text, or that is there twice."""
    seen: set[str] = set()
    for place, option in enumerate(options):
        if not isinstance(option, str) or not option:
            hint = f"Write {shown(option)!r}." if option != "" else "Take it out."
            raise UsageError(f"option {place} of Choice is {shown(option)}, not a text", hint=hint)
        if option in seen:
            raise UsageError(f"Choice has {shown(option)} twice", hint="Keep one of them.")
        _refuse_surrogates(option, f"option {place} of Choice")
        seen.add(option)


def _refuse_surrogates(text: str, place: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"{place} has half a character (a lone surrogate) at {error.start}"
        raise UsageError(message, hint="Repair it.") from error
