"""Writes generated puzzles to measure on, none of which a training pool holds.

generate_puzzles.py benchmarks/generated.csv --pool runs/relational/puzzles

Hard ones are the hardest that a search from one random minimal puzzle meets, each from its own start. The seeds are far
from those of `dgsolve train relational`; `--pool` proves it for a pool that exists, up to the values' names.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from dgsolve.train.sudoku_puzzles import hardening_stages, minimal_puzzles, read_pool

SEED = 10**6
ROUNDS = 300


def renamed(puzzle: np.ndarray) -> bytes:
    """The puzzle with its values named in order of appearance, so that equal puzzles are equal."""
    order = {value: name for name, value in enumerate(dict.fromkeys(puzzle[puzzle > 0].tolist()), 1)}
    return bytes(order.get(value, 0) for value in puzzle.tolist())


def row(kind: str, puzzle: np.ndarray, solution: np.ndarray) -> tuple[str, str, str]:
    return kind, "".join(map(str, puzzle)).replace("0", "."), "".join(map(str, solution))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=50, help="puzzles of each kind")
    parser.add_argument("--pool", type=Path, help="the folder of puzzles that a training run left")
    args = parser.parse_args()
    seen = {renamed(puzzle) for puzzle in read_pool(args.pool / "3x3.npz").puzzles} if args.pool else set()
    rows, minimal, number = [], list(zip(*minimal_puzzles(args.count, 3, 3, SEED), strict=True)), 0
    while len(rows) < args.count:
        number += 1
        start, _ = minimal_puzzles(1, 3, 3, SEED + number)
        puzzles, solutions, guesses = hardening_stages(start, ROUNDS, 10.0, SEED + number)
        if len(puzzles):
            rows.append(row("generated_hard", puzzles[guesses.argmax()], solutions[guesses.argmax()]))
            print(f"{len(rows)} hard, {guesses.max():.0f} guesses", flush=True)
    rows += [row("generated_minimal", *pair) for pair in minimal]
    known = sum(
        renamed(np.array([int(cell) for cell in question.replace(".", "0")])) in seen for _, question, _ in rows
    )
    if known:
        raise SystemExit(f"{known} of these are in the training pool; change SEED")
    with args.out.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("source", "question", "answer"), *rows])


if __name__ == "__main__":
    main()
