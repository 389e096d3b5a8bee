"""All figures of a run as plain values: results.json, and the source of every table and plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dgsolve.bench.exact_speed import ExactSpeed
from dgsolve.bench.puzzle_sets import PuzzleSet
from dgsolve.bench.store import Store
from dgsolve.bench.tally import Tally, percent
from dgsolve.sampling.settings import Sampling


def results(store: Store, sets: Sequence[PuzzleSet], rows: Mapping[str, Sampling]) -> dict[str, Any]:
    """The whole run; `complete` says whether every puzzle of every row is in it."""
    shown = [set_results(store, one, rows) for one in sets]
    return {"settings": store.settings, "complete": all(one["complete"] for one in shown), "sets": shown}


def set_results(store: Store, puzzle_set: PuzzleSet, rows: Mapping[str, Sampling]) -> dict[str, Any]:
    """One set: its rows, and what exact search took on it."""
    cpsat = store.cpsat.get(puzzle_set.name)
    tallies = {row: store.tallies[puzzle_set.name, row] for row in rows}
    return {
        "set": puzzle_set.name,
        "file": puzzle_set.file,
        "puzzles": len(puzzle_set),
        "of": puzzle_set.count,
        "complete": all(tally.puzzles == len(puzzle_set) for tally in tallies.values()),
        "cpsat": cpsat and {**cpsat.to_json(), "puzzles_per_second": _rounded(cpsat.rate)},
        "rows": [_row(row, tallies[row], sampling, cpsat) for row, sampling in rows.items()],
    }


def _row(name: str, tally: Tally, sampling: Sampling, cpsat: ExactSpeed | None) -> dict[str, Any]:
    rate, exact_rate = tally.rate(), cpsat.rate if cpsat else None
    return {
        "row": name,
        "puzzles": tally.puzzles,
        "valid": tally.valid,
        "valid_percent": percent(tally.valid, tally.puzzles),
        "with_solution": tally.with_solution,
        "exact": tally.exact,
        "exact_percent": percent(tally.exact, tally.with_solution),
        "first_step_valid": tally.first_step_valid if sampling.feedback else None,  # without it, two steps must agree
        "first_step_valid_percent": percent(tally.first_step_valid, tally.puzzles) if sampling.feedback else None,
        "timed_out": tally.timed_out,
        "mean_steps": _mean(tally.steps, tally),
        "mean_canvases": _mean(tally.canvases, tally),
        "mean_restarts": _mean(tally.restarts, tally),
        "seconds": round(tally.seconds, 3),
        "puzzles_per_second": _rounded(rate),
        "ratio_to_cpsat": _rounded(rate / exact_rate if rate and exact_rate else None),
        "peak_mb": _rounded(tally.peak_mb),
        "solved_by_step": tally.solved_by(sampling.max_denoising_steps),
    }


def _mean(total: int, tally: Tally) -> float | None:
    return round(total / tally.puzzles, 3) if tally.puzzles else None


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3)
