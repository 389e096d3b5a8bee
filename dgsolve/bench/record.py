"""What is kept of one puzzle: enough to check the answer again and to make every figure."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from dgsolve.errors import PuzzleError
from dgsolve.problem import CellProblem, Problem
from dgsolve.solution import Solution

if TYPE_CHECKING:
    from dgsolve.verdicts import Entry


@dataclass(frozen=True)
class Record:
    """One line of results.jsonl.

    set, row: which set and which row of its table. valid: the answer passed `Problem.check`. exact: it is the file's
    own solution, None where the file gives none. seconds: from the puzzle's first step to its last, while others share
    the batch. wall: seconds of the whole run since the puzzle before, so that their sum is the time of all.
    """

    set: str
    row: str
    file: str | None
    line: int | None
    name: str | None
    puzzle: str
    answer: str | None
    status: str
    valid: bool
    exact: bool | None
    first_step_valid: bool
    steps: int
    canvases: int
    restarts: int
    timed_out: bool
    seconds: float
    wall: float

    @classmethod
    def of(cls, where: tuple[str, str], entry: Entry, solution: Solution, wall: float) -> Record:
        """Judge a solution of the entry's puzzle; `where` is its set and row."""
        problem: Problem = solution.problem
        valid = solution.answer is not None and problem.check(solution.answer).valid
        exact = None if entry.solution is None else valid and tuple(solution.answer) == entry.solution
        return cls(
            *where,
            file=entry.file,
            line=entry.line,
            name=entry.name,
            puzzle=_written(entry, None),
            answer=_written(entry, solution.answer) if valid else None,
            status=solution.status.value,
            valid=valid,
            exact=exact,
            first_step_valid=valid and solution.first_step_valid,
            steps=solution.steps,
            canvases=solution.canvases,
            restarts=solution.restarts,
            timed_out=solution.timed_out,
            seconds=round(solution.seconds, 6),
            wall=round(wall, 6),
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Record:
        """Back from `to_json`; raises KeyError where a field is missing."""
        return cls(**{field.name: values[field.name] for field in fields(cls)})


def unreadable(entry: Entry) -> dict[str, Any]:
    """What is kept of a puzzle that could not be read: which one, and why."""
    assert isinstance(entry.puzzle, PuzzleError)
    return {"name": entry.name, "line": entry.line, "reason": entry.puzzle.message.splitlines()[0]}


def _written(entry: Entry, answer: tuple[Any, ...] | None) -> str:
    assert isinstance(entry.puzzle, CellProblem)
    return entry.puzzle.line(answer)
