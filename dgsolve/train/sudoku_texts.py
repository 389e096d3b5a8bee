"""Sudokus as text, for language models: the prompt in words, the puzzle and its solution as lines of digits."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dgsolve.train.text_pairs import TextPair

PROMPT = "Solve this Sudoku:\n{puzzle}"
BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
HELD_OUT = {4: 4, 6: 10, 9: 10}  # of so many solution grids, one is never trained on
CHUNK = 500
BLANKS = (0.4, 1.0)  # the range of the share of blank cells; no more can be blank than leave one solution


def held_out(solutions: np.ndarray, size: int) -> np.ndarray:
    """Bool [N]: the solution grids uint8 [N, n*n] that are kept for testing, told by a hash of all their cells."""
    mixed = np.zeros(len(solutions), np.uint64)
    for column in solutions.T.astype(np.uint64):
        mixed = (mixed ^ column) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed % np.uint64(HELD_OUT[size]) == 0


def sudoku_pairs(size: int, count: int, *, seed: int, test: bool, lines: bool = False) -> Iterator[TextPair]:
    """Puzzles with exactly one solution, whose solution grids are held out (`test`) or not; sizes 4, 6 and 9.

    lines: puzzle and solution are written row by row.
    """
    from dgsolve.train.sudoku_puzzles import thin_puzzles

    left, chunk = count, 0
    while left:
        entropy = np.random.SeedSequence((seed, size, test, chunk))
        shares = np.random.default_rng(entropy).uniform(*BLANKS, CHUNK)
        puzzles, solutions = thin_puzzles(CHUNK, *BOXES[size], shares, int(entropy.generate_state(1)[0]))
        wanted = held_out(solutions, size) == test
        for puzzle, solution in list(zip(puzzles[wanted], solutions[wanted], strict=True))[:left]:
            yield sudoku_pair(_text(puzzle, size, lines), _text(solution, size, lines), size)
            left -= 1
        chunk += 1


def sudoku_pair(puzzle: str, solution: str, size: int) -> TextPair:
    return TextPair(PROMPT.format(puzzle=puzzle), solution, puzzle, BOXES[size])


def file_name(size: int, *, test: bool, lines: bool = False) -> str:
    """What the file of a size is called: sudoku_81char.jsonl, sudoku_81char_held_out.jsonl, sudoku_9lines.jsonl."""
    kind = f"{size}lines" if lines else f"{size * size}char"
    return f"sudoku_{kind}{'_held_out' if test else ''}.jsonl"


def _text(cells: np.ndarray, size: int, lines: bool) -> str:
    text = "".join(str(value) if value else "." for value in cells.tolist())
    return "\n".join(text[start : start + size] for start in range(0, len(text), size)) if lines else text


def solved(pair: TextPair, text: str) -> bool:
    """Whether `text` solves the pair: by the rules for a Sudoku, by equality otherwise."""
    from dgsolve.problems.sudoku_rules import houses

    if pair.box is None:
        return text == pair.answer
    size = math.prod(pair.box)
    digits = {str(value) for value in range(1, size + 1)}
    kept = len(text) == len(pair.puzzle) and all(given in (".", cell) for given, cell in zip(pair.puzzle, text))  # noqa: B905
    cells = text.replace("\n", "")
    return kept and all({cells[slot] for slot in house} == digits for house in houses(*pair.box))
