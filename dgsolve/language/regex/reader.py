"""A pattern and how far it has been read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from dgsolve.language.regex.errors import RegexError


@dataclass
class Reader:
    """`at` is the index of the next character of `pattern`."""

    pattern: str
    at: int = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.pattern)

    @property
    def next(self) -> str:
        """The next character, "" at the end."""
        return self.pattern[self.at : self.at + 1]

    def take(self, text: str) -> bool:
        """Reads this text where it comes next."""
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def match(self, expression: str) -> re.Match[str] | None:
        """Reads what this expression matches where it comes next."""
        found = re.compile(expression).match(self.pattern, self.at)
        self.at = found.end() if found else self.at
        return found

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise RegexError(message, self.pattern, self.at if at is None else at)
