"""All figures of a run as plain values: results.json, and the source of every table and plot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dgsolve.bench.exact_speed import ExactSpeed
from dgsolve.bench.puzzles import Puzzles, parts_of
from dgsolve.bench.record import unreadable
from dgsolve.bench.store import Store
from dgsolve.bench.tally import Tally, percent
from dgsolve.sampling.settings import Sampling


def results(store: Store, sets: Sequence[Puzzles], rows: Mapping[str, Sampling]) -> dict[str, Any]:
    """The whole run; `complete` says whether every puzzle of every row is in it."""
    shown = [set_results(store, one, rows) for one in sets]
    return {"settings": store.settings, "complete": all(one["complete"] for one in shown), "sets": shown}


def set_results(store: Store, puzzle_set: Puzzles, rows: Mapping[str, Sampling]) -> dict[str, Any]:
    """One set: its rows, what exact search took on it, what could not be read, and its parts where it has some."""
    parts = parts_of(puzzle_set)
    speeds = {part.name: store.cpsat[part.name] for part in parts if part.name in store.cpsat}
    cpsat = ExactSpeed.of_all(speeds.values()) if speeds else None
    unread = [unreadable(entry) for entry in puzzle_set.unreadable]
    made = [_row(store, parts, row, sampling, speeds, len(unread)) for row, sampling in rows.items()]
    kinds = [set_results(store, part, rows) for part in puzzle_set.parts]
    return {
        "set": puzzle_set.name,
        "file": puzzle_set.file,
        "kind": puzzle_set.kind,
        "puzzles": len(puzzle_set) + len(unread),
        "of": puzzle_set.count,
        "complete": all(row["puzzles"] == len(puzzle_set) for row in made),
        "cpsat": cpsat and {**cpsat.to_json(), **_speed_of(cpsat)},
        "unreadable": unread,
        "rows": made,
        **({"kinds": kinds} if kinds else {}),
    }


def _speed_of(cpsat: ExactSpeed) -> dict[str, float | None]:
    return {"puzzles_per_second": _rounded(cpsat.rate), "median_seconds": _rounded(cpsat.median, 6)}


def _row(
    store: Store,
    parts: Sequence[Puzzles],
    name: str,
    sampling: Sampling,
    speeds: Mapping[str, ExactSpeed],
    unread: int,
) -> dict[str, Any]:
    tally = Tally.of_all(store.tallies[part.name, name] for part in parts)
    compared = [(store.tallies[part.name, name], speeds[part.name]) for part in parts if part.name in speeds]
    return {
        "row": name,
        "puzzles": tally.puzzles,
        "unreadable": unread,
        "valid": tally.valid,
        "valid_percent": percent(tally.valid, tally.puzzles + unread),
        "with_solution": tally.with_solution,
        "exact": tally.exact,
        "exact_percent": percent(tally.exact, tally.with_solution),
        "other_answers": tally.others,
        "first_step_valid": tally.first_step_valid if sampling.feedback else None,  # without it, two steps must agree
        "first_step_valid_percent": percent(tally.first_step_valid, tally.puzzles) if sampling.feedback else None,
        "timed_out": tally.timed_out,
        "mean_steps": _mean(tally.steps, tally),
        "mean_canvases": _mean(tally.canvases, tally),
        "mean_restarts": _mean(tally.restarts, tally),
        "seconds": round(tally.seconds, 3),
        "median_seconds": _rounded(tally.median(), 6),
        "puzzles_per_second": _rounded(tally.rate()),
        "ratio_to_cpsat": _rounded(_ratio(compared)),
        "peak_mb": _rounded(tally.peak_mb),
        "solved_by_step": tally.solved_by(sampling.max_denoising_steps),
    }


def _ratio(compared: Iterable[tuple[Tally, ExactSpeed]]) -> float | None:
    """The seconds that exact search would take for the same puzzles, by those taken: kinds weigh as they do here."""
    both = [(tally, speed.rate) for tally, speed in compared if tally.seconds and speed.rate]
    taken = sum(tally.seconds for tally, _ in both)
    return sum(tally.puzzles / rate for tally, rate in both if rate) / taken if taken else None


def _mean(total: int, tally: Tally) -> float | None:
    return round(total / tally.puzzles, 3) if tally.puzzles else None


def _rounded(number: float | None, digits: int = 3) -> float | None:
    return None if number is None else round(number, digits)
