"""The rules of a Sudoku: houses, what excludes what, and what an answer breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dgsolve.factor_graph import FactorGraph
from dgsolve.problem import Fault
from dgsolve.problems.sudoku_symbols import cell_name

if TYPE_CHECKING:
    from dgsolve.problems.sudoku import Sudoku


@lru_cache(maxsize=64)
def houses(box_rows: int, box_cols: int) -> tuple[tuple[int, ...], ...]:
    """The slots of every row, then every column, then every box."""
    size = box_rows * box_cols
    grid = np.arange(size * size).reshape(size, size)
    boxes = grid.reshape(box_cols, box_rows, box_rows, box_cols).transpose(0, 2, 1, 3).reshape(size, size)
    return tuple(tuple(house.tolist()) for house in np.concatenate([grid, grid.T, boxes]))


@lru_cache(maxsize=64)
def peers(box_rows: int, box_cols: int) -> np.ndarray:
    """Bool [L, L]: two different slots that share a house."""
    slots = (box_rows * box_cols) ** 2
    table = np.zeros((slots, slots), dtype=bool)
    for house in houses(box_rows, box_cols):
        table[np.ix_(house, house)] = True
    np.fill_diagonal(table, False)
    return table


def taken(box_rows: int, box_cols: int, held: np.ndarray) -> np.ndarray:
    """Bool [L, n]: the values that some cell of a slot's row, column or box holds; held Bool [L, n]."""
    in_house = held[_members(box_rows, box_cols)].any(1)  # [H, n]
    return in_house[houses_of_slots(box_rows, box_cols)].any(1)


@lru_cache(maxsize=64)
def _members(box_rows: int, box_cols: int) -> np.ndarray:
    return np.array(houses(box_rows, box_cols))  # [H, n]


@lru_cache(maxsize=64)
def houses_of_slots(box_rows: int, box_cols: int) -> np.ndarray:
    """Int [L, 3]: the row, column and box of each slot."""
    members = _members(box_rows, box_cols)
    return np.argsort(members.ravel(), kind="stable").reshape(-1, 3) // members.shape[1]


@lru_cache(maxsize=64)
def factor_graph(box_rows: int, box_cols: int) -> FactorGraph:
    """Each cell, and each row, column and box with each value, as exactly-one groups."""
    size = box_rows * box_cols
    return FactorGraph.from_houses(size * size, size, houses(box_rows, box_cols))


def faults(puzzle: Sudoku, answer: Sequence[int | None]) -> Iterator[Fault]:
    """What an answer breaks; values that could not be read are None."""
    if len(answer) != len(puzzle.givens):
        yield Fault(f"the answer has {len(answer)} cells, the grid has {len(puzzle.givens)}")
        return
    for slot, (value, given) in enumerate(zip(answer, puzzle.givens, strict=True)):
        message = _cell_fault(puzzle, slot, value, given)
        if message:
            yield Fault(f"{cell_name(slot, puzzle.size)} {message}", (cell_name(slot, puzzle.size),), (slot,))
    yield from repeats(puzzle, answer)


def _cell_fault(puzzle: Sudoku, slot: int, value: int | None, given: int) -> str:
    if value is None or not 1 <= value <= puzzle.size:
        return "holds no value" if not value else f"holds {value}, which is not a value from 1 to {puzzle.size}"
    shown = puzzle.symbols[value - 1]
    if given and value != given:
        return f"holds {shown}, but {puzzle.symbols[given - 1]} is given there"
    if puzzle.pencilmarks is not None and not given and value not in puzzle.pencilmarks[slot]:
        return f"holds {shown}, which its pencil marks rule out"
    return ""


def repeats(puzzle: Sudoku, values: Sequence[int | None]) -> list[Fault]:
    """A fault for every set of cells of one house that hold the same value; the same cells are named once."""
    found: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for index, house in enumerate(puzzle.houses()):
        held: dict[int, list[int]] = {}
        for slot in house:
            value = values[slot]
            if value is not None and 1 <= value <= puzzle.size:
                held.setdefault(value, []).append(slot)
        for value, slots in held.items():
            if len(slots) > 1:
                found.setdefault((value, tuple(slots)), []).append(_house_name(index, puzzle.size))
    return [_repeat_fault(puzzle, value, slots, names) for (value, slots), names in found.items()]


def _repeat_fault(puzzle: Sudoku, value: int, slots: tuple[int, ...], names: list[str]) -> Fault:
    cells = tuple(cell_name(slot, puzzle.size) for slot in slots)
    times = "twice" if len(cells) == 2 else f"{len(cells)} times"
    listed = f"{', '.join(cells[:-1])} and {cells[-1]}"
    return Fault(f"{puzzle.symbols[value - 1]} stands {times} in {' and '.join(names)}: {listed}", cells, slots)


def _house_name(index: int, size: int) -> str:
    return f"{('row', 'column', 'box')[index // size]} {index % size + 1}"


def faulty_slots(puzzle: Sudoku, values: np.ndarray) -> np.ndarray:
    """Bool [B, L]: the slots that `faults` names, for drafts Int [B, L] of values counted from 0."""
    size = puzzle.size
    members = _members(puzzle.box_rows, puzzle.box_cols)  # [H, n]
    inside = (values >= 0) & (values < size)
    held = np.where(inside, values, size)[:, members]  # [B, H, n]
    key = np.arange(held.shape[0] * held.shape[1]).reshape(*held.shape[:2], 1) * (size + 1) + held
    counts = np.bincount(key.ravel(), minlength=held.shape[0] * held.shape[1] * (size + 1))
    marks = ~(inside & puzzle.permitted[np.arange(values.shape[1]), np.where(inside, values, 0)])
    batch, house, place = np.nonzero((counts[key] > 1) & (held < size))
    marks[batch, members[house, place]] = True
    return marks
