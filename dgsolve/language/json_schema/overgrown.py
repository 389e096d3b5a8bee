"""Told inside a compilation: at which place an automaton outgrew the limit."""

from __future__ import annotations

from dgsolve.language.json_schema.group import Place
from dgsolve.language.size_limit import TooLargeError


class OvergrownError(TooLargeError):
    """What holds at a place has too large an automaton."""

    def __init__(self, place: Place, states: int) -> None:
        super().__init__(states)
        self.place = place
