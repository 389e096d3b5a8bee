"""What `--json` writes: one object per result or error. Fields are added over time, never renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dgsolve.errors import OutputValidationError, PuzzleError

if TYPE_CHECKING:
    from dgsolve.problem import CellProblem
    from dgsolve.solution import Solution
    from dgsolve.verdicts import Verdict

_ERROR_FIELDS = ("file", "line", "column", "key", "pointer", "keyword", "min_tokens", "max_tokens", "text", "usage")
UNREADABLE = "UNREADABLE"  # in place of a status, where there is no puzzle to have one


def error_envelope(error: Exception, hint: str = "") -> dict[str, Any]:
    """The `--json` form of an error."""
    fields: dict[str, Any] = {"type": type(error).__name__, "message": getattr(error, "message", None) or str(error)}
    fields["hint"] = hint or getattr(error, "hint", "")
    fields |= {name: getattr(error, name) for name in _ERROR_FIELDS if hasattr(error, name)}
    if isinstance(error, OutputValidationError):
        fields["errors"] = [fault._asdict() for fault in error.errors]
        fields["attempts"] = [
            {"text": attempt.text, "errors": [fault._asdict() for fault in attempt.errors]}
            for attempt in error.attempts
        ]
    return {"error": fields}


def envelope(verdict: Verdict) -> dict[str, Any]:
    """The `--json` object of one puzzle: the result, or `{"error": ...}` for an entry that cannot be read."""
    source = {"file": verdict.entry.file, "line": verdict.entry.line}
    if isinstance(verdict.result, PuzzleError):
        return {**error_envelope(verdict.result), "status": UNREADABLE, "source": source}
    return {**_solution_fields(verdict.puzzle, verdict.result), "source": source}


def _solution_fields(puzzle: CellProblem, solution: Solution) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "status": solution.status.value,
        "answer": None if solution.answer is None else puzzle.answer_field(solution.answer),
        "solutions": solution.solutions,
        "found_by": solution.found_by,
        "faults": [{"message": fault.message, "cells": list(fault.scope)} for fault in solution.faults],
        "steps": solution.steps,
        "attempts": solution.canvases,
        "seed": solution.seed,
        "seconds": round(solution.seconds, 4),
        "timed_out": solution.timed_out,
    }
    if solution.others:
        fields["others"] = [puzzle.answer_field(answer) for answer in solution.others]
    return fields
