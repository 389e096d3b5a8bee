"""Slots that stand for squares of a board: rows with a queen each, regions of a map. The board has its own layout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dgsolve.drawing.looks import SETTLED, Face
from dgsolve.drawing.marks import Cage, Chart, Checkers, Mark, Name, Queens, Quiet
from dgsolve.drawing.places import Place
from dgsolve.pieces import beside, pieces
from dgsolve.problem import GridLayout

QUEEN = "♛"
MOST = 128  # rows and columns of a board


@dataclass(frozen=True)
class Squares:
    """layout: of the squares. owners: the slot of each square. wanted: with which symbol it holds a queen.

    Without `wanted` a square holds what its slot holds.
    """

    layout: GridLayout
    owners: tuple[int, ...]
    wanted: tuple[str, ...] = ()

    def faces(self, faces: Sequence[Face]) -> list[Face]:
        """What the squares hold where the slots hold `faces`."""
        held = [faces[slot] for slot in self.owners]
        if not self.wanted:
            return held
        pairs = zip(self.wanted, held, strict=True)
        return [(QUEEN, look) if symbol == wanted else (None, SETTLED) for wanted, (symbol, look) in pairs]


@lru_cache(maxsize=64)
def squares_of(layout: GridLayout) -> Squares | None:
    """The board of a layout whose slots stand for one, else None."""
    for mark in layout.marks:
        if isinstance(mark, Queens):
            return _board(layout, mark.slots)
        if isinstance(mark, Chart):
            return _map(layout, mark.text)
    return None


def _board(layout: GridLayout, rows: Sequence[int]) -> Squares | None:
    symbols = layout.symbols
    if sorted(rows) != list(range(layout.slots)) or max(len(rows), len(symbols)) > MOST or not _are_columns(symbols):
        return None
    owners = tuple(slot for slot in rows for _ in symbols)
    dark = tuple(square for square in range(len(owners)) if sum(divmod(square, len(symbols))) % 2)
    size, givens = (len(rows), len(symbols)), _givens(layout, owners)
    return Squares(GridLayout(*size, *size, (QUEEN,), givens, (), (Checkers(dark),)), owners, symbols * len(rows))


def _are_columns(symbols: Sequence[str]) -> bool:
    """Whether values lie side by side as their symbols do: what is no number counts from 1."""
    if not all(symbol.removeprefix("-").isdecimal() for symbol in symbols):
        return True
    return [int(symbol) - int(symbols[0]) for symbol in symbols] == list(range(len(symbols)))


def _givens(layout: GridLayout, owners: Sequence[int]) -> frozenset[int]:
    return frozenset(square for square, slot in enumerate(owners) if slot in layout.givens)


def _map(layout: GridLayout, text: str) -> Squares | None:
    slots = {mark.text: mark.slots[0] for mark in layout.marks if isinstance(mark, Name)}
    lines = [line.split() for line in text.split("\n")]
    size = (len(lines), max(map(len, lines)))
    owner = {(r, c): slots[name] for r, line in enumerate(lines) for c, name in enumerate(line) if name in slots}
    if {*owner.values()} != set(range(layout.slots)) or max(size) > MOST:
        return None
    owners, marks = tuple(owner.values()), _regions(owner, {slot: name for name, slot in slots.items()})
    return Squares(GridLayout(*size, *size, layout.symbols, _givens(layout, owners), tuple(owner), marks), owners)


def _regions(owner: dict[Place, int], names: dict[int, str]) -> tuple[Mark, ...]:
    """A wall around every piece of a region; what it holds is written in its first square."""
    number, marks = {place: square for square, place in enumerate(owner)}, list[Mark]()
    places: dict[int, list[Place]] = defaultdict(list)
    for place, slot in owner.items():
        places[slot].append(place)
    for slot, of_slot in places.items():
        for piece in pieces(of_slot, beside(of_slot)):
            first, *rest = sorted(number[place] for place in piece)
            marks += [Cage((first, *rest), names[slot]), *([Quiet(tuple(rest))] if rest else [])]
    return tuple(marks)
