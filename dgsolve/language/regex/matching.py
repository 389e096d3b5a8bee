"""Whether a pattern is found in a text, without its automaton: one state for each character read."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from threading import Lock

from dgsolve.language.regex.building import walked
from dgsolve.language.regex.formula import TRUE, holds_at_end
from dgsolve.language.regex.walk import State
from dgsolve.language.size_limit import TooLargeError

LONGEST = 50_000  # characters of a text


class Matcher:
    """An ECMA-262 pattern; what it means is exactly what `compile_regex` makes of it.

    Texts may have up to 50,000 characters. Raises RegexError for what is no such pattern or no regular language,
    TooLargeError for one of more than 100,000 characters. Threads may share it.

    >>> Matcher("^a|b$").found_in("xb")
    True
    """

    def __init__(self, pattern: str) -> None:
        self._walk, node, alphabet = walked(pattern, longest=LONGEST)
        self._start = self._walk.start(node)
        self._rows: dict[State, dict[int, State]] = {}
        self._lock = Lock()  # the walk numbers what it meets
        pieces = sorted((low, high, letter) for letter, part in enumerate(alphabet) for low, high in part.ranges)
        self._lows, self._pieces = [low for low, _, _ in pieces], pieces

    def found_in(self, text: str) -> bool:
        """Whether it matches somewhere; TooLargeError for a longer text, and where look-around takes too much work."""
        if len(text) > LONGEST:
            raise TooLargeError(LONGEST)
        state = self._start
        for character in text:
            if state[0] == TRUE:
                return True
            after = self._row(state).get(self._letter(ord(character)))
            if after is None:
                return False
            state = after
        return holds_at_end(state[0])

    def _row(self, state: State) -> dict[int, State]:
        if state not in self._rows:
            with self._lock:
                self._walk.formulas.work = 0
                self._rows[state] = dict(self._walk.steps(state))
        return self._rows[state]

    def _letter(self, code: int) -> int:
        """-1 for a character that no part of the pattern reads."""
        at = bisect_right(self._lows, code) - 1
        return self._pieces[at][2] if at >= 0 and code <= self._pieces[at][1] else -1


@lru_cache(maxsize=512)
def matcher(pattern: str) -> Matcher:
    """The same one for equal patterns, since it remembers what it has seen."""
    return Matcher(pattern)
