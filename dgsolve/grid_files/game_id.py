"""Game ids of Simon Tatham's collection: which game one is of, and what it says."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import chain

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files.base import GridContext, LineForm, Written
from dgsolve.grid_files.tatham.base import Game, GameId, Piece
from dgsolve.grid_files.tatham.keen import Keen
from dgsolve.grid_files.tatham.map_game import MapGame
from dgsolve.grid_files.tatham.pattern import Pattern
from dgsolve.grid_files.tatham.singles import Singles
from dgsolve.grid_files.tatham.solo import Solo
from dgsolve.grid_files.tatham.towers import Towers
from dgsolve.grid_files.tatham.unequal import Unequal
from dgsolve.grid_files.tatham.unruly import Unruly
from dgsolve.shortened import shown

GAMES: tuple[Game, ...] = (Solo(), Keen(), Towers(), Unequal(), Unruly(), Pattern(), Singles(), MapGame())
_ID = re.compile(r"\s*(?:\S*/(?P<page>[a-z]+)\.html#)?(?P<params>[0-9][0-9a-zA-Z.]*)(?P<mark>[:#])(?P<rest>\S*)\s*")


def game_called(name: str) -> Game:
    """The game with this name, the collection's or the usual one; raises UsageError."""
    if not isinstance(name, str):
        raise UsageError(f"game={shown(name)} is no name of a game")
    known = list(chain.from_iterable(game.names for game in GAMES))
    found = next((game for game in GAMES if name.lower() in game.names), None)
    if found is None:
        close = get_close_matches(name.lower(), known, 1)
        hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(known)}."
        raise UsageError(f"no game of ids is called {name!r}", hint=hint)
    return found


class GameIds(LineForm):
    """`params:description`, also as the address of a page, `.../solo.html#3x3:...`."""

    def claims(self, text: str) -> bool:
        return _ID.fullmatch(text) is not None

    def read(self, text: str, context: GridContext) -> Written:
        found = _ID.fullmatch(text)
        assert found is not None  # claims() asked
        if found["mark"] == "#":
            hint = "Copy the id with a colon instead: Game, Specific."
            raise PuzzleError("this id is a random seed, not a puzzle", hint=hint)
        params, rest = (Piece(found[part], found.start(part) + 1) for part in ("params", "rest"))
        game_id = GameId(params, rest)
        name = context.game or _page(found["page"])
        return Written(_of_game(game_id, name) if name else _of_shape(game_id))


def _page(page: str | None) -> str | None:
    """The game of a page's address, None where no address was given."""
    if page and not any(page == game.names[0] for game in GAMES):
        raise PuzzleError(f"the game {page} is not read here", hint=f"Games: {_listed(GAMES)}.")
    return page


def _of_game(game_id: GameId, name: str) -> dict[str, object]:
    game = game_called(name)
    if not game.shaped(game_id):
        example = (type(game).__doc__ or "").split("`")[1]
        raise PuzzleError(f"this is no id of {game.names[0]}", hint=f"One looks like {example}")
    return game.record(game_id)


def _of_shape(game_id: GameId) -> dict[str, object]:
    """By the only game that can read it; raises PuzzleError where none or several can."""
    shaped = [game for game in GAMES if game.shaped(game_id)]
    read, errors = [], []
    for game in shaped:
        try:
            read.append((game, game.record(game_id)))
        except PuzzleError as error:
            errors.append(error)
    if len(read) == 1:
        return read[0][1]
    if len(read) > 1:
        fitting = [game for game, _ in read]
        hint = f"Say which with --game {fitting[0].names[0]}, or game={fitting[0].names[0]!r} in Python."
        raise PuzzleError(f"this id may be of {_listed(fitting, ' or ')}", hint=hint)
    if len(errors) == 1:
        raise errors[0]
    if not shaped:
        hint = f"Games: {_listed(GAMES)}."
        raise PuzzleError("this looks like a game id, but of no game that is read here", hint=hint)
    told = "; ".join(f"as {game.names[0]}, {error.message}" for game, error in zip(shaped, errors, strict=True))
    raise PuzzleError(f"this id cannot be read: {told}", hint=f"Say which game with --game {shaped[0].names[0]}.")


def _listed(games: list[Game] | tuple[Game, ...], gap: str = ", ") -> str:
    return gap.join(" (".join(game.names[:2]) + ")" * (len(game.names) > 1) for game in games)
