"""Results on stdout or in a file: a grid for a person, one line per puzzle for a program, JSON for either."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console

from dgsolve.cli.exits import Exit, of_error, of_solution
from dgsolve.errors import PuzzleError
from dgsolve.problems import sudoku_writing
from dgsolve.solution import Solution, Status

if TYPE_CHECKING:
    from dgsolve.problems.sudoku import Sudoku
    from dgsolve.verdicts import Verdict


def exit_code(verdict: Verdict) -> Exit:
    """The exit code that one puzzle alone would give."""
    result = verdict.result
    return of_error(result) if isinstance(result, PuzzleError) else of_solution(result)


class Results:
    """Writes verdicts to `stream` as they come, flushing each."""

    def __init__(self, stream: TextIO, *, as_json: bool = False) -> None:
        self._stream, self._as_json = stream, as_json

    @property
    def at_terminal(self) -> bool:
        """Whether a person sees the results as they come."""
        return self._stream.isatty()

    def write(self, verdict: Verdict) -> None:
        """Write one verdict."""
        if self._as_json:
            self._write_json(verdict)
        elif self.at_terminal:
            self._write_grid(verdict)
        else:
            self._write_line(verdict)
        self._stream.flush()

    def _write_grid(self, verdict: Verdict) -> None:
        if isinstance(verdict.result, Solution) and verdict.result.answer is not None:
            console = Console(file=self._stream, highlight=False)
            for answer in _answers(verdict.result):
                console.print(sudoku_writing.picture(verdict.puzzle, answer), soft_wrap=True)

    def _write_line(self, verdict: Verdict) -> None:
        result = verdict.result
        if isinstance(result, PuzzleError) and result.line is None:
            return  # a file that cannot be opened is no puzzle
        if isinstance(result, Solution) and result.answer is not None:
            lines = [sudoku_writing.line(verdict.puzzle, answer) for answer in _answers(result)]
        else:  # the status keeps the lines of the output beside the puzzles of the input
            lines = [result.status.value if isinstance(result, Solution) else Status.MODEL_INVALID.value]
        self._stream.writelines(f"{line}\n" for line in lines)

    def _write_json(self, verdict: Verdict) -> None:
        self._stream.write(json.dumps(envelope(verdict), ensure_ascii=False) + "\n")


def _answers(solution: Solution) -> tuple[Any, ...]:
    return (solution.answer, *solution.others)


def envelope(verdict: Verdict) -> dict[str, Any]:
    """The `--json` object of one puzzle: the result, or `{"error": ...}` for an entry that cannot be read."""
    from dgsolve.cli.app import error_envelope

    source = {"file": verdict.entry.file, "line": verdict.entry.line}
    if isinstance(verdict.result, PuzzleError):
        return {**error_envelope(verdict.result), "source": source}
    return {**_solution_fields(verdict.puzzle, verdict.result), "source": source}


def _solution_fields(puzzle: Sudoku, solution: Solution) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "status": solution.status.value,
        "answer": None if solution.answer is None else answer_text(puzzle, solution.answer),
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
        fields["others"] = [answer_text(puzzle, answer) for answer in solution.others]
    return fields


def answer_text(puzzle: Sudoku, answer: Sequence[int]) -> str | list[str]:
    """All cells in one string up to 9x9, else one string a row."""
    if puzzle.size <= 9:
        return sudoku_writing.line(puzzle, answer)
    return sudoku_writing.rows(puzzle, answer).split("\n")
