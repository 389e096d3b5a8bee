"""Slots that stand for squares of a board, as the rows of queens do; the board is a layout of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dgsolve.drawing.looks import SETTLED, Face
from dgsolve.drawing.marks import Checkers, Queens
from dgsolve.problem import GridLayout

QUEEN = "♛"
MOST = 128  # rows and columns of a board


@dataclass(frozen=True)
class Squares:
    """layout: of the squares. owners: the slot of each square. wanted: the symbol with which it holds a queen."""

    layout: GridLayout
    owners: tuple[int, ...]
    wanted: tuple[str, ...]

    def faces(self, faces: Sequence[Face]) -> list[Face]:
        """What the squares hold where the slots hold `faces`."""
        held = zip(self.wanted, (faces[slot] for slot in self.owners), strict=True)
        return [(QUEEN, look) if symbol == wanted else (None, SETTLED) for wanted, (symbol, look) in held]


@lru_cache(maxsize=64)
def squares_of(layout: GridLayout) -> Squares | None:
    """The board of a layout whose slots stand for one, else None."""
    rows = next((mark.slots for mark in layout.marks if isinstance(mark, Queens)), ())
    symbols = layout.symbols
    if sorted(rows) != list(range(layout.slots)) or max(len(rows), len(symbols)) > MOST or not _are_columns(symbols):
        return None
    owners = tuple(slot for slot in rows for _ in symbols)
    dark = tuple(square for square in range(len(owners)) if sum(divmod(square, len(symbols))) % 2)
    size = (len(rows), len(symbols))
    givens = frozenset(square for square, slot in enumerate(owners) if slot in layout.givens)
    return Squares(GridLayout(*size, *size, (QUEEN,), givens, (), (Checkers(dark),)), owners, symbols * len(rows))


def _are_columns(symbols: Sequence[str]) -> bool:
    """Whether values lie side by side as their symbols do: what is no number counts from 1."""
    if not all(symbol.removeprefix("-").isdecimal() for symbol in symbols):
        return True
    return [int(symbol) - int(symbols[0]) for symbol in symbols] == list(range(len(symbols)))
