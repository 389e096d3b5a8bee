"""What a person is told about a verdict, and about many."""

from __future__ import annotations

from collections import Counter

from dgsolve.cli.completion import USUAL_LIMIT, Completion
from dgsolve.errors import PuzzleError
from dgsolve.plural import counted
from dgsolve.problems.sudoku import Sudoku
from dgsolve.solution import Solution, Status
from dgsolve.verdicts import Entry, Verdict

_UNREAD = "Diffusion was not tried: the denoiser cannot read these rules, or so many cells and values"
_FEWEST_GIVENS, _OF_CELLS = 17, 81  # no 9x9 puzzle with fewer has one answer; the known minima of other sizes agree

_OUTCOMES = {  # in the order of the summary
    "diffusion": "solved by diffusion",
    "exact": "by exact search",
    "unreadable": "unreadable",
    "repeated": "with repeated givens",
    "impossible": "proven to have no solution",
    "unsolved": "without an answer",
    "timed out": "stopped by the time limit",
}


def place(entry: Entry) -> str:
    """Where the puzzle stands, as errors name it; "" for a puzzle that is typed alone."""
    file, line = _file_and_line(entry, entry.line)
    return f"{file}, line {line}" if file and line else file or ""


def error_text(entry: Entry, error: PuzzleError) -> str:
    """The error and its place, as `place` names it."""
    file, line = _file_and_line(entry, error.line)
    return str(PuzzleError(error.message, file=file, line=line, column=error.column, key=error.key))


def _file_and_line(entry: Entry, line: int | None) -> tuple[str | None, int | None]:
    if entry.file is not None:
        return "standard input" if entry.file == "-" else entry.file, line
    return f"argument {entry.argument}" if entry.argument else None, None if line == 1 else line


def sentences(solution: Solution) -> list[str]:
    """The verdict on one puzzle, a sentence each."""
    lines = [f"{line.removesuffix('.')}." for line in solution.explain().split("\n")]
    if solution.found_by == "exact":
        steps, canvases = counted(solution.steps, "step"), counted(solution.canvases, "canvas", "canvases")
        tried = f"Diffusion did not settle in {steps} on {canvases}, seed {solution.seed}."
        lines.insert(1, tried if solution.canvases else f"{_UNREAD}.")
    if (solution.found_by == "exact" or solution.status is Status.UNKNOWN) and _has_few_givens(solution):
        lines.append("The puzzle has few givens and many answers; diffusion is weak there.")
    if solution.status is Status.FEASIBLE:
        lines.append(f"Took {solution.seconds:.2f} s.")
    return lines


def _has_few_givens(solution: Solution) -> bool:
    puzzle = solution.problem
    if not isinstance(puzzle, Sudoku) or puzzle.pencilmarks is not None:
        return False
    return _OF_CELLS * sum(value > 0 for value in puzzle.givens) < _FEWEST_GIVENS * len(puzzle.givens)


def next_step(solution: Solution, completion: Completion) -> str:
    """What ran out where there is no answer, and what to try."""
    if solution.status is not Status.UNKNOWN or solution.interrupted:
        return ""
    if solution.timed_out and completion.time_limit is None:
        return f"Exact search ran out of its {USUAL_LIMIT:g} seconds. Give it more with --time-limit."
    if solution.timed_out:
        return f"The {completion.time_limit:g} s of --time-limit ran out. Give it more."
    if not solution.canvases:
        return f"{_UNREAD}. Leave out --no-fallback."
    used = f"The steps ran out after {solution.steps}."
    return f"{used} Try more --steps, more --attempts or another --seed, or leave out --no-fallback."


def shown_solutions(solution: Solution, most: int) -> str:
    """How many solutions were printed of the `most` that --all asked for."""
    printed = 1 + len(solution.others)
    more = f", as many as --all {most} asks for; there may be more" if printed == most else ""
    return f"{counted(printed, 'solution')} printed{more}."


def outcome(verdict: Verdict) -> str:
    """The group that the summary counts the verdict in."""
    result = verdict.result
    if isinstance(result, PuzzleError):
        return "unreadable"
    if result.status is Status.FEASIBLE:
        return result.found_by or "diffusion"
    if result.status is Status.UNKNOWN:
        return "timed out" if result.timed_out else "unsolved"
    return "impossible" if result.status is Status.INFEASIBLE else "repeated"


def summary(outcomes: Counter[str], seconds: float, seed: int) -> str:
    """One sentence for many puzzles."""
    total = outcomes.total()
    told = [name for name in _OUTCOMES if outcomes[name] or name in ("diffusion", "exact")]
    rate = f", {total / seconds:.1f} a second" if seconds > 0 else ""
    parts = ", ".join(f"{outcomes[name]} {_OUTCOMES[name]}" for name in told)
    return f"{total} puzzles in {seconds:.1f} s{rate}: {parts}; seed {seed}."
