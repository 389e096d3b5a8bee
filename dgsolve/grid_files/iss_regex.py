"""Patterns of the Interactive Sudoku Solver: the values along a line, a digit each, are a text that one matches."""

from __future__ import annotations

from base64 import urlsafe_b64decode

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.machines import machine
from dgsolve.language.code_points import utf8
from dgsolve.language.regex import RegexError, compile_regex
from dgsolve.language.size_limit import TooLargeError
from dgsolve.shortened import shown


def _regex(board: Board, arguments: list[str]) -> None:
    """The pattern, in URL-safe Base64 without its padding, then lines that it matches as a whole."""
    if board.values[-1] > 9:
        raise PuzzleError("a pattern is read where values are digits")
    try:
        pattern = urlsafe_b64decode(arguments[0] + "=" * (-len(arguments[0]) % 4)).decode()
    except ValueError as error:
        raise PuzzleError(f"{shown(arguments[0])} is no pattern in Base64") from error
    try:
        language = compile_regex(pattern, utf8, anchored=True)
    except (RegexError, TooLargeError) as error:
        raise PuzzleError(f"the pattern {shown(pattern)} is not read: {error}") from error

    def step(state: int, place: int, value: int) -> int | None:
        after = language.step(state, ord(str(value)))
        return None if after < 0 else after

    for line in board.lines(arguments[1:]):
        found = machine(board.values, len(line), 0, step, language.finals.__contains__)
        board.add("regular", line, **found)


REGEX: dict[str, Constraint] = {"Regex": _regex}
