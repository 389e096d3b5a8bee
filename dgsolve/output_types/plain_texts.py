"""Outputs that are plain texts and no JSON: those that a pattern matches whole, and one of a few."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dgsolve.errors import UsageError


@dataclass(frozen=True)
class Regex:
    r"""Texts that the pattern (ECMA-262) matches from the first character to the last.

    >>> Regex(r"[A-Z]{2}-\d{4}").pattern
    '[A-Z]{2}-\\d{4}'
    """

    pattern: str

    def __post_init__(self) -> None:
        if isinstance(self.pattern, re.Pattern):
            hint = f"Write Regex({self.pattern.pattern!r})."
            raise UsageError("Regex takes the text of a pattern, not a compiled one", hint=hint)
        if not isinstance(self.pattern, str) or not self.pattern:
            raise UsageError(f"Regex takes the text of a pattern, not {self.pattern!r}", hint=r"Write Regex(r'\d{4}').")


@dataclass(frozen=True)
class Choice:
    """One of these texts.

    >>> Choice(["red", "green"]).options
    ('red', 'green')
    """

    options: Sequence[str]

    def __post_init__(self) -> None:
        options = self.options
        if isinstance(options, (str, bytes)) or not isinstance(options, (list, tuple)):
            hint = "Write Choice(['yes', 'no'])."
            raise UsageError(f"Choice takes a list of texts, not {options!r:.60}", hint=hint)
        if not options:
            raise UsageError("Choice needs at least one option, not []", hint="Write Choice(['yes', 'no']).")
        seen: set[str] = set()
        for place, option in enumerate(options):
            if not isinstance(option, str) or not option:
                hint = f"Write {str(option)!r:.60}." if str(option) else "Take it out."
                raise UsageError(f"option {place} of Choice is {option!r:.60}, not a text", hint=hint)
            if option in seen:
                raise UsageError(f"Choice has {option!r:.60} twice", hint="Keep one of them.")
            _refuse_surrogates(option, f"option {place} of Choice")
            seen.add(option)
        object.__setattr__(self, "options", tuple(options))


def _refuse_surrogates(text: str, place: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"{place} has half a character (a lone surrogate) at {error.start}"
        raise UsageError(message, hint="Repair it.") from error
