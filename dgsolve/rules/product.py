"""Numbers that multiply to a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from dgsolve.rules.base import Words
from dgsolve.rules.parameters import Whole, parameter
from dgsolve.rules.walk import Walk


@dataclass(frozen=True)
class Product(Walk):
    """The numbers multiply to `product`.

    grid.product(cells, 24)
    """

    kind: ClassVar[str] = "product"
    orderly: ClassVar[bool] = True

    product: int = parameter(Whole(), "what they multiply to")

    def start(self) -> int:
        return 1

    def step(self, state: int, place: int, number: int) -> int | None:
        state *= number
        if self.product == 0:
            return min(abs(state), 1)  # all that matters is whether a factor was 0
        return state if state and self.product % state == 0 else None

    def accepts(self, state: int) -> bool:
        return state == self.product

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} multiply to {self.product}"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        found = prod(numbers)
        return "" if found == self.product else f"{self.listed_cells(words)} multiply to {found}, not to {self.product}"
