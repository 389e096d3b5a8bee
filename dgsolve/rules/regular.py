"""Lines that an automaton reads: the run lengths of a nonogram, or any states and transitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar

from dgsolve.drawing.marks import EdgeClue, Mark, Shade
from dgsolve.errors import UsageError
from dgsolve.rules.base import Words
from dgsolve.rules.parameters import Fields, Several, Value, Whole, parameter
from dgsolve.rules.walk import Walk


@dataclass(frozen=True)
class Regular(Walk):
    """`runs`: the lengths of the runs of `filled` cells, in order, others between them; none at all where it is empty.

    Or an automaton: it begins in state `start`, takes `transitions` of (state, value, next state), and must end in one
    of the states `accepting`.

    grid.regular(grid.row(0), runs=[3, 1])
    """

    kind: ClassVar[str] = "regular"

    runs: tuple[int, ...] | None = parameter(Several(Whole(1)), "lengths of the runs of filled cells, in order", None)
    filled: int = parameter(Value(), "the value of a filled cell", 1)
    start_state: int = parameter(Whole(), "the automaton's first state", 0)
    accepting: tuple[int, ...] = parameter(Several(Whole()), "the states it may end in", ())
    transitions: tuple[tuple[int, int, int], ...] = parameter(
        Several(Fields((Whole(), Value(), Whole()))), "[state, value, next state], one for each step it can take", ()
    )

    def refuse(self) -> None:
        if (self.runs is None) == (not self.transitions):
            raise UsageError("regular needs runs, or transitions and accepting", hint="For an empty line: runs = [].")
        if len(self._next) < len(set(self.transitions)):
            raise UsageError("regular has two transitions from one state with one value", hint="Make them one.")

    @cached_property
    def _next(self) -> dict[tuple[int, int], int]:
        return {(state, value): after for state, value, after in self.transitions}

    def start(self) -> Any:
        return self.start_state if self.runs is None else (0, 0)

    def step(self, state: Any, place: int, number: int) -> Any:
        """Along runs a state is how many of them are over, and how long the one that goes on is."""
        if self.runs is None:
            return self._next.get((state, number))
        over, length = state
        if number == self.filled:
            return (over, length + 1) if over < len(self.runs) and length < self.runs[over] else None
        if not length:
            return state
        return (over + 1, 0) if length == self.runs[over] else None

    def accepts(self, state: Any) -> bool:
        if self.runs is None:
            return state in self.accepting
        over, length = state
        return over + (length > 0) == len(self.runs) and (not length or length == self.runs[over])

    def describe(self, words: Words) -> str:
        if self.runs is None:
            return f"the automaton accepts {self.listed_cells(words)}"
        wanted = ", ".join(map(str, self.runs)) or "none"
        return f"the runs of {words.value(self.filled)} in {self.listed_cells(words)} are {wanted}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        if self.runs is None:
            return ()
        return EdgeClue(self.cells, " ".join(map(str, self.runs)) or "0"), Shade(self.cells, words.value(self.filled))

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        if self.kept(numbers):
            return ""
        if self.runs is None:
            return f"{self.listed_cells(words)} hold {' '.join(map(words.value, numbers))}: the automaton refuses that"
        found = [str(len(list(run))) for number, run in groupby(numbers) if number == self.filled]
        return f"{self.describe(words)}, not {', '.join(found) or 'none'}"
