"""Documents of cases: `{"towers": [{"name": ..., "board": {...}, "ground": [...]}]}`, a list for each game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files.base import Written
from dgsolve.grid_files.case_numbers import NUMBERS
from dgsolve.grid_files.case_shading import SHADING

_SHADED = {"B": 1, "X": 1, "*": 1, "W": 0, "": 0}
_COLOURS = "RGBY"


def is_cases(value: Any) -> bool:
    """Whether a JSON value is such a document: lists alone, and some member of one has a table `board`."""
    if not isinstance(value, Mapping) or not value or not all(isinstance(listed, list) for listed in value.values()):
        return False
    members = [member for listed in value.values() for member in listed]
    return bool(members) and all(isinstance(m, Mapping) and isinstance(m.get("board"), Mapping) for m in members)


def cases_of(value: Mapping[str, list[Mapping[str, Any]]]) -> Iterator[tuple[str, Written | PuzzleError]]:
    """The key of every case with what it says, or why it cannot be read."""
    for game, listed in value.items():
        for place, case in enumerate(listed, 1):
            key = f"{game}[{place}]"
            try:
                yield key, _case(game, case)
            except UsageError as error:
                yield key, PuzzleError(error.message, key=f"{key}.board", hint=error.hint)
            except PuzzleError as error:
                error.key = f"{key}.board.{error.key}" if error.key else key
                yield key, error


def _case(game: str, case: Mapping[str, Any]) -> Written:
    made = {**NUMBERS, **SHADING}.get(game)
    if made is None:
        known = ", ".join(sorted({**NUMBERS, **SHADING}))
        raise PuzzleError(f"the game {game} is not read here", hint=f"Games: {known}.")
    record = made(case["board"])
    return Written(record, _answer(game, case.get("ground")), f"{game} {case.get('name', '')}".strip())


def _answer(game: str, ground: Any) -> list[int] | None:
    """The cells of a solution by slot; None where there is none, or in signs that are not known."""
    if isinstance(ground, Mapping):
        flat = [str(sign) for _, sign in sorted(ground.items(), key=lambda item: (len(item[0]), item[0]))]
        return [_COLOURS.index(sign) + 1 for sign in flat] if set(flat) <= set(_COLOURS) and game == "map" else None
    if not isinstance(ground, list) or not all(isinstance(row, list) for row in ground):
        return None
    flat = [str(sign).strip() for row in ground for sign in row]
    if game == "kakuro":
        flat = [sign for sign in flat if sign]
    numbers = [_SHADED[sign] if sign in _SHADED and game in SHADING else _number(sign) for sign in flat]
    return None if None in numbers else [held for held in numbers if held is not None]


def _number(sign: str) -> int | None:
    if sign.isascii() and sign.isdigit() and len(sign) < 6:
        return int(sign)
    return int(sign, 36) if len(sign) == 1 and sign.isascii() and sign.isalpha() else None
