"""What a game of the collection is, and what its id is made of."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from dgsolve.errors import PuzzleError


@dataclass(frozen=True)
class Piece:
    """A part of a line, with the column, from 1, of its first character."""

    text: str
    column: int

    def split(self, sign: str) -> list[Piece]:
        """The parts between the signs."""
        found, at = [], self.column
        for part in self.text.split(sign):
            found.append(Piece(part, at))
            at += len(part) + len(sign)
        return found

    def wrong(self, message: str, at: int = 0, *, hint: str = "") -> PuzzleError:
        """An error at the character number `at` of this piece, counted from 0."""
        return PuzzleError(message, column=self.column + at, hint=hint)


@dataclass(frozen=True)
class GameId:
    """The parameters before the colon, and the description after it."""

    params: Piece
    description: Piece


class Game(ABC):
    """A game: what its ids look like, and the record of a grid file that an id stands for.

    names: as people call it, the collection's name first. params, description: patterns of the two halves of an id.
    """

    names: ClassVar[tuple[str, ...]]
    params: ClassVar[re.Pattern[str]]
    description: ClassVar[re.Pattern[str]]

    def shaped(self, game_id: GameId) -> bool:
        """Whether the id may be of this game, as far as its shape tells."""
        return bool(self.params.fullmatch(game_id.params.text) and self.description.fullmatch(game_id.description.text))

    def numbers(self, game_id: GameId) -> list[int]:
        """The numbers in the parameters, as the pattern's groups have them; 0 where a group is missing."""
        found = self.params.fullmatch(game_id.params.text)
        if found is None or any(group is not None and int(group) == 0 for group in found.groups()):
            raise game_id.params.wrong(f"{game_id.params.text!r} is no size of a {self.names[0]} game")
        return [int(group or 0) for group in found.groups()]

    @abstractmethod
    def record(self, game_id: GameId) -> dict[str, Any]:
        """The tables of a grid file; raises PuzzleError with the column of what is wrong."""
