"""The fields of a trace's lines: puzzles and frames to JSON and back, checked on the way in."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from dgsolve.drawing.marks import KINDS, Mark
from dgsolve.problem import GridLayout
from dgsolve.shortened import shown
from dgsolve.solution import Blocks, Frame
from dgsolve.ui.recorded_problem import RecordedProblem

MOST = 10**9  # steps, canvases, restarts and seconds
_FLAGS = ("accepted", "locked", "faulty")
_COUNTS = ("step", "canvas", "canvases", "restarts")


def puzzle_fields(problem: RecordedProblem) -> dict[str, Any]:
    """What a puzzle line holds."""
    return {"kind": problem.kind, "title": problem.title, "text": problem.text, "grid": _grid_fields(problem.layout)}


def _grid_fields(layout: GridLayout | None) -> dict[str, Any] | None:
    if layout is None:
        return None
    return {
        "rows": layout.rows,
        "cols": layout.cols,
        "box_rows": layout.box_rows,
        "box_cols": layout.box_cols,
        "symbols": list(layout.symbols),
        "givens": sorted(layout.givens),
        "places": [list(place) for place in layout.places],
        "marks": [[type(mark).__name__, list(mark.slots), mark.text] for mark in layout.marks],
    }


def frame_fields(frame: Frame) -> dict[str, Any]:
    """What a frame line holds; the draft's text only where the problem is no grid."""
    fields: dict[str, Any] = {name: getattr(frame, name) for name in _COUNTS}
    fields |= {name: getattr(frame, name) for name in ("seconds", "values", "probability", "entropy")}
    fields |= {name: "".join("01"[flag] for flag in getattr(frame, name)) for name in _FLAGS}
    if frame.problem.grid() is None:
        pieces = frame.problem.pieces(frame.values)
        fields["text"] = str(frame.problem.decode(frame.values)) if pieces is None else list(pieces)
        fields["forced"] = "".join("01"[flag] for flag in frame.problem.forced(frame.values))
    if frame.blocks is not None:
        fields["blocks"] = asdict(frame.blocks)
    return fields


def recorded_problem(fields: dict[str, Any]) -> RecordedProblem:
    """The puzzle of a puzzle line; raises KeyError, TypeError or ValueError where it is none."""
    kind, title, text = (_typed(fields, name, str) for name in ("kind", "title", "text"))
    return RecordedProblem(kind, title, text, None if fields["grid"] is None else _layout(fields["grid"]))


def _layout(fields: dict[str, Any]) -> GridLayout:
    rows, cols, box_rows, box_cols = (_typed(fields, name, int) for name in ("rows", "cols", "box_rows", "box_cols"))
    if min(rows, cols, box_rows, box_cols) < 1 or rows % box_rows or cols % box_cols:
        raise ValueError(f"a {rows}x{cols} grid has no boxes of {box_rows}x{box_cols}")
    symbols, givens = fields["symbols"], fields["givens"]
    if not symbols or not all(isinstance(symbol, str) and symbol for symbol in symbols):
        raise ValueError("'symbols' must be texts")
    places = tuple(_place(pair, rows, cols) for pair in fields.get("places", ()))
    slots = len(set(places)) or rows * cols
    if len(places) not in (0, slots):
        raise ValueError("'places' names a place twice")
    marks = tuple(_mark(mark, slots) for mark in fields.get("marks", ()))  # traces of before have none
    given = frozenset(_within(givens, slots, "givens"))
    return GridLayout(rows, cols, box_rows, box_cols, tuple(symbols), given, places, marks)


def _place(pair: Any, rows: int, cols: int) -> tuple[int, int]:
    row, column = pair
    return _within([row], rows, "places")[0], _within([column], cols, "places")[0]


def _mark(fields: Any, slots: int) -> Mark:
    kind, cells, text = fields
    if kind not in KINDS or not isinstance(text, str) or not cells:
        raise ValueError(f"'marks' holds {shown(fields)}: a mark is one of {', '.join(KINDS)}, its slots and a text")
    return KINDS[kind](_within(cells, slots, "marks"), text)


def frame(fields: dict[str, Any], problem: RecordedProblem) -> Frame:
    """The frame of a frame line; raises KeyError, TypeError or ValueError where it is none."""
    layout = problem.layout
    slots = layout.slots if layout else len(fields["values"])
    values = _within(fields["values"], len(layout.symbols) if layout else None, "values", -1 if layout is None else 0)
    if layout is None:
        problem.drafts[values] = _draft(fields["text"])
        problem.certain[values] = _flags({"forced": "", **fields}, "forced")[: len(values)]
    lists: dict[str, tuple[Any, ...]] = {
        "values": values,
        "probability": _numbers(fields, "probability", 1.0),
        "entropy": _numbers(fields, "entropy", math.inf),
    } | {name: _flags(fields, name) for name in _FLAGS}
    for name, entries in lists.items():
        if len(entries) != slots:
            raise ValueError(f"'{name}' has {len(entries)} entries, the canvas has {slots} slots")
    if not slots:
        raise ValueError("the canvas has no slots")
    counts: dict[str, Any] = {name: _within([_typed(fields, name, int)], MOST, name)[0] for name in _COUNTS}
    seconds = _numbers({"seconds": [fields["seconds"]]}, "seconds", MOST)[0]
    blocks = None if fields.get("blocks") is None else _blocks(fields["blocks"])
    return Frame(problem, seconds=seconds, blocks=blocks, **counts | lists)


def _blocks(fields: dict[str, Any]) -> Blocks:
    counts = {name: _within([_typed(fields, name, int)], MOST, name, 1)[0] for name in ("most", "count")}
    steps = _within(fields["steps"], MOST, "steps", 1)
    if not 0 < len(steps) <= counts["count"]:
        raise ValueError(f"'steps' has {len(steps)} entries, and there are {counts['count']} blocks")
    return Blocks(steps, ended=_typed(fields, "ended", bool), **counts)


def _draft(text: Any) -> str | tuple[str, ...]:
    """What a frame's values spell, in one piece or slot by slot."""
    if isinstance(text, list) and all(isinstance(piece, str) for piece in text):
        return tuple(text)
    return str(_typed({"text": text}, "text", str))


def _typed(fields: dict[str, Any], name: str, kind: type) -> Any:
    value = fields[name]
    if not isinstance(value, kind):
        raise ValueError(f"'{name}' must be {'a text' if kind is str else 'a whole number'}, not {value!r}")
    return value


def _within(values: Any, limit: int | None, name: str, least: int = 0) -> tuple[int, ...]:
    for value in values:
        if not isinstance(value, int) or value < least or (limit is not None and value >= limit):
            said = f"'{name}' holds {shown(value)}"
            raise ValueError(f"{said}, which is not a whole number from {least} to {(limit or 0) - 1}")
    return tuple(values)


def _numbers(fields: dict[str, Any], name: str, high: float) -> tuple[float, ...]:
    for value in fields[name]:
        if not isinstance(value, int | float) or not -1e-3 <= value <= high + 1e-3:
            raise ValueError(f"'{name}' holds {shown(value)}, which is out of range")
    return tuple(map(float, fields[name]))


def _flags(fields: dict[str, Any], name: str) -> tuple[bool, ...]:
    flags = _typed(fields, name, str)
    if set(flags) - {"0", "1"}:
        raise ValueError(f"'{name}' must be a text of 0 and 1")
    return tuple(flag == "1" for flag in flags)
