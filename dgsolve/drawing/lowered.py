"""Layouts with fewer lines between their rows, for screens that are too low for all that rules draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dgsolve.drawing.marks import Cage, Mark, Name, Sign, Thermo
from dgsolve.plural import counted
from dgsolve.problem import GridLayout

Lowered = tuple[GridLayout, str]  # a layout, and what was left out, in words


def lowered(layout: GridLayout) -> Iterator[Lowered]:
    """First without cages and signs, then without regions and boxes too; nothing where nothing can be left out."""
    kept = tuple(mark for mark in layout.marks if not _is_fine(mark, len(layout.symbols)))
    if any(isinstance(mark, Name) for mark in kept):
        return  # a name is no wall
    said = _counts(layout.marks, kept)
    if said:
        yield replace(layout, marks=kept), said
    bare = tuple(mark for mark in kept if not isinstance(mark, Cage))
    has_boxes = (layout.box_rows, layout.box_cols) != (layout.rows, layout.cols)
    if has_boxes or len(bare) < len(kept):
        whole = replace(layout, marks=bare, box_rows=layout.rows, box_cols=layout.cols)
        yield whole, f"{said}, {_REGIONS}" if said else _REGIONS


_REGIONS = "walls of regions"


def _is_fine(mark: Mark, values: int) -> bool:
    """Whether it takes lines between rows: a region is a cage without a clue, of as many cells as there are values."""
    if isinstance(mark, Name):
        return False
    return isinstance(mark, Sign | Thermo) or (isinstance(mark, Cage) and bool(mark.text or len(mark.slots) < values))


def _counts(all_marks: tuple[Mark, ...], kept: tuple[Mark, ...]) -> str:
    gone = [mark for mark in all_marks if mark not in kept]
    kinds = ((Cage, "cage"), (Sign, "sign"), (Thermo, "thermometer"))
    counts = [(sum(isinstance(mark, kind) for mark in gone), one) for kind, one in kinds]
    return ", ".join(counted(count, one) for count, one in counts if count)
