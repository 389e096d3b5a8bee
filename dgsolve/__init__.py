"""dgsolve solves problems that have rules by diffusion; public names load on first use, so importing costs nothing."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing typing takes most of the time until `dgsolve.cli.main` can see to Ctrl-C
if TYPE_CHECKING:
    from typing import Any

    from dgsolve.checking import check
    from dgsolve.errors import (
        BudgetError,
        DgsolveError,
        FillError,
        IncompleteOutputError,
        ModelUnavailableError,
        OutputValidationError,
        PuzzleError,
        SchemaError,
        UnsatisfiableSchemaError,
        UnsupportedSchemaError,
        UsageError,
    )
    from dgsolve.forms.compiling import compile
    from dgsolve.loading import from_transformers, load
    from dgsolve.loop import solve, solve_many, steps
    from dgsolve.model import Generator, Model
    from dgsolve.output_types import Choice, Regex
    from dgsolve.problem import Fault, Problem, Report
    from dgsolve.problems.grid import Grid
    from dgsolve.problems.sudoku import Sudoku
    from dgsolve.puzzle_files import read_puzzles
    from dgsolve.result import Event, Result
    from dgsolve.sampling.settings import Sampling
    from dgsolve.solution import Frame, Solution, Status

__version__ = "0.1.0"

_HOMES = {
    "BudgetError": "errors",
    "Choice": "output_types",
    "DgsolveError": "errors",
    "Event": "result",
    "Fault": "problem",
    "FillError": "errors",
    "Frame": "solution",
    "Generator": "model",
    "Grid": "problems.grid",
    "IncompleteOutputError": "errors",
    "Model": "model",
    "ModelUnavailableError": "errors",
    "OutputValidationError": "errors",
    "Problem": "problem",
    "PuzzleError": "errors",
    "Regex": "output_types",
    "Report": "problem",
    "Result": "result",
    "Sampling": "sampling.settings",
    "SchemaError": "errors",
    "Solution": "solution",
    "Status": "solution",
    "Sudoku": "problems.sudoku",
    "UnsatisfiableSchemaError": "errors",
    "UnsupportedSchemaError": "errors",
    "UsageError": "errors",
    "check": "checking",
    "compile": "forms.compiling",
    "from_transformers": "loading",
    "load": "loading",
    "read_puzzles": "puzzle_files",
    "solve": "loop",
    "solve_many": "loop",
    "steps": "loop",
}

__all__ = [
    "BudgetError",
    "Choice",
    "DgsolveError",
    "Event",
    "Fault",
    "FillError",
    "Frame",
    "Generator",
    "Grid",
    "IncompleteOutputError",
    "Model",
    "ModelUnavailableError",
    "OutputValidationError",
    "Problem",
    "PuzzleError",
    "Regex",
    "Report",
    "Result",
    "Sampling",
    "SchemaError",
    "Solution",
    "Status",
    "Sudoku",
    "UnsatisfiableSchemaError",
    "UnsupportedSchemaError",
    "UsageError",
    "check",
    "compile",
    "from_transformers",
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
