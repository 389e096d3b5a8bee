"""The keyword `pattern` for the judge, read as ECMA-262 says and as the automata read it, not as Rust's engines do."""

from __future__ import annotations

from threading import local
from typing import Any

from dgsolve.language.regex.matching import Matcher, matcher
from dgsolve.language.size_limit import TooLargeError


class JudgedPatterns(local):
    """The patterns of one judge; `failed` holds those that took too much work on a value since it was emptied.

    Each thread has its own `failed`, since threads may share a judge.
    """

    def __init__(self) -> None:
        self.failed: list[str] = []

    def __call__(self, schema: Any, pattern: str, place: list[str | int]) -> _Pattern:
        """What jsonschema-rs asks for each `pattern` of a schema; raises what `Matcher` raises."""
        return _Pattern(pattern, matcher(pattern), self)


class _Pattern:
    def __init__(self, pattern: str, matcher: Matcher, patterns: JudgedPatterns) -> None:
        self._pattern, self._matcher, self._patterns = pattern, matcher, patterns

    def validate(self, value: Any) -> None:
        """The error is the pattern, as with the keyword that jsonschema-rs has itself."""
        if isinstance(value, str) and not self._found_in(value):
            raise ValueError(self._pattern)

    def _found_in(self, text: str) -> bool:
        try:
            return self._matcher.found_in(text)
        except TooLargeError:  # jsonschema-rs would take any exception for "does not match", right even below `not`
            self._patterns.failed.append(self._pattern)
            return False
