"""OpenSudoku's XML: one `<game data="...">` per puzzle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku_symbols import SIZE_OF_SQUARE
from dgsolve.puzzle_files.base import Cell, Context, FileFormat, Line, PuzzleEntry
from dgsolve.puzzle_files.cells import puzzle_of_cells
from dgsolve.puzzle_files.plain_line import wrong_length

_DATA = re.compile(r"""\bdata\s*=\s*(?:"([^"]*)"|'([^']*)')""")


class OpenSudokuFile(FileFormat):
    """Read by lines, so a large file streams; nothing of XML beyond the attribute is looked at."""

    def sniff(self, first: str) -> bool:
        return re.match(r"\s*<(?:[?!]|[a-z]+[\s>/])", first, re.IGNORECASE) is not None

    def entries(self, lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
        for line in lines:
            for found in _DATA.finditer(line.text):
                try:
                    yield self._entry(found, line, context)
                except PuzzleError as error:
                    yield context.failed(error)

    def _entry(self, found: re.Match[str], line: Line, context: Context) -> PuzzleEntry:
        place = 1 if found[1] is not None else 2
        text, start = found[place], found.start(place) + 1
        if len(text) not in {size * size for size in context.sizes}:
            raise wrong_length(text, line.number, context, len(text))
        cells = [Cell(char.strip(), line.number, start + at) for at, char in enumerate(text)]
        puzzle = puzzle_of_cells(cells, SIZE_OF_SQUARE[len(cells)], context)
        return PuzzleEntry(puzzle, file=context.file, line=line.number)
