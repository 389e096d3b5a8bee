"""Puzzles in one coded line: Simon Tatham's game ids and the library lines of HoDoKu and Susser."""

from __future__ import annotations

import re

from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import digits_first, usual_box
from dgsolve.puzzle_files.base import Cell, Context, Line, LineFormat, PuzzleEntry
from dgsolve.puzzle_files.cells import puzzle_of_cells
from dgsolve.puzzle_files.refusals import refusal

_ID = re.compile(r"\s*([0-9]{1,2})(?:x([0-9]{1,2}))?((?:[a-z][0-9]*)*)([:#])(\S*)\s*")
_PIECE = re.compile(r"([a-z])|_|([0-9]{1,3})(?![0-9])")


class TathamId(LineFormat):
    """`3x4:a4_11c3...`: boxes 3 high and 4 wide; a letter is a run of open cells, `_` parts two numbers.

    Source: Simon Tatham's Portable Puzzle Collection, Solo. Ids of other rules (x, j, k, blocks, cages) are refused.
    """

    def entry(self, line: Line, context: Context) -> PuzzleEntry | None:
        found = _ID.fullmatch(line.text)
        if found is None:
            return None
        self._refuse(found, line, context)
        box = (int(found[1]), int(found[2] or found[1]))
        size = box[0] * box[1]
        if min(box) < 2 or size > 25 or size not in context.sizes or (context.box and context.box != box):
            wanted = (
                f", not {context.box[0]}x{context.box[1]} as asked for" if context.box and context.box != box else ""
            )
            raise context.error(
                f"this id has boxes of {box[0]}x{box[1]}{wanted}", line.number, hint="Grids are 4x4 to 25x25."
            )
        givens = self._givens(found, size, line, context)
        symbols = context.symbols or digits_first(size)
        return PuzzleEntry(
            Sudoku(givens, *box, symbols, source=context.source(line.number)),
            file=context.file,
            line=line.number or None,
        )

    def _refuse(self, found: re.Match[str], line: Line, context: Context) -> None:
        if found[4] == "#":
            raise context.error(
                "this id is a random seed, not a puzzle", line.number, hint="Copy the id with a colon instead."
            )
        for flag, kind in (("j", "jigsaw"), ("k", "killer"), ("x", "Sudoku X (diagonals)")):
            if flag in re.sub(r"d[a-z]", "", found[3]):
                raise refusal(kind, line.number, context)
        if "," in found[5]:
            raise refusal("jigsaw, killer or another game's", line.number, context)

    def _givens(self, found: re.Match[str], size: int, line: Line, context: Context) -> tuple[int, ...]:
        givens: list[int] = []
        at, text = found.start(5), line.text
        while at < found.end(5) and len(givens) <= size * size:
            piece = _PIECE.match(text, at)
            value = int(piece[2]) if piece and piece[2] else 0
            if piece is None or value > size or (piece[2] and not value):
                raise context.error(
                    f"{text[at : at + 3]!r} is not a value from 1 to {size} or a run of open cells", line.number, at + 1
                )
            givens += [value] if value else [0] * (ord(piece[1]) - ord("a") + 1) if piece[1] else []
            at = piece.end()
        if len(givens) != size * size:
            count = f"more than {size * size}" if len(givens) > size * size else len(givens)
            raise context.error(f"this id has {count} cells, expected {size * size}", line.number)
        return tuple(givens)


class LibraryLine(LineFormat):
    """`:0000:x:....+8..:111 211:...`: the grid (`+` marks a placed value), then removed candidates."""

    def entry(self, line: Line, context: Context) -> PuzzleEntry | None:
        if not line.text.startswith(":") or line.text.count(":") < 3:
            return None
        fields = line.text.split(":")
        start = sum(len(field) + 1 for field in fields[:3]) + 1
        cells = [Cell(char, line.number, start + place) for place, char in enumerate(fields[3]) if char not in "+ "]
        if len(cells) != 81:
            raise context.error(f"the grid has {len(cells)} cells, expected 81", line.number, start)
        puzzle = puzzle_of_cells(cells, 9, context)
        removed = fields[4].split() if len(fields) > 4 else []
        marks = self._marks(puzzle, removed, line, context) if removed else None
        puzzle = Sudoku(puzzle.givens, *usual_box(9), puzzle.symbols, marks, source=puzzle.source)
        return PuzzleEntry(
            puzzle, file=context.file, line=line.number or None, name=":".join(fields[1:3]).strip(":") or None
        )

    def _marks(self, puzzle: Sudoku, removed: list[str], line: Line, context: Context) -> tuple[frozenset[int], ...]:
        marks = [{given} if given else set(range(1, 10)) for given in puzzle.givens]
        for triple in removed:
            if not re.fullmatch(r"[1-9]{3}", triple):
                raise context.error(f"{triple[:12]!r} is not a removed candidate (value, row, column)", line.number)
            value, row, column = map(int, triple)
            if not puzzle.givens[slot := (row - 1) * 9 + column - 1]:
                marks[slot].discard(value)
        return tuple(map(frozenset, marks))
