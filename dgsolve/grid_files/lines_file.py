"""Files of one grid a line, in any of the forms that lines have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files.base import GridContext, GridEntry, GridFormat, LineForm, Written
from dgsolve.grid_files.entries import entry_of
from dgsolve.grid_files.game_id import GameIds
from dgsolve.grid_files.iss_text import IssText
from dgsolve.grid_files.jigsaw_line import JigsawLine
from dgsolve.grid_files.killer_lines import ArrowKillerLine, SumoCueLine
from dgsolve.grid_files.sudoku_record import written_of_sudoku
from dgsolve.puzzle_files.base import Context, Line
from dgsolve.puzzle_files.text_file import TextFile
from dgsolve.shortened import shown

FORMS: tuple[LineForm, ...] = (IssText(), SumoCueLine(), GameIds(), ArrowKillerLine(), JigsawLine())
_COMMENTS = ("#", "//")
_NAME = re.compile(r"[A-Za-z][\w# \[\]]{0,40}")  # of a puzzle that is told where it comes from


class LinesFile(GridFormat):
    """Each line by its own form; blank lines and lines that begin with # are passed over."""

    def sniff(self, first: str) -> bool:
        return any(form.claims(first) for form in FORMS)

    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        for line in lines:
            text = line.text.strip()
            if text and not text.startswith(_COMMENTS):
                yield _entry(line, context)


def _entry(line: Line, context: GridContext) -> GridEntry:
    try:
        written = written_of_text(line.text, context)
    except (PuzzleError, UsageError) as error:
        return context.failed(error, line.number, kind=kind_of_text(line.text))
    return entry_of(written, line.number, context)


def kind_of_text(text: str) -> str:
    """What kind of puzzle one line is, also where it cannot be read; "" where it does not tell."""
    form = _form_of(text)
    return form.kind(text) if form else ""


def _form_of(text: str) -> LineForm | None:
    return next((form for form in FORMS if form.claims(text)), None)


def written_of_text(text: str, context: GridContext) -> Written:
    """The grid of one line, in a form of lines or as a Sudoku; raises PuzzleError."""
    form = _form_of(text)
    if form is not None:
        return form.read(text, context)
    if _NAME.fullmatch(text.strip()):
        hint = "What is solved is the text of a puzzle; look it up where the name comes from."
        raise PuzzleError(f"{shown(text.strip(), 40)} names a puzzle, without its text", hint=hint)
    found = list(TextFile().entries(iter((Line(0, text),)), Context()))
    if len(found) != 1:
        hint = "A file of lines has one grid on each, such as a game id; a comment begins with #."
        raise PuzzleError(f"{shown(text.strip(), 40)} is no grid", hint=hint)
    if isinstance(found[0].puzzle, PuzzleError):
        raise found[0].puzzle
    return written_of_sudoku(found[0])
