"""From what a format read to an entry: the grid, and its answer in the grid's own values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files.base import GridContext, GridEntry, Written
from dgsolve.grid_files.kind_names import kind_of_record
from dgsolve.grid_files.record import grid_of_record
from dgsolve.problems.grid import Grid


def entry_of(written: Written, line: int, context: GridContext) -> GridEntry:
    """The entry; one with the error where the tables make no grid. Their keys are not the file's, so none is named."""
    kind = written.kind or kind_of_record(written.record)
    try:
        grid = grid_of_record(written.record, allow_python=context.allow_python)
        solution = None if written.solution is None else _answer(grid, written.solution)
    except (PuzzleError, UsageError) as error:
        if isinstance(error, PuzzleError):
            error.key = None
        return context.failed(error, line, kind=kind, name=written.name)
    return GridEntry(grid, solution, file=context.file, line=line or None, name=written.name, kind=kind)


def _answer(grid: Grid, solution: Sequence[int]) -> tuple[Any, ...]:
    """Numbers as rules reckon them, by slot, as values of the grid; raises PuzzleError."""
    if len(solution) != len(grid.names):
        raise PuzzleError(f"the solution has {len(solution)} cells, the grid has {len(grid.names)}")
    strange = next((number for number in solution if number not in grid.values.place), None)
    if strange is not None:
        raise PuzzleError(f"the solution holds {strange}, which is no value of the grid")
    return tuple(grid.native(number) for number in solution)
