"""Counts over the puzzles of one row of a table; of a puzzle they keep its time, and its name where it stands out."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from statistics import median

from dgsolve.bench.record import Record


@dataclass
class Tally:
    """Sums over records.

    solved_at: puzzles solved at each step. times: seconds of each. others: the names of puzzles whose answer is right,
    and not the file's. peak_mb: of the process, None where nobody knows.
    """

    puzzles: int = 0
    valid: int = 0
    with_solution: int = 0
    exact: int = 0
    first_step_valid: int = 0
    timed_out: int = 0
    steps: int = 0
    canvases: int = 0
    restarts: int = 0
    seconds: float = 0.0
    peak_mb: float | None = None
    solved_at: Counter[int] = field(default_factory=Counter)
    times: array[float] = field(default_factory=lambda: array("d"))
    others: list[str] = field(default_factory=list)

    @classmethod
    def of_all(cls, parts: Iterable[Tally]) -> Tally:
        """That of several sets as one."""
        whole = cls()
        for part in parts:
            for name in _SUMMED:
                setattr(whole, name, getattr(whole, name) + getattr(part, name))
            whole.saw_peak(part.peak_mb)
        return whole

    def add(self, record: Record) -> None:
        """Count one puzzle."""
        self.puzzles += 1
        self.valid += record.valid
        self.with_solution += record.exact is not None
        self.exact += record.exact is True
        self.first_step_valid += record.first_step_valid
        self.timed_out += record.timed_out
        self.steps += record.steps
        self.canvases += record.canvases
        self.restarts += record.restarts
        self.seconds += record.wall
        self.times.append(record.seconds)
        if record.valid and record.exact is False:
            self.others.append(record.name or f"line {record.line}")
        if record.valid:
            self.solved_at[record.steps] += 1

    def saw_peak(self, peak_mb: float | None) -> None:
        """Take note of the memory that the process has used at most."""
        if peak_mb is not None:
            self.peak_mb = max(peak_mb, self.peak_mb or 0.0)

    def median(self) -> float | None:
        """Seconds of the puzzle in the middle, from its first step to its last."""
        return median(self.times) if self.times else None

    def rate(self) -> float | None:
        """Puzzles a second, None before any was timed."""
        return self.puzzles / self.seconds if self.seconds > 0 else None

    def solved_by(self, steps: int) -> list[int]:
        """How many puzzles were solved by step 0, 1, ... `steps`."""
        total, curve = 0, []
        for step in range(steps + 1):
            total += self.solved_at[step]
            curve.append(total)
        return curve


_SUMMED = [one.name for one in fields(Tally) if one.name != "peak_mb"]


def percent(part: int, whole: int) -> float | None:
    """To one decimal, never rounded up: 100.0 means all of them. None of nothing."""
    return 1000 * part // whole / 10 if whole else None
