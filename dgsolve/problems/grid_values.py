"""The values of a grid: whole numbers, or symbols that count from 1; and how each is written and read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_whole

LARGEST = 10**9  # of values that are numbers: exact search adds them up in 64 bits
OPEN, HOLE = ".", "#"  # how an open cell and a hole are written
_OPEN_SIGNS = frozenset((OPEN, "?", "_", "*", "-"))
_RANGE = re.compile(r"(-?\d{1,6})\s*(?:-|\.\.)\s*(-?\d{1,6})")


@dataclass(frozen=True)
class Values:
    """natives: the values as Python has them, all ints or all texts."""

    natives: tuple[int, ...] | tuple[str, ...]

    @classmethod
    def of(cls, values: Any) -> Values:
        """From numbers or texts, a text of symbols ("ABCD"), or a range ("1-9"); raises UsageError."""
        if isinstance(values, Values):
            return values
        if isinstance(values, str):
            span = _RANGE.fullmatch(values.strip())
            values = (
                range(int(span[1]), int(span[2]) + 1) if span else values.split() if " " in values else list(values)
            )
        if not isinstance(values, Iterable) or isinstance(values, Mapping | Set):  # whose order says nothing
            raise UsageError(f"values={shown(values)}: give a list of numbers or of texts")
        natives = tuple(value if isinstance(value, str) else _whole(value) for value in values)
        if not natives:
            raise UsageError("a grid needs values")
        if len({type(value) for value in natives}) > 1:
            raise UsageError(f"values={shown(list(natives))}: give numbers alone, or texts alone")
        if len(set(natives)) < len(natives):
            raise UsageError(f"values={shown(list(natives))}: a value stands twice")
        for value in natives:
            if isinstance(value, str) and (not value or value.split() != [value] or value in (OPEN, HOLE)):
                raise UsageError(f"values: {value!r} cannot be a value", hint="Write texts without spaces, not . or #.")
        return cls(natives)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.natives)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """What rules reckon with: the value itself where it is a number, else its place, counted from 1."""
        return tuple(v if isinstance(v, int) else place for place, v in enumerate(self.natives, 1))

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """How each is written."""
        return tuple(map(str, self.natives))

    @cached_property
    def spaced(self) -> bool:
        """Whether cells on a line need spaces between them."""
        return any(len(symbol) > 1 for symbol in self.symbols)

    @cached_property
    def place(self) -> dict[int, int]:
        """The place in `natives`, counted from 0, of each number."""
        return {number: place for place, number in enumerate(self.numbers)}

    @cached_property
    def number_of(self) -> dict[Any, int]:
        """The number of each value, by the value and by what it is written as."""
        by_symbol: dict[Any, int] = dict(zip(self.symbols, self.numbers, strict=True))
        return by_symbol | dict(zip(self.natives, self.numbers, strict=True))

    def native(self, number: int) -> int | str:
        """The value with this number."""
        return self.natives[self.place[number]]

    def symbol(self, number: int) -> str:
        """How the value with this number is written."""
        return self.symbols[self.place[number]] if number in self.place else str(number)

    def read(self, cell: Any) -> int | None:
        """The number of what stands in a cell, None for an open one; raises UsageError for what is no value."""
        if cell is None:
            return None
        if hasattr(cell, "item") and not isinstance(cell, str):
            cell = cell.item()  # of numpy
        if not isinstance(cell, bool) and isinstance(cell, int | str) and cell in self.number_of:
            return self.number_of[cell]
        if isinstance(cell, str) and (cell in _OPEN_SIGNS or (cell == "0" and 0 not in self.numbers)):
            return None
        if cell == 0 and not isinstance(cell, bool | str):
            return None  # as Sudokus have it; a grid with the value 0 was read above
        raise UsageError(f"{shown(cell)} is no value of this grid: {shown(' '.join(self.symbols))[1:-1]}")


def _whole(value: Any) -> int:
    if not is_whole(value):
        raise UsageError(f"values: {shown(value)} is neither a whole number nor a text")
    if abs(int(value)) > LARGEST:
        raise UsageError(f"values: {shown(int(value))} is too large, {LARGEST} at most")
    return int(value)
