"""Kinds of puzzle that a test of files needs."""

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import GridEntry
from dgsolve.grid_kinds import grid_kinds
from dgsolve.problems.grid import Grid


def needs(*kinds: str) -> pytest.MarkDecorator:
    missing = [kind for kind in kinds if kind not in grid_kinds()]
    return pytest.mark.skipif(bool(missing), reason=f"there is no kind {', '.join(missing)} yet")


def read_or_kind_missing(entry: GridEntry) -> bool:
    """Whether the entry is a grid; one whose kind does not exist yet counts too."""
    return isinstance(entry.puzzle, Grid) or (
        isinstance(entry.puzzle, PuzzleError) and entry.puzzle.message.startswith("there is no kind called")
    )
