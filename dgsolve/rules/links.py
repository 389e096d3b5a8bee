"""Rules about each cell and the next one in a chain."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.problem import Fault
from dgsolve.rules.base import Candidate, Groups, Words
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    import numpy as np

    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class Links(Walk):
    """A relation that every two neighbours of a chain must have; a pair of cells is a chain of two."""

    fewest: ClassVar[int] = 2
    listed: ClassVar[bool] = False
    by_factor: ClassVar[bool] = True

    @abstractmethod
    def allows(self, first: int, second: int) -> bool:
        """Whether a cell may hold `first` where the next one holds `second`."""

    @abstractmethod
    def wrong(self, first: str, second: str) -> str:
        """What is wrong with two neighbours, named with what they hold ("r1c1 = 5"), in a sentence."""

    def start(self) -> Any:
        return ()

    def step(self, state: Any, place: int, number: int) -> Any:
        return number if place == 0 or self.allows(state, number) else None

    def accepts(self, state: Any) -> bool:
        return True

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        return next((fault.message for fault in self.faults(numbers, words)), "")

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        for place, (first, second) in enumerate(pairwise(held)):
            if first is not None and second is not None and not self.allows(first, second):
                named = (
                    f"{words.cell(self.cells[at])} = {words.value(number)}"
                    for at, number in ((place, first), (place + 1, second))
                )
                yield self.fault(self.wrong(*named), (place, place + 1), words)

    def faulty(self, held: np.ndarray, words: Words) -> np.ndarray:
        import numpy as np

        numbers, place = np.unique(held, return_inverse=True)
        allowed = np.array([[self.allows(first, second) for second in numbers.tolist()] for first in numbers.tolist()])
        place = place.reshape(held.shape)
        wrong = ~allowed[place[:, :-1], place[:, 1:]]  # [B, n - 1]
        marks = np.zeros(held.shape, dtype=bool)
        marks[:, :-1] |= wrong
        marks[:, 1:] |= wrong
        return marks

    def groups(self, numbers: Sequence[int]) -> Groups:
        """For each number of a cell: it, and the numbers of the next cell that it rules out; the same backwards."""
        found: list[tuple[Candidate, ...]] = []
        for first, second in pairwise(self.cells):
            for number in numbers:
                ahead = [(second, other) for other in numbers if not self.allows(number, other)]
                back = [(first, other) for other in numbers if not self.allows(other, number)]
                found += [((first, number), *ahead)] if ahead else []
                found += [((second, number), *back)] if back else []
        return Groups(at_most_one=tuple(found))

    def post(self, model: Any, cells: PostedCells) -> None:
        for first, second in pairwise(self.cells):
            for number in cells.choices(first):
                after = [cells.holds(second, other) for other in cells.choices(second) if self.allows(number, other)]
                model.add_bool_or([cells.holds(first, number).negated(), *after])
