"""Types of options that kinds of puzzle share: cells, cages, clues beside lines, a board of lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dgsolve.rules.parameters import Parameter, Whole
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_whole

_CELLS: dict[str, Any] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


@dataclass(frozen=True)
class CellsText(Parameter):
    """Cells: "r1c1 r1c2", "r1c1:r1c5", or a list of names."""

    def read(self, raw: Any, numbers: Any) -> Any:
        listed = isinstance(raw, Sequence) and not isinstance(raw, str)
        if not raw or not (isinstance(raw, str) or (listed and all(isinstance(name, str) for name in raw))):
            raise ValueError(f'cells as "r1c1 r1c2", not {shown(raw)}')
        return raw if isinstance(raw, str) else tuple(raw)

    def schema(self) -> dict[str, Any]:
        return _CELLS


class Cage(NamedTuple):
    """cells: as text or names. target: what they come to, None where nothing is said. op: + - * / or none."""

    cells: Any
    target: int | None = None
    op: str | None = None


@dataclass(frozen=True)
class Cages(Parameter):
    """A list of {cells, `amount`}, and op where `ops` lists any; the amount may be left out unless it is `needed`."""

    amount: str
    ops: tuple[str, ...] = ()
    needed: bool = False

    def read(self, raw: Any, numbers: Any) -> tuple[Cage, ...]:
        if not isinstance(raw, Sequence) or isinstance(raw, str):
            raise ValueError(f"a list of tables, not {shown(raw)}")
        return tuple(self._cage(item, number) for number, item in enumerate(raw, 1))

    def _cage(self, item: Any, number: int) -> Cage:
        known = ("cells", self.amount, *(("op",) if self.ops else ()))
        form = f"{{{', '.join(known)}}}"
        if isinstance(item, Cage):
            return item
        if not isinstance(item, Mapping) or "cells" not in item or not set(item) <= set(known):
            raise ValueError(f"a list of tables {form}; number {number} is {shown(item)}")
        if self.needed and self.amount not in item:
            raise ValueError(f"a list of tables {form}; number {number} has no {self.amount}")
        try:
            cells = CellsText().read(item["cells"], {})
            target = Whole(0).read(item[self.amount], {}) if self.amount in item else None
        except ValueError as error:
            raise ValueError(f"a list of tables {form}; number {number} needs {error}") from None
        op = item.get("op") or None
        if op is not None and op not in self.ops:
            raise ValueError(f"with op one of {' '.join(self.ops)}; number {number} has {shown(op)}")
        return Cage(cells, target, op)

    def schema(self) -> dict[str, Any]:
        amount = {self.amount: {"type": "integer", "minimum": 0}}
        op = {"op": {"enum": [*self.ops, ""]}} if self.ops else {}
        required = ["cells", *([self.amount] if self.needed else [])]
        table = {"type": "object", "properties": {"cells": _CELLS, **amount, **op}, "required": required}
        return {"type": "array", "items": {**table, "additionalProperties": False}}


@dataclass(frozen=True)
class Clues(Parameter):
    """Numbers beside lines, one each; `none` and "" say that there is none, which is held as None."""

    none: int = 0

    def read(self, raw: Any, numbers: Any) -> tuple[int | None, ...]:
        if not isinstance(raw, Sequence) or isinstance(raw, str):
            raise ValueError(f"a list of numbers, not {shown(raw)}")
        return tuple(None if clue in ("", None, self.none) else Whole(0).read(clue, {}) for clue in raw)

    def schema(self) -> dict[str, Any]:
        whole = {"type": "integer", "minimum": min(self.none, 0)}
        return {"type": "array", "items": {"anyOf": [whole, {"const": ""}]}}


@dataclass(frozen=True)
class Lines(Parameter):
    """A board: a text of lines, or a list of them, or rows of cells; held as a tuple of texts or rows."""

    def read(self, raw: Any, numbers: Any) -> tuple[Any, ...]:
        lines = raw.split("\n") if isinstance(raw, str) else raw
        if not isinstance(lines, Sequence):
            raise ValueError(f"lines of text, not {shown(raw)}")
        kept = tuple(line for line in lines if not isinstance(line, str) or line.strip())
        texts = all(isinstance(line, str) for line in kept)
        if not kept or not (texts or all(isinstance(line, Sequence) and not isinstance(line, str) for line in kept)):
            raise ValueError(f"lines of text, or rows of cells, not {shown(raw)}")
        return kept if texts else tuple(map(tuple, kept))

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": ["string", "array"]}}]}


def cells_of_lines(lines: Sequence[Any]) -> list[list[Any]]:
    """The cells of each line: parts between spaces, or characters where a line has no space, or the row itself."""
    texts = [line.split() if isinstance(line, str) else list(line) for line in lines]
    return [list(cells[0]) if isinstance(line, str) and len(cells) == 1 else cells
            for line, cells in zip(lines, texts, strict=True)]


@dataclass(frozen=True)
class Palette(Parameter):
    """Colours: how many, or their names; held as numbers from 1, or the names."""

    def read(self, raw: Any, numbers: Any) -> tuple[Any, ...]:
        listed = isinstance(raw, Sequence) and not isinstance(raw, str)
        if listed and raw and all(isinstance(name, str) for name in raw):
            return tuple(raw)
        if not is_whole(raw) or not 1 <= int(raw) <= 1000:
            raise ValueError(f"a number of colours from 1, or a list of names, not {shown(raw)}")
        return tuple(range(1, int(raw) + 1))

    def schema(self) -> dict[str, Any]:
        names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
        return {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 1000}, names]}
