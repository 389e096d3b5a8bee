"""dgsolve solves problems that have rules by diffusion; public names load on first use, so importing costs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dgsolve.errors import DgsolveError, ModelUnavailableError, PuzzleError, UsageError
    from dgsolve.loop import load, solve, solve_many, steps
    from dgsolve.problem import Fault, Problem, Report
    from dgsolve.problems.sudoku import Sudoku
    from dgsolve.puzzle_files import read_puzzles
    from dgsolve.sampling.settings import Sampling
    from dgsolve.solution import Frame, Solution, Status

__version__ = "0.1.0"

_HOMES = {
    "DgsolveError": "errors",
    "Fault": "problem",
    "Frame": "solution",
    "ModelUnavailableError": "errors",
    "Problem": "problem",
    "PuzzleError": "errors",
    "Report": "problem",
    "Sampling": "sampling.settings",
    "Solution": "solution",
    "Status": "solution",
    "Sudoku": "problems.sudoku",
    "UsageError": "errors",
    "load": "loop",
    "read_puzzles": "puzzle_files",
    "solve": "loop",
    "solve_many": "loop",
    "steps": "loop",
}

__all__ = [
    "DgsolveError",
    "Fault",
    "Frame",
    "ModelUnavailableError",
    "Problem",
    "PuzzleError",
    "Report",
    "Sampling",
    "Solution",
    "Status",
    "Sudoku",
    "UsageError",
    "load",
    "read_puzzles",
    "solve",
    "solve_many",
    "steps",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dgsolve' has no attribute {name!r}")
    value = getattr(import_module(f"dgsolve.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
