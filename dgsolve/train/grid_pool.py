"""The grids that the factor network learns from, generated once and kept in a file of one JSON object a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.problems.grid import Grid
from dgsolve.train.grid_puzzles import GridPuzzle, draw_puzzle

EASY = 0.15  # the chance that a puzzle which propagation solves alone is kept

COUNTS = {  # puzzles of each family; the families that exactly-one groups say whole are not among them
    "futoshiki": 500,
    "adjacent": 400,
    "skyscrapers": 800,
    "kenken": 800,
    "killer": 600,
    "takuzu": 600,
    "nonogram": 800,
    "kakuro": 600,
    "magic_square": 400,
    "n_queens": 500,
    "coloring": 400,
}


def prepare(
    path: Path,
    *,
    counts: dict[str, int] = COUNTS,
    seed: int = 0,
    progress: Callable[[str, int], None] = lambda family, count: None,
) -> list[GridPuzzle]:
    """`counts` puzzles of each family, those in the file first; what is missing is generated and written there.

    `progress` gets a family and how many puzzles of it there are.
    """
    puzzles = list(_read(path)) if path.exists() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    have = Counter(puzzle.family for puzzle in puzzles)
    with path.open("a", encoding="utf-8") as stream:
        for family, wanted in counts.items():
            rng = Random(f"{seed} {family} {have[family]}")
            while have[family] < wanted:
                puzzle = draw_puzzle(family, rng)
                if puzzle is not None and (not puzzle.propagated or rng.random() < EASY):
                    puzzles.append(puzzle)
                    stream.write(json.dumps(_record(puzzle)) + "\n")
                    have[family] += 1
                progress(family, have[family])
    return puzzles


def _record(puzzle: GridPuzzle) -> dict[str, Any]:
    return {"family": puzzle.family, "grid": puzzle.grid.to_dict(), "solution": puzzle.solution}


def _read(path: Path) -> Iterator[GridPuzzle]:
    """The puzzles of a file; a last line that was cut short is left out, any other raises UsageError."""
    lines = path.read_text("utf-8").split("\n")
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = json.loads(line)
            yield GridPuzzle(record["family"], Grid.from_dict(record["grid"]), tuple(record["solution"]))
        except (KeyError, TypeError, ValueError) as error:
            message = f"{path}, line {number}: this is no puzzle to learn from"
            raise UsageError(message, hint="Remove the file: its puzzles are generated again.") from error


def split(puzzles: Sequence[GridPuzzle], held_out: int) -> tuple[list[GridPuzzle], list[GridPuzzle]]:
    """Those to learn from, and the last `held_out` of each family."""
    left = Counter(puzzle.family for puzzle in puzzles)
    learn, test = [], []
    for puzzle in puzzles:
        left[puzzle.family] -= 1
        (test if left[puzzle.family] < held_out else learn).append(puzzle)
    return learn, test
