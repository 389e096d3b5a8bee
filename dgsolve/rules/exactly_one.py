"""One cell alone holds a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dgsolve.rules.counting import Counting
from dgsolve.rules.parameters import Value, parameter


@dataclass(frozen=True)
class ExactlyOne(Counting):
    """Exactly one of the cells holds `value`.

    grid.exactly_one(grid.row(0), 5)
    """

    kind: ClassVar[str] = "exactly_one"

    value: int = parameter(Value(), "the value that one cell holds")

    def counted(self) -> tuple[int, ...]:
        return (self.value,)

    def bounds(self) -> tuple[int, int]:
        return 1, 1
