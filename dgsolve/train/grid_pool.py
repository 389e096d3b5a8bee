"""The grids that the factor network learns from, generated once and kept in a file of one JSON object a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.problems.grid import Grid
from dgsolve.train.grid_puzzles import GridPuzzle, draw_puzzle

EASY = 0.15  # the chance that a puzzle which propagation solves alone is kept

COUNTS = {  # puzzles of each family, about as many as the shipped weights learnt from
    "futoshiki": 92,
    "adjacent": 430,
    "skyscrapers": 109,
    "kenken": 422,
    "killer": 154,
    "jigsaw": 116,
    "x_sudoku": 60,
    "takuzu": 111,
    "nonogram": 551,
    "kakuro": 262,
    "magic_square": 100,
    "n_queens": 456,
    "coloring": 236,
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
