"""Names of cells that a file writes in two ways, which are read as one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from dgsolve.errors import PuzzleError
from dgsolve.problems.grid import Grid
from dgsolve.puzzle_files.base import Line
from dgsolve.puzzle_files.decoding import plain
from dgsolve.shortened import shown

_BETWEEN = re.compile(r"""["',\[\]{}=:\n]+""")


def refuse_two_spellings(grid: Grid, lines: Sequence[Line]) -> None:
    """Raise PuzzleError where some name has a plain sign here and another in its place there: two cells may be meant.

    lines: all those that the grid was read from.
    """
    if grid.cells.rows or all(line.typed is None for line in lines):
        return
    spelled: dict[str, set[str]] = defaultdict(set)
    for part in _BETWEEN.split("\n".join(line.text if line.typed is None else line.typed for line in lines)):
        for written in (part.strip(" "), *part.split(" ")):
            spelled[plain(written)].add(written)
    for name in grid.names:
        if len(spelled[name]) > 1:
            ways = sorted(spelled[name] - {name})
            at = next((line.number for line in lines if line.typed and ways[0] in line.typed), None)
            hint = "Write each name in one way: dashes, full-width and other such signs are read as plain ones."
            both = " and ".join(map(shown, sorted(spelled[name])[:3]))
            raise PuzzleError(f"{both} are read as one name", line=at, hint=hint)
