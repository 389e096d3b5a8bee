"""What a trace keeps of a problem: enough to draw its frames, not to solve it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from dgsolve.errors import UsageError
from dgsolve.problem import GridLayout, Problem, Report, Vocabulary

if TYPE_CHECKING:
    from dgsolve.canvas import Canvas


@dataclass(frozen=True)
class RecordedProblem(Problem):
    """Stands in for the problem of a saved trace.

    kind: the problem's registered name. title: what it says of itself. text: the puzzle as written. layout: how to draw
    it, if it is a grid. drafts: for other problems, what the values of each frame spelled, a text slot by slot.
    certain: which slots of those were forced.
    """

    name: ClassVar[str] = "recorded"

    kind: str
    title: str
    text: str
    layout: GridLayout | None = None
    certain: dict[tuple[int, ...], tuple[bool, ...]] = field(default_factory=dict, compare=False, repr=False)
    drafts: dict[tuple[int, ...], str | tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, problem: Problem) -> RecordedProblem:
        """What a trace keeps of `problem`; a recorded one stays as it is."""
        if isinstance(problem, RecordedProblem):
            return problem
        return cls(problem.name, problem.describe(), str(problem), problem.grid())

    def grid(self) -> GridLayout | None:
        return self.layout

    def describe(self) -> str:
        return self.title

    def decode(self, values: Sequence[int]) -> str:
        """The symbols of a grid, one after the other; else the recorded draft."""
        if self.layout is None:
            return "".join(self.drafts.get(tuple(values), ""))
        return "".join(self.layout.symbols[value] for value in values)

    def pieces(self, values: Sequence[int]) -> Sequence[str] | None:
        draft = self.drafts.get(tuple(values))
        return draft if isinstance(draft, tuple) else None

    def forced(self, values: Sequence[int]) -> Sequence[bool]:
        return self.certain.get(tuple(values), ())

    def canvas(self, vocabulary: Vocabulary, *, propagate: bool = True) -> Canvas:
        self._refuse("solved")

    def check(self, answer: Any) -> Report:
        self._refuse("checked")

    def _refuse(self, deed: str) -> NoReturn:
        raise UsageError(f"the {self.kind} of a trace cannot be {deed}", hint=f"Read the puzzle itself: {self.text!r}.")
