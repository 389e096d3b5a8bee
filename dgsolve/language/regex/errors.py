"""What is wrong with a regular expression, and where."""

from __future__ import annotations

from dgsolve.shortened import shortened


class RegexError(Exception):
    """A pattern that cannot be used; `position` counts characters from 0, `message` says what to write instead."""

    def __init__(self, message: str, pattern: str, position: int) -> None:
        super().__init__(message, pattern, position)
        self.message, self.pattern, self.position = message, pattern, position

    def __str__(self) -> str:
        pattern = shortened(self.pattern, 80)
        return f"{self.message} (at character {self.position + 1} of the pattern {pattern!r})"


class IrregularError(RegexError):
    """What ECMA-262 has and no regular language can hold: back-references."""
