"""Which keys a pattern of patternProperties means."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache


class KeyPatterns:
    """Answers by the judge's own regexes, so that automaton and judge mean the same keys."""

    def match(self, pattern: str, key: str) -> bool:
        """Whether the pattern is found in the key."""
        return _validator(pattern)(key)


@cache
def _validator(pattern: str) -> Callable[[str], bool]:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator({"pattern": pattern}).is_valid
