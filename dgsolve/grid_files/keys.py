"""The keys of a grid file: what each may hold, for the reader and for the JSON Schema alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.shortened import shown

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_VALUE = {"type": ["integer", "string"]}
CELLS = {
    "description": 'cells: "r1c1 r1c2", ranges "r1c1:r1c5" (read from the first to the last), lines "r2" and "c3"',
    "anyOf": [_TEXT, _TEXTS],
}
LINES = {
    "description": "lines of text with . for an open cell and # for a hole, rows of values, or {cell: value}",
    "anyOf": [_TEXT, {"type": "array"}, {"type": "object"}],
}
VALUES = {
    "description": 'numbers or texts; also "1-9", or a text of symbols "ABCD"',
    "anyOf": [_TEXT, {"type": "array", "items": _VALUE, "minItems": 1}],
}

GRID: dict[str, dict[str, Any]] = {
    "rows": {"type": "integer", "minimum": 1, "description": "rows of a rectangle"},
    "cols": {"type": "integer", "minimum": 1, "description": "columns of a rectangle"},
    "cells": {**_TEXTS, "description": "names of cells that are no rectangle, such as countries"},
    "holes": {**CELLS, "description": "cells of the rectangle that are none"},
    "values": VALUES,
    "givens": LINES,
    "domains": {
        "type": "object",
        "description": "of cells (as in a rule), the values that they may hold",
        "additionalProperties": VALUES,
    },
}
_LINE_NUMBERS = {"anyOf": [{"const": True}, {"type": "array", "items": {"type": "integer", "minimum": 1}}]}
SCOPES: dict[str, dict[str, Any]] = {
    "cells": CELLS,
    "each": {
        "description": "one rule for each: cells, or a table of cells and parameters of its own",
        "type": "array",
        "items": {"anyOf": [_TEXT, _TEXTS, {"type": "object", "properties": {"cells": CELLS}, "required": ["cells"]}]},
    },
    "rows": {**_LINE_NUMBERS, "description": "one rule for every row, or for those with these numbers"},
    "cols": {**_LINE_NUMBERS, "description": "one rule for every column, or for those with these numbers"},
    "boxes": {**_TEXT, "description": 'one rule for every box of so many rows x columns: "3x3"'},
    "regions": {**LINES, "description": "one rule for each region of a map of letters, one a cell"},
    "diagonals": {"const": True, "description": "one rule for each of the two diagonals"},
    "neighbours": {"const": True, "description": "one rule for every two cells that share an edge"},
}
TOP = {"title": {**_TEXT, "description": "what the puzzle is called"}}


def refuse_unknown(record: Mapping[str, Any], known: Collection[str], at: str) -> None:
    """Raise PuzzleError for a key that nothing knows, with the nearest that is known; `at` is where they stand."""
    for key in record:
        if key not in known:
            close = get_close_matches(str(key), known, 1)
            hint = f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(known)}."
            raise PuzzleError(f"nothing is called {shown(key)} here", key=joined(at, str(key)), hint=hint)


def joined(at: str, key: str) -> str:
    """The place of `key` inside `at`."""
    return f"{at}.{key}" if at else key


def table(record: Any, at: str) -> Mapping[str, Any]:
    """`record` as a table; raises PuzzleError."""
    if not isinstance(record, Mapping):
        raise PuzzleError(f"this must be a table of keys, not {shown(record)}", key=at)
    return record
