"""Exit codes, and which one stands for many puzzles."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from dgsolve.errors import (
    BudgetError,
    DgsolveError,
    IncompleteOutputError,
    ModelUnavailableError,
    PuzzleError,
    SchemaError,
    UnsatisfiableSchemaError,
    UsageError,
)
from dgsolve.solution import Solution, Status


class Exit(IntEnum):
    """What the process reports."""

    SOLVED = 0
    NO_ANSWER = 1
    REFUSED = 2
    IMPOSSIBLE = 3
    UNAVAILABLE = 4
    OUT_OF_TIME = 5
    INTERRUPTED = 130


WORST_FIRST = (
    Exit.INTERRUPTED,
    Exit.UNAVAILABLE,
    Exit.REFUSED,
    Exit.OUT_OF_TIME,
    Exit.NO_ANSWER,
    Exit.IMPOSSIBLE,
    Exit.SOLVED,
)

EXIT_CODES = (
    "Exit codes: 0 every puzzle solved, 1 ran but found no valid answer, 2 wrong usage, or a puzzle that cannot be "
    "read or repeats a given, 3 proven that no answer exists, 4 denoiser or device unavailable, 5 time limit, "
    "130 Ctrl-C. "
    "Several puzzles: the first of 130, 4, 2, 5, 1, 3 that happened."
)


def worst(codes: Iterable[Exit]) -> Exit:
    """The code for many results: what most needs a person's attention (`WORST_FIRST`)."""
    return min(codes, key=WORST_FIRST.index, default=Exit.SOLVED)


def of_solution(solution: Solution) -> Exit:
    """The code for one puzzle."""
    if solution.status is Status.UNKNOWN:
        return Exit.OUT_OF_TIME if solution.timed_out else Exit.NO_ANSWER
    return {
        Status.FEASIBLE: Exit.SOLVED,
        Status.INFEASIBLE: Exit.IMPOSSIBLE,
        Status.MODEL_INVALID: Exit.REFUSED,
    }[solution.status]


def of_error(error: DgsolveError) -> Exit:
    """The code for an error that ended the command."""
    if isinstance(error, UnsatisfiableSchemaError):
        return Exit.IMPOSSIBLE
    if isinstance(error, PuzzleError | UsageError | SchemaError | BudgetError):
        return Exit.REFUSED
    if isinstance(error, ModelUnavailableError):
        return Exit.UNAVAILABLE
    if isinstance(error, IncompleteOutputError) and error.timed_out:
        return Exit.OUT_OF_TIME
    return Exit.NO_ANSWER
