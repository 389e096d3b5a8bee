"""No more than so many cells hold a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dgsolve.rules.counting import Counting
from dgsolve.rules.parameters import Value, Whole, parameter


@dataclass(frozen=True)
class AtMost(Counting):
    """At most `limit` of the cells hold `value`.

    grid.at_most(grid.row(0), 5, 1)
    """

    kind: ClassVar[str] = "at_most"

    value: int = parameter(Value(), "the value that is counted")
    limit: int = parameter(Whole(0), "how many cells may hold it", 1)

    def counted(self) -> tuple[int, ...]:
        return (self.value,)

    def bounds(self) -> tuple[int, int]:
        return 0, self.limit
