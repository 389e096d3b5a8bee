"""Looking ahead from where a canvas is, without changing it."""

from __future__ import annotations

from collections.abc import Sequence

from dgsolve.constraints.forced_text import forced_text
from dgsolve.constraints.indexed_table import IndexedTable


class Lookahead:
    """A place in a text: the automaton's state there, and the pins of the slots that follow, -1 for any token."""

    def __init__(self, table: IndexedTable, state: int, pins: Sequence[int]) -> None:
        self.table, self.state, self.pins = table, state, pins

    def fitting(self, tokens: Sequence[int]) -> int:
        """How many of `tokens` fit in the next slots, one after the other; where all do, the place moves behind them.

        A budget is not looked at.
        """
        state = self.state
        for number, token in enumerate(tokens):
            fits = number < len(self.pins) and self.pins[number] in (-1, token)
            after = self.table.step(state, token) if fits else None
            if after is None:
                return number
            state = after
        self.state, self.pins = state, self.pins[len(tokens) :]
        return len(tokens)

    def forced(self) -> bytes:
        """The text that is certain to come next, up to the first choice; pins are not looked at."""
        return forced_text(self.table, self.state)
