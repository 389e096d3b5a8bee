"""A puzzle as one SVG picture that stays as it is, its answer beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dgsolve.drawing.looks import GIVEN, SETTLED
from dgsolve.errors import UsageError
from dgsolve.problem import CellProblem
from dgsolve.ui.svg_document import document
from dgsolve.ui.svg_picture import svg_picture

BETWEEN = 32  # pixels between the puzzle and its answer
WIDEST = 900  # pixels that both may take side by side; else the answer stands below


def still_svg(puzzle: CellProblem, answer: Any = None) -> str:
    """The picture as text; of an answer that is None, the puzzle alone."""
    layout = puzzle.grid()
    groups: list[str] = []
    width = height = 0
    for shown in (None,) if answer is None else (None, answer):
        symbols = enumerate(puzzle.symbols_of(shown))
        grid = svg_picture(layout, [(symbol, GIVEN if slot in layout.givens else SETTLED) for slot, symbol in symbols])
        x, y = (0, 0) if not groups else (width + BETWEEN, 0) if is_beside(grid.width) else (0, height + BETWEEN)
        groups.append("\n".join([f'<g transform="translate({x} {y})">', *grid.elements(), "</g>"]))
        width, height = max(width, x + grid.width), max(height, y + grid.height)
    return document(width, height, puzzle.describe(), groups)


def is_beside(width: int) -> bool:
    """Whether two grids of this width stand side by side."""
    return 2 * width + BETWEEN <= WIDEST


def save_still(path: Path, puzzle: CellProblem, answer: Any = None) -> None:
    """Write the picture to a file; raises UsageError where it cannot."""
    try:
        path.write_text(still_svg(puzzle, answer), encoding="utf-8")
    except OSError as error:
        message = f"cannot write {path}: {error.strerror}"
        raise UsageError(message, hint="Name a file in a folder that exists.") from error
