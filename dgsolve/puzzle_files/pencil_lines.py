"""729 characters: nine per cell, the candidates that each cell may hold."""

from __future__ import annotations

import re

from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import digits_first, usual_box
from dgsolve.puzzle_files.base import Context, Line, LineFormat, PuzzleEntry


class PencilLine(LineFormat):
    """The d-th of a cell's nine characters is d where the cell may hold d, else a blank; one candidate is a given."""

    def entry(self, line: Line, context: Context) -> PuzzleEntry | None:
        if 9 not in context.sizes or not re.fullmatch(r"\s*[0-9.]{729}\s*", line.text):
            return None
        start = len(line.text) - len(line.text.lstrip())
        text = line.text.strip()
        marks = []
        for at in range(0, 729, 9):
            for place, char in enumerate(text[at : at + 9], 1):
                if char not in ("0", ".", str(place)):
                    message = f"{char!r} stands where only {place} or a blank may stand"
                    raise context.error(
                        message, line.number, start + at + place, hint="Each cell has nine characters: 1 to 9 in order."
                    )
            marks.append(frozenset(int(char) for char in text[at : at + 9] if char not in "0."))
        givens = tuple(next(iter(held)) if len(held) == 1 else 0 for held in marks)
        puzzle = Sudoku(givens, *usual_box(9), digits_first(9), tuple(marks), source=context.source(line.number))
        return PuzzleEntry(puzzle, file=context.file, line=line.number or None)
