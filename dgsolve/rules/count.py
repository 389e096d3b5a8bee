"""So many cells hold certain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dgsolve.rules.counting import Counting
from dgsolve.rules.parameters import Several, Span, Value, parameter


@dataclass(frozen=True)
class Count(Counting):
    """Exactly `times` (or within it) cells hold one of `values`.

    grid.count(grid.row(0), [1], 4), or times=[2, 3] for two or three
    """

    kind: ClassVar[str] = "count"

    values: tuple[int, ...] = parameter(Several(Value(), fewest=1), "the values that are counted")
    times: tuple[int, int] = parameter(Span(0), "how many cells hold one: a number, or [least, most]")

    def counted(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.values))  # one that is named twice is counted once

    def bounds(self) -> tuple[int, int]:
        return self.times
