"""Numbers that multiply to a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.drawing.marks import Cage, Mark
from dgsolve.rules.base import Words
from dgsolve.rules.parameters import Whole, parameter
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Product(Walk):
    """The numbers multiply to `product`.

    grid.product(cells, 24)
    """

    kind: ClassVar[str] = "product"

    product: int = parameter(Whole(), "what they multiply to")

    @property
    def orderly(self) -> bool:
        return True

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

    def marks(self, words: Words) -> tuple[Mark, ...]:
        return (Cage(self.cells, f"{self.product}×"),)

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        found = prod(numbers)
        return "" if found == self.product else f"{self.listed_cells(words)} multiply to {found}, not to {self.product}"

    def post(self, model: Any, cells: PostedCells) -> None:
        """As sums: of each prime factor's exponents, and of the signs. Of an automaton the states would be too many."""
        if self.product == 0:
            model.add_bool_or([cells.holds(slot, 0) for slot in self.cells])
            return
        choices = {(slot, number): cells.holds(slot, number) for slot in self.cells for number in cells.choices(slot)}
        for (_, number), holds in choices.items():
            if number == 0 or self.product % number:
                model.add(holds == 0)
        rest = abs(self.product)
        factors = {abs(number) for _, number in choices if number and self.product % number == 0}
        for prime in sorted({prime for factor in factors for prime in _primes(factor)}):
            wanted, rest = _divided(rest, prime)
            exponents = (_divided(abs(number), prime)[0] * holds for (_, number), holds in choices.items() if number)
            model.add(sum(exponents) == wanted)
        if rest > 1:
            model.add_bool_or([])
        signs = [holds for (_, number), holds in choices.items() if number < 0]
        pairs = model.new_int_var(0, len(self.cells), "")
        model.add(sum(signs) == 2 * pairs + (self.product < 0))


def _primes(number: int) -> Iterator[int]:
    """The prime factors of a number, once each."""
    factor = 2
    while factor * factor <= number:
        if number % factor == 0:
            yield factor
            number = _divided(number, factor)[1]
        factor += 1
    if number > 1:
        yield number


def _divided(number: int, prime: int) -> tuple[int, int]:
    """How often a number above 0 can be divided by the prime, and what is left then."""
    times = 0
    while number % prime == 0:
        number, times = number // prime, times + 1
    return times, number
