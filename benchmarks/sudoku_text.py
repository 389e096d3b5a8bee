"""Sudoku as text by a DiffusionGemma: what the model writes alone, and what locks, domains and feedback add.

    python benchmarks/sudoku_text.py MODEL --puzzles FILE [FILE ...] --count 200
    python benchmarks/sudoku_text.py MODEL --puzzles FILE --conditions posterior logits none
    python benchmarks/sudoku_text.py MODEL --puzzles FILE --before untrained
    python benchmarks/sudoku_text.py MODEL --puzzles FILE --adapter diffusion-gemma-lines --lines --before base

MODEL is a folder of a DiffusionGemma, or "diffusion-gemma" for the one that ships; FILE is what `dgsolve data sudoku`
writes, lines with "puzzle" and "box", or any puzzle file. Each answer is judged by the rules. Rows:

    alone       the model's own text, as Transformers' generate() writes it: nothing is kept, nothing is repaired
    locked      givens locked, per-slot domains; one canvas, what it settles on
    whole       all of it: faulted slots re-noised, canvases that start again, parallel canvases

The exact solver has no part in any of them. --conditions compares what self-conditioning is told in the last two rows.
--before measures the first row again, on the first puzzles, without what training made of the model, "untrained": the
same configuration with random weights, or without the adapter, "base"; and prints the ratio of their steps.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import torch
from figures import share

from dgsolve.denoisers.base import Denoiser
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.forms.text_forms import RegexForm
from dgsolve.loading import load_denoiser
from dgsolve.loop import solve_many
from dgsolve.problem import Problem, TextProblem
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.text import Text
from dgsolve.puzzle_files import read_puzzles
from dgsolve.solution import Solution

ALONE = {"locks": False, "feedback": False, "self_conditioning": "logits"}
ROWS: dict[str, dict[str, Any]] = {
    "alone": ALONE,
    "locked": {"propagate": True, "feedback": False, "attempts": 1, "suppose": False},
    "whole": {},
}


def puzzles(path: Path, count: int) -> list[Sudoku]:
    """The first `count` puzzles of a file, of whatever format."""
    if path.suffix == ".jsonl":
        rows = map(json.loads, path.read_text("utf-8").splitlines()[:count])
        return [Sudoku.parse(row["puzzle"], box="x".join(map(str, row["box"]))) for row in rows]
    return [
        entry.puzzle
        for entry, _ in zip(read_puzzles(path), range(count), strict=False)
        if isinstance(entry.puzzle, Sudoku)
    ]


def as_texts(some: Sequence[Sudoku], denoiser: Denoiser, lines: bool) -> Iterator[Text]:
    """The same questions, answered by any text; lines: asked row by row."""
    form, slots = RegexForm(r"[\s\S]*"), denoiser.canvas_slots
    if denoiser.text is None or slots is None:
        raise SystemExit(f"{denoiser.name} writes no text block by block")
    for puzzle in some:
        yield Text(form, denoiser.text, puzzle.question(lines=lines), slots, slots)


def right(puzzle: Sudoku, solution: Solution, lines: bool) -> bool:
    """Whether the slots spell an answer that keeps the puzzle's rules; lines: row by row."""
    if not isinstance(solution.problem, TextProblem):
        return solution.answer is not None and puzzle.check(solution.answer).valid
    text = solution.problem.decode(solution.values)
    if lines:
        rows = text.split("\n")
        text = "".join(rows) if all(len(row) == puzzle.size for row in rows) else ""
    fits = len(text) == len(puzzle.givens) and set(text) <= set(puzzle.symbols)
    return fits and puzzle.check(text).valid


def load_before(options: argparse.Namespace) -> Denoiser:
    """What the model was before its training, or before its adapter's."""
    base = load_denoiser(options.model, lines=options.lines)
    if options.before == "base":
        return base
    if not isinstance(base, DiffusionGemmaDenoiser):
        raise SystemExit(f"{base.name} is no DiffusionGemma")
    torch.manual_seed(options.seed)
    fresh = type(base.model)(base.model.config)
    fresh.generation_config = base.model.generation_config
    return DiffusionGemmaDenoiser(fresh, base.tokenizer, base.text, lines=options.lines)


def measure(some: list[Sudoku], denoiser: Denoiser, row: str, settings: dict[str, Any], options: Any) -> float:
    """Print a line about some puzzles, and return the mean of their steps."""
    problems: Sequence[Problem] = list(as_texts(some, denoiser, options.lines)) if row == "alone" else some
    started = time.perf_counter()
    settings = {"max_denoising_steps": options.steps, **settings}
    solutions = list(solve_many(problems, denoiser, seed=options.seed, batch_canvases=options.batch, **settings))
    seconds = time.perf_counter() - started
    solved = sum(right(puzzle, found, options.lines) for puzzle, found in zip(some, solutions, strict=True))
    first = sum(solution.first_step_valid for solution in solutions)
    steps, pace = mean(solution.steps for solution in solutions), len(some) / seconds
    said = settings.get("self_conditioning", denoiser.sampling.self_conditioning)
    print(
        f"{row:8} {share(solved, len(some)):24} steps {steps:5.1f}  {pace:6.2f} puzzles/s  "
        f"self-conditioning {said}, {first} at the first step",
        flush=True,
    )
    return steps


def compare_with_before(some: list[Sudoku], denoiser: Denoiser, options: argparse.Namespace) -> None:
    """The first row's steps, with and without the training, of the same puzzles."""
    print(f"{options.before}, and then trained, {len(some)} puzzles:")
    before, after = (measure(some, one, "alone", ALONE, options) for one in (load_before(options), denoiser))
    print(f"steps before and after: {before:.1f} and {after:.1f}, ratio {before / after:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--puzzles", nargs="+", type=Path, required=True)
    parser.add_argument("--adapter", help="a LoRA adapter on the model")
    parser.add_argument("--lines", action="store_true", help="puzzles are asked, and answered, row by row")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--conditions", nargs="+", choices=("posterior", "logits", "none"))
    parser.add_argument("--before", choices=("untrained", "base"), help="compare the steps with those of before")
    parser.add_argument("--before-count", type=int, default=40, help="on so many puzzles")
    parser.add_argument("--steps", type=int, default=48)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    denoiser = load_denoiser(options.model, adapter=options.adapter, lines=options.lines)
    for path in options.puzzles:
        some = puzzles(path, options.count)
        print(f"{path.name}: {len(some)} puzzles, {denoiser.name}, at most {options.steps} steps, seed {options.seed}")
        for row in options.rows:
            told = options.conditions if options.conditions and row != "alone" else [None]
            for condition in told:
                settings = ROWS[row] | ({"self_conditioning": condition} if condition else {})
                measure(some, denoiser, row, settings, options)
        if options.before:
            compare_with_before(some[: options.before_count], denoiser, options)


if __name__ == "__main__":
    main()
