"""A grid as text: givens and answers read, lines, rows and a picture written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.problems.grid_cells import Cells
from dgsolve.problems.grid_values import HOLE, OPEN, Values
from dgsolve.shortened import shown

Held = tuple[int | None, ...]  # the number in each slot, None where it is open


def read_held(cells: Cells, values: Values, written: Any) -> Held:
    """Numbers by slot from text, lines or rows, one flat list, or {cell: value}; raises UsageError."""
    if isinstance(written, Mapping):
        held: list[int | None] = [None] * len(cells)
        for name, value in written.items():
            for slot in cells.slots(name):
                held[slot] = values.read(value)
        return tuple(held)
    signs = [sign for line in _lines(written) for sign in _signs(line, values)]
    if cells.rows and len(signs) == cells.rows * cells.cols > len(cells):
        signs = _without_holes(cells, signs)
    if len(signs) != len(cells):
        raise UsageError(f"there are {len(signs)} cells, the grid has {len(cells)}", hint=_hint(cells))
    return tuple(map(values.read, signs))


def _hint(cells: Cells) -> str:
    shape = f"{cells.rows} lines of {cells.cols}" if cells.rows else "the cells in their order"
    return f"Write {shape}, {OPEN} for an open cell{f', {HOLE} for a hole' if cells.rows else ''}."


def _without_holes(cells: Cells, signs: Sequence[Any]) -> list[Any]:
    for (row, column), sign in zip(((r, c) for r in range(cells.rows) for c in range(cells.cols)), signs, strict=True):
        if sign == HOLE and f"r{row + 1}c{column + 1}" in cells.index:
            raise UsageError(f"r{row + 1}c{column + 1} is written as a hole, and is none")
    return [signs[row * cells.cols + column] for row, column in cells.places]


def _lines(written: Any) -> Iterable[Any]:
    if isinstance(written, str):
        return written.split("\n")
    if not isinstance(written, Iterable) or getattr(written, "ndim", 1) == 0:
        raise UsageError(f"{shown(written)} are no cells of a grid", hint="Write lines of text, or a list of rows.")
    return written


def _signs(line: Any, values: Values) -> Iterator[Any]:
    """What stands in the cells of one line; a text without spaces has one character a cell."""
    if not isinstance(line, str):
        yield from [line] if not isinstance(line, Iterable) or getattr(line, "ndim", 1) == 0 else line
        return
    for part in line.replace(",", " ").replace("|", " ").split():
        if values.spaced or part in values.number_of:
            yield part
        else:
            yield from part


def holes_of(rows: int, cols: int, givens: Any) -> list[tuple[int, int]]:
    """Where # stands in givens that are a text or lines of one character a cell."""
    lines = givens.split("\n") if isinstance(givens, str) else givens
    if not isinstance(lines, Sequence) or not all(isinstance(line, str) for line in lines):
        return []
    signs = "".join("".join(line.split()) for line in lines)
    if len(signs) != rows * cols:
        signs = [sign for line in lines for sign in line.split()]  # type: ignore[assignment]
    if len(signs) != rows * cols:
        return []
    return [divmod(number, cols) for number, sign in enumerate(signs) if sign == HOLE]


def rows_of(cells: Cells, values: Values, held: Held) -> list[str]:
    """One text a row, holes as #; of named cells one text in all."""
    shown_cells = [OPEN if number is None else values.symbol(number) for number in held]
    gap = " " if values.spaced else ""
    if not cells.rows:
        return [gap.join(shown_cells)]
    table = [[HOLE] * cells.cols for _ in range(cells.rows)]
    for (row, column), sign in zip(cells.places, shown_cells, strict=True):
        table[row][column] = sign
    return [gap.join(row) for row in table]
