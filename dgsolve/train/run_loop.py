"""What every training run does around its steps: learning rates, averaged weights, checkpoints and reports."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import torch
from torch import nn

from dgsolve.errors import UsageError

Report = dict[str, float]  # elapsed (seconds), step; since the last report the means of what the steps returned


class Run(Protocol):
    """A run whose state goes to a checkpoint."""

    step: int
    elapsed: float
    log: list[Report]

    def count_step(self, elapsed: float) -> None: ...
    def save(self, path: Path) -> None: ...


def rate_factor(step: int, warmup_steps: int, progress: float) -> float:
    """Factor of the learning rates: linear warm-up, then half a cosine over `progress`, 0 to 1, down to 2%."""
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
    return min(1.0, (step + 1) / warmup_steps) * (0.98 * cosine + 0.02)


@torch.no_grad()
def follow(average: nn.Module, current: nn.Module, most: float, step: int) -> None:
    """Move averaged weights towards the current ones after step number `step`; most: the decay of a long run."""
    decay = min(most, step / (step + 9))
    for kept, new in zip(average.parameters(), current.parameters(), strict=True):
        kept.lerp_(new, 1 - decay)


def run_steps(
    run: Run,
    take: Callable[[], tuple[float, ...]],
    names: Sequence[str],
    *,
    going: Callable[[], bool],
    checkpoint: Path,
    save_every: float,
    on_report: Callable[[Report], None],
) -> None:
    """Take steps while the run is `going`; `names` are those of what a step returns.

    The state goes to `checkpoint` every `save_every` seconds and at the end, Ctrl-C included; after each save
    `on_report` gets what happened since the last. Raises UsageError where the first result of a step, its loss, is no
    finite number; the last checkpoint stays as it is.
    """
    started, saved_at = time.monotonic() - run.elapsed, run.elapsed
    results: list[tuple[float, ...]] = []

    def save() -> None:
        means = (sum(column) / len(results) for column in zip(*results, strict=True))
        report: Report = {"elapsed": run.elapsed, "step": run.step, **dict(zip(names, means, strict=True))}
        run.log.append(report)
        run.save(checkpoint)
        on_report(report)

    try:
        while going():
            taken = take()
            if not math.isfinite(taken[0]):
                results = []  # what these steps did to the weights is not kept
                hint = f"Give a lower learning rate; {checkpoint} is as it was last saved."
                raise UsageError(f"the loss of step {run.step + 1:,} is {taken[0]}", hint=hint)
            results.append(taken)
            run.count_step(time.monotonic() - started)
            if run.elapsed - saved_at >= save_every:
                save()
                results, saved_at = [], run.elapsed
    finally:
        if results:
            save()
