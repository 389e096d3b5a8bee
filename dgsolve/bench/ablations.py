"""The rows of a table: the settings as asked for, and the same with one part of the method left out."""

from __future__ import annotations

from dataclasses import replace

from dgsolve.bench.plan import Plan
from dgsolve.sampling.settings import Sampling

FULL = "full"  # nothing left out


def rows_of(plan: Plan, usual: Sampling) -> dict[str, Sampling]:
    """The sampling of every row by its name, the full one first; `usual` is what the denoiser recommends."""
    full = plan.sampling(usual)
    rows = {FULL: full}
    if plan.ablate:
        rows |= {
            "no locks": replace(full, locks=False),
            "no feedback": replace(full, feedback=False),
            "no re-noise": replace(full, renoise="none"),
            "kept values": replace(full, renoise="rejected"),
            "state not carried": replace(full, carry=False),
            "no suppositions": replace(full, suppose=False),
            "one canvas": replace(full, attempts=1, suppose=False),
        }
        if full.propagate:
            rows["no candidates"] = replace(full, propagate=False)
    return rows


MEANINGS = {
    FULL: "the settings above",
    "no locks": "givens are written on the first canvas and then open like every other slot",
    "no feedback": "faults are not re-noised and nothing starts again: one canvas, until it settles",
    "no re-noise": "each slot keeps the noise it was first given",
    "kept values": "accepted tokens stay, the others get fresh noise",
    "state not carried": "the denoiser starts each step without its hidden state and last belief",
    "no suppositions": "canvases after the first differ by their noise alone",
    "one canvas": "one canvas that starts again when it stays faulty, without suppositions",
    "no candidates": "open slots keep every value, not only those that the givens leave",
}
