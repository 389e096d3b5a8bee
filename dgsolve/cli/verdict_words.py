"""What a person is told about a verdict, and about many."""

from __future__ import annotations

from collections import Counter

from dgsolve.cli.exits import Exit
from dgsolve.plural import counted
from dgsolve.puzzle_files import PuzzleEntry
from dgsolve.solution import Solution, Status

_GROUPS = (
    (Exit.REFUSED, "unreadable or with repeated givens"),
    (Exit.IMPOSSIBLE, "proven to have no solution"),
    (Exit.NO_ANSWER, "without an answer"),
    (Exit.OUT_OF_TIME, "stopped by the time limit"),
)


def place(entry: PuzzleEntry) -> str:
    """Where the puzzle stands, as errors name it; a puzzle typed as an argument stands for itself."""
    if entry.file is None:
        return f"puzzle {entry.puzzle}"
    file = "standard input" if entry.file == "-" else entry.file
    return f"{file}, line {entry.line}" if entry.line else file


def sentences(solution: Solution) -> list[str]:
    """The verdict on one puzzle, a sentence each."""
    lines = [f"{line.removesuffix('.')}." for line in solution.explain().split("\n")]
    if solution.found_by == "exact":
        steps, canvases = counted(solution.steps, "step"), counted(solution.canvases, "canvas", "canvases")
        lines.insert(1, f"Diffusion did not settle in {steps} on {canvases}, seed {solution.seed}.")
    if solution.status is Status.FEASIBLE:
        lines.append(f"Took {solution.seconds:.2f} s.")
    return lines


def next_step(solution: Solution) -> str:
    """What to try where there is no answer."""
    if solution.status is not Status.UNKNOWN:
        return ""
    if solution.timed_out:
        return "Give it more time with --time-limit."
    return "Try more --steps, more --attempts or another --seed, or leave out --no-fallback."


def summary(codes: Counter[Exit], found_by: Counter[str], seconds: float, seed: int) -> str:
    """One sentence for many puzzles."""
    total = sum(number for code, number in codes.items() if code is not Exit.INTERRUPTED)
    parts = [f"{found_by['diffusion']} solved by diffusion", f"{found_by['exact']} by exact search"]
    parts += [f"{codes[code]} {words}" for code, words in _GROUPS if codes[code]]
    rate = f", {total / seconds:.1f} a second" if seconds > 0 else ""
    return f"{total} puzzles in {seconds:.1f} s{rate}: {', '.join(parts)}; seed {seed}."
