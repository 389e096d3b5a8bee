"""The grids that the factor network learns from, generated once and kept in a file of one JSON object a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.problems.grid import Grid
from dgsolve.train.grid_puzzles import GridPuzzle, draw_puzzle

EASY = 0.15  # the chance that a puzzle which propagation solves alone is kept

COUNTS = {  # puzzles of each family, about as many as the shipped weights learnt from
    "futoshiki": 108,
    "adjacent": 486,
    "skyscrapers": 154,
    "kenken": 465,
    "killer": 171,
    "jigsaw": 124,
    "x_sudoku": 76,
    "takuzu": 144,
    "nonogram": 608,
    "kakuro": 278,
    "magic_square": 128,
    "n_queens": 533,
    "coloring": 247,
}


def prepare(
    path: Path,
    *,
    counts: dict[str, int] | None = None,
    seed: int = 0,
    progress: Callable[[str, int], None] = lambda family, count: None,
) -> list[GridPuzzle]:
    """`counts` puzzles of each family (by default `COUNTS`); what the file lacks is generated and written there.

    `progress` gets a family and how many puzzles of it there are.
    """
    puzzles = _read(path) if path.exists() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    have = Counter(puzzle.family for puzzle in puzzles)
    with path.open("a", encoding="utf-8") as stream:
        for family, wanted in (COUNTS if counts is None else counts).items():
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


def _read(path: Path) -> list[GridPuzzle]:
    """The puzzles of a file; a last line that was cut short leaves it, any other that is none raises UsageError."""
    whole, end, _ = path.read_text("utf-8").rpartition("\n")
    path.write_text(whole + end, "utf-8")
    return [_puzzle(line, path, number) for number, line in enumerate(whole.split("\n") if whole else [], 1)]


def _puzzle(line: str, path: Path, number: int) -> GridPuzzle:
    try:
        record = json.loads(line)
        return GridPuzzle(record["family"], Grid.from_dict(record["grid"]), tuple(record["solution"]))
    except (KeyError, TypeError, ValueError) as error:
        message = f"{path}, line {number}: this is no puzzle to learn from"
        raise UsageError(message, hint="Remove the file: its puzzles are generated again.") from error
