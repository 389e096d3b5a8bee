"""Figures in words."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def share(part: int, whole: int) -> str:
    """ "3 of 4 (75.00%)"; never rounded up to all."""
    return f"{part} of {whole} ({10_000 * part // whole / 100:.2f}%)" if whole else "0 of 0"


def quantiles(figures: Sequence[float]) -> str:
    """ "median 1.5, p90 12.0, p99 120, max 3,000"."""
    if not figures:
        return "none"
    ordered = sorted(figures)
    p90, p99 = (ordered[int(part * len(ordered))] for part in (0.9, 0.99))
    named = {"median": median(ordered), "p90": p90, "p99": p99, "max": ordered[-1]}
    return ", ".join(f"{name} {value:,.{1 if value < 100 else 0}f}" for name, value in named.items())
