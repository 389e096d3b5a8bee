"""Boards of puzzle collections in JSON: lists of lists of signs, read with care."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.letters import SIGNS, letter_lines
from dgsolve.grid_files.tatham.pieces import OPEN, name
from dgsolve.shortened import shown

Rules = list[dict[str, Any]]
_MOST = 100  # rows, columns


def board(case: Mapping[str, Any], key: str = "board", shape: tuple[int, int] | None = None) -> list[list[str]]:
    """The signs under a key, row by row, without spaces around; raises PuzzleError."""
    rows = case.get(key)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and row for row in rows):
        raise PuzzleError(f"this must be a list of rows, not {shown(rows)}", key=key)
    size = (len(rows), len(rows[0]))
    if any(len(row) != size[1] for row in rows) or max(size) > _MOST or (shape and size != shape):
        wanted = f"{shape[0]} rows of {shape[1]}" if shape else f"rows of one length, {_MOST} at most"
        raise PuzzleError(f"these must be {wanted}", key=key)
    return [[str(sign).strip() if isinstance(sign, str | int) else "" for sign in row] for row in rows]


def clues(case: Mapping[str, Any], key: str, count: int) -> list[int | None]:
    """A clue for each of some lines; blank and -1 are none."""
    listed = case.get(key)
    if not isinstance(listed, list) or len(listed) != count:
        raise PuzzleError(f"this must be a list of {count} clues", key=key)
    found = [str(clue).strip() for clue in listed]
    return [None if sign in ("", "-1") else number(sign, key, 0, 9999) for sign in found]


def number(sign: Any, key: str, least: int, most: int) -> int:
    """A whole number, or one letter from 10 on."""
    text = str(sign).strip()
    value = -1
    if text.isascii() and (text.isdigit() and len(text) < 6):
        value = int(text)
    elif len(text) == 1 and text.isascii() and text.isalpha():
        value = int(text, 36)
    if not least <= value <= most:
        raise PuzzleError(f"{shown(sign)} is no number from {least} to {most}", key=key)
    return value


def areas(
    case: Mapping[str, Any], key: str, shape: tuple[int, int]
) -> tuple[list[str], dict[str, list[tuple[int, int]]]]:
    """A map of regions as lines of letters, and the places of each region."""
    rows = board(case, key, shape)
    flat = [sign for row in rows for sign in row]
    if len(set(flat)) > len(SIGNS):
        raise PuzzleError(f"there are {len(set(flat))} regions, {len(SIGNS)} at most", key=key)
    inside: dict[str, list[tuple[int, int]]] = {}
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            inside.setdefault(sign, []).append((row, column))
    return letter_lines(flat, shape[1]), inside


def givens(rows: list[list[str]], least: int, most: int, key: str = "board") -> list[list[int | str]]:
    """Numbers where they stand, `.` elsewhere."""
    return [[number(sign, key, least, most) if sign else OPEN for sign in row] for row in rows]


def cells(places: Sequence[tuple[int, int]]) -> str:
    """Places as a rule has them."""
    return " ".join(f"r{row + 1}c{column + 1}" for row, column in places)


def around(row: int, column: int, shape: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """A place and the up to eight around it."""
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if 0 <= row + down < shape[0] and 0 <= column + right < shape[1]:
                yield row + down, column + right


def touching(shape: tuple[int, int]) -> list[str]:
    """Every two cells that touch, at a corner too."""
    rows, cols = shape
    steps = ((0, 1), (1, -1), (1, 0), (1, 1))
    return [
        f"{name(row * cols + column, cols)} r{row + down + 1}c{column + right + 1}"
        for row in range(rows)
        for column in range(cols)
        for down, right in steps
        if row + down < rows and 0 <= column + right < cols
    ]


def plain(
    shape: tuple[int, int], values: Sequence[int], rules: Rules, held: Any = None, holes: str = ""
) -> dict[str, Any]:
    """The tables of a grid file."""
    grid: dict[str, Any] = {"rows": shape[0], "cols": shape[1], "values": list(values)}
    grid |= {"givens": held} if held is not None else {}
    grid |= {"holes": holes} if holes else {}
    return {"grid": grid, "rule": rules}
