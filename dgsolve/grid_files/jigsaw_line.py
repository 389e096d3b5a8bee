"""Jigsaw Sudokus on one line: the cells, then the letter of each one's region; or a layout of regions alone."""

from __future__ import annotations

from math import isqrt

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, LineForm, Written
from dgsolve.grid_files.letters import letter_lines
from dgsolve.grid_files.tatham.pieces import OPEN
from dgsolve.puzzle_files.base import Cell, Context
from dgsolve.puzzle_files.cells import alphabet, values_of_cells
from dgsolve.puzzle_files.refusals import is_region_map

_SIZES = range(4, 26)


class JigsawLine(LineForm):
    """162 characters for 9x9; 81 where every region has 9 cells and some row holds a region twice."""

    def claims(self, text: str) -> bool:
        text = text.strip()
        if any(sign.isspace() or sign in ",:;|" for sign in text):
            return False
        size = isqrt(len(text) // 2)
        if len(text) == 2 * size * size and size in _SIZES:
            regions = text[size * size :]
            return OPEN not in regions and len(set(regions)) <= size + 1
        return _is_layout(text)

    def read(self, text: str, context: GridContext) -> Written:
        before, text = len(text) - len(text.lstrip()), text.strip()
        if _is_layout(text):
            size = isqrt(len(text))
            return Written({"kind": "sudoku", "size": size, "regions": letter_lines(text, size)})
        size = isqrt(len(text) // 2)
        count = size * size
        regions = text[count:]
        for region in dict.fromkeys(regions):
            if (found := regions.count(region)) != size:
                at = before + count + regions.index(region) + 1
                raise PuzzleError(
                    f"the region {region} has {found} cells, expected {size}",
                    column=at,
                    hint=f"A line of {2 * count} characters is {count} cells, then the region of each.",
                )
        cells = [Cell(sign, 0, before + at) for at, sign in enumerate(text[:count], 1)]
        symbols = alphabet(cells, size, Context(), False)
        values = [value or OPEN for value in values_of_cells(cells, symbols, Context())]
        givens = [values[start : start + size] for start in range(0, count, size)]
        return Written({"kind": "sudoku", "size": size, "regions": letter_lines(regions, size), "givens": givens})


def _is_layout(text: str) -> bool:
    size = isqrt(len(text))
    return len(text) == size * size and size in _SIZES and is_region_map([Cell(sign) for sign in text], size)
