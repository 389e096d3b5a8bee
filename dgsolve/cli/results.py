"""Results on stdout or in a file: a grid for a person, one line per puzzle for a program, JSON for either."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

from dgsolve.cli.envelopes import UNREADABLE, envelope
from dgsolve.cli.exits import Exit, of_error, of_solution
from dgsolve.drawing.ascii import in_ascii
from dgsolve.errors import PuzzleError
from dgsolve.solution import Solution

if TYPE_CHECKING:
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
    def as_json(self) -> bool:
        """Whether the results are for a program."""
        return self._as_json

    @property
    def at_terminal(self) -> bool:
        """Whether a person sees the results as they come."""
        return self._stream.isatty()

    def write(self, verdict: Verdict, label: str = "") -> None:
        """Write one verdict; `label` stands above the grids at a terminal."""
        if self._as_json:
            self._write_json(verdict)
        elif self.at_terminal:
            self._write_grid(verdict, label)
        else:
            self._write_line(verdict)
        self._stream.flush()

    def _write_grid(self, verdict: Verdict, label: str) -> None:
        if isinstance(verdict.result, Solution) and verdict.result.answer is not None:
            console = Console(file=self._stream, highlight=False)
            if label:
                console.print(Text(label), soft_wrap=True)
            for answer in _answers(verdict.result):
                picture = verdict.puzzle.picture(answer, width=console.width)
                if console.options.ascii_only:
                    picture.plain = in_ascii(picture.plain)
                console.print(picture, soft_wrap=True)

    def _write_line(self, verdict: Verdict) -> None:
        result = verdict.result
        if isinstance(result, PuzzleError) and result.line is None:
            return  # a file that cannot be opened is no puzzle
        if isinstance(result, Solution) and result.answer is not None:
            lines = [verdict.puzzle.line(answer) for answer in _answers(result)]
        else:  # the status keeps the lines of the output beside the puzzles of the input
            lines = [result.status.value if isinstance(result, Solution) else UNREADABLE]
        self._stream.writelines(f"{line}\n" for line in lines)

    def _write_json(self, verdict: Verdict) -> None:
        self._stream.write(json.dumps(envelope(verdict)) + "\n")


def _answers(solution: Solution) -> tuple[Any, ...]:
    return (solution.answer, *solution.others)
