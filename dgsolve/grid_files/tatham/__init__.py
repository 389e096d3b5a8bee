"""Game ids of Simon Tatham's Portable Puzzle Collection: `params:description`, one game a file."""

from dgsolve.grid_files.tatham.base import Game, GameId

__all__ = ["Game", "GameId"]
