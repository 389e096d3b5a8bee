"""What a benchmark needs of a set of puzzles, wherever they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from dgsolve.verdicts import Entry


class Puzzles(Protocol):
    """Puzzles that are counted together: iterating gives those that could be read, in an order that never changes.

    count: of the puzzles before any sample was drawn. parts: sets of their own rows that together are this one, () for
    most. unreadable: the entries that hold an error; they count as not solved.
    """

    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def parts(self) -> Sequence[Puzzles]: ...
    @property
    def unreadable(self) -> Sequence[Entry]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Entry]: ...


def parts_of(whole: Puzzles) -> Sequence[Puzzles]:
    """The sets that are solved one after another: its parts, or itself."""
    return whole.parts or (whole,)
