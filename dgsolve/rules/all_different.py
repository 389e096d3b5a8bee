"""No value twice: rows, columns, boxes, queens on their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.drawing.marks import Cage, Mark, Queens
from dgsolve.errors import UsageError
from dgsolve.plural import counted
from dgsolve.problem import Fault
from dgsolve.rules.base import Candidate, Domains, Groups, Rule, Words
from dgsolve.rules.matching import matched
from dgsolve.rules.parameters import Several, Whole, parameter

if TYPE_CHECKING:
    import numpy as np

    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class AllDifferent(Rule):
    """No two cells hold the same number, each first moved by its own of the `offsets` where these are given.

    grid.all_different(grid.row(0)); queens q on their diagonals: grid.all_different(q, offsets=range(8))
    """

    kind: ClassVar[str] = "all_different"

    offsets: tuple[int, ...] = parameter(Several(Whole()), "added to the cells' numbers before they are compared", ())

    @property
    def orderly(self) -> bool:
        return True

    def refuse(self) -> None:
        if self.offsets and len(self.offsets) != len(self.cells):
            raise UsageError(f"all_different has {counted(len(self.cells), 'cell')} and {len(self.offsets)} offsets")

    def describe(self, words: Words) -> str:
        return f"{self.listed_cells(words)} are all different{' after their offsets' if any(self.offsets) else ''}"

    def marks(self, words: Words) -> tuple[Mark, ...]:
        if not any(self.offsets):
            return (Cage(self.cells),)
        steps = {after - before for before, after in pairwise(self.offsets)}
        return (Queens(self.cells),) if steps in ({1}, {-1}) else ()

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        return next((fault.message for fault in self.faults(numbers, words)), "")

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        places: dict[int, list[int]] = defaultdict(list)
        for place, number in enumerate(held):
            if number is not None:
                places[number + self._offset(place)].append(place)
        for same in places.values():
            if len(same) > 1:
                yield self.fault(self._sentence(held, same, words), same, words)

    def faulty(self, held: np.ndarray, words: Words) -> np.ndarray:
        import numpy as np

        moved = held + np.array([self._offset(place) for place in range(len(self.cells))])  # [B, n]
        same = moved[:, :, None] == moved[:, None, :]
        return same.sum(-1) > 1

    def _sentence(self, held: Sequence[int | None], same: list[int], words: Words) -> str:
        names, first = self.listed_cells(words, same), held[same[0]]
        if any(self.offsets):
            return f"{names} hold the same after their offsets"
        assert first is not None
        return f"{names} {'both' if len(same) == 2 else 'all'} hold {words.value(first)}"

    def _offset(self, place: int) -> int:
        return self.offsets[place] if self.offsets else 0

    def propagate(self, domains: Domains) -> Domains | None:
        moved = [{number + self._offset(place) for number in held} for place, held in enumerate(domains)]
        narrowed = matched(moved)
        if narrowed is None:
            return None
        return [{number - self._offset(place) for number in held} for place, held in enumerate(narrowed)]

    def _lines(self, numbers: Sequence[int]) -> list[tuple[Candidate, ...]]:
        lines: dict[int, list[Candidate]] = defaultdict(list)
        for place, slot in enumerate(self.cells):
            for number in numbers:
                lines[number + self._offset(place)].append((slot, number))
        return [tuple(line) for line in lines.values() if len(line) > 1]

    def groups(self, numbers: Sequence[int]) -> Groups:
        lines = tuple(self._lines(numbers))
        if len(self.cells) == len(numbers) and not any(self.offsets):
            return Groups(exactly_one=lines)
        return Groups(at_most_one=lines)

    def post(self, model: Any, cells: PostedCells) -> None:
        numbers = sorted({number for slot in self.cells for number in cells.choices(slot)})
        full = len(numbers) == len(self.cells) and not any(self.offsets)
        for line in self._lines(numbers):
            held = [cells.holds(slot, number) for slot, number in line]
            if full:
                model.add_exactly_one(held)
            else:
                model.add_at_most_one(held)
