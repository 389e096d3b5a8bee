"""What kinds of puzzle share while they make their grids: squares of lines, pairs of neighbours, cages, clues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import blaming
from dgsolve.grid_kinds.options import Cage, cells_of_lines
from dgsolve.pieces import beside, pieces
from dgsolve.plural import counted
from dgsolve.problems.grid import Grid

LARGEST = 100  # rows and columns


def latin_grid(size: int, givens: Any, title: str, values: Any = None) -> Grid:
    """size x size cells, every value once in each row and column; the values are 1 to size unless they are given."""
    grid = square_grid(size, givens, title, values)
    for line in [*grid.rows(), *grid.cols()]:
        grid.all_different(line)
    return grid


def square_grid(size: int, givens: Any, title: str, values: Any = None) -> Grid:
    """size x size cells, of as many values."""
    if size > LARGEST:
        raise UsageError(f"size: a grid of {size}x{size} is too large, {LARGEST} at most")
    with blaming("values"):
        grid = Grid(size, size, values=range(1, size + 1) if values is None else values, title=title)
        if len(grid.values) != size:
            raise UsageError(f"there are {counted(len(grid.values), 'value')}, the grid needs {size}")
    return with_givens(grid, givens)


def with_givens(grid: Grid, givens: Any) -> Grid:
    """The grid with these givens, if there are any."""
    with blaming("givens"):
        return grid if givens is None else grid.copy(givens=givens)


def board_of(option: str, lines: Sequence[Any], sign: str = "cell") -> list[list[Any]]:
    """What stands in the cells of a board, row by row; raises UsageError for rows that are not equally long."""
    board = cells_of_lines(lines)
    for number, line in enumerate(board, 1):
        if len(line) != len(board[0]):
            message = f"{option}[{number}]: this line has {counted(len(line), sign)}, the first has {len(board[0])}"
            raise UsageError(message, hint="All lines must be equally long.")
    return board


def neighbours_of(grid: Grid, option: str, pairs: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The two cells of every pair; raises UsageError for what is no pair of cells that share an edge."""
    for number, cells in enumerate(pairs, 1):
        with blaming(f"{option}[{number}]"):
            slots = grid.cells.slots(cells)
            names = [grid.cell(slot) for slot in slots]
            if len(names) != 2:
                raise UsageError(f"this names {counted(len(names), 'cell')}", hint='Write two of them: "r1c1 r1c2".')
            (r, c), (other_r, other_c) = (grid.cells.places[slot] for slot in slots)
            if abs(r - other_r) + abs(c - other_c) != 1:
                raise UsageError(f"{names[0]} and {names[1]} share no edge", hint="Name two neighbours.")
            yield names[0], names[1]


def cage_cells(grid: Grid, cages: Sequence[Cage], *, connected: bool = False, partition: bool = False) -> list[Any]:
    """The slots of every cage; raises UsageError where they overlap, fall apart, or leave cells out and should not."""
    owner: dict[int, int] = {}
    found = []
    for number, cage in enumerate(cages, 1):
        with blaming(f"cages[{number}]"):
            slots = grid.cells.slots(cage.cells)
            for slot in slots:
                if slot in owner:
                    other = "is named twice" if owner[slot] == number else f"is in cage {owner[slot]} too"
                    raise UsageError(f"{grid.cell(slot)} {other}", hint="Cages must not overlap.")
                owner[slot] = number
            if connected:
                _refuse_pieces(grid, slots)
            found.append(slots)
    without = [grid.cell(slot) for slot in range(len(grid.cells)) if slot not in owner]
    if partition and without:
        few = ", ".join(without[:3]) + (" ..." if len(without) > 3 else "")
        raise UsageError(f"cages: {counted(len(without), 'cell')} in no cage: {few}", hint="Every cell needs a cage.")
    return found


def _refuse_pieces(grid: Grid, slots: Sequence[int]) -> None:
    places = [grid.cells.places[slot] for slot in slots]
    found = pieces(places, beside(places))
    if len(found) > 1:
        smallest = min(found, key=len)
        apart = grid.cells.line(smallest)[0]
        raise UsageError(f"{apart} is apart from the rest of its cage", hint="Make it a cage of its own.")


def refuse_jumps(grid: Grid, slots: Sequence[int]) -> None:
    """Raise UsageError where one cell and the next do not touch, by an edge or a corner."""
    for first, second in pairwise(slots):
        (r, c), (other_r, other_c) = grid.cells.places[first], grid.cells.places[second]
        if max(abs(r - other_r), abs(c - other_c)) > 1:
            raise UsageError(f"{grid.cell(first)} and {grid.cell(second)} do not touch", hint="Name all cells between.")


def refuse_sum(count: int, total: int | None, numbers: Sequence[int]) -> None:
    """Raise UsageError where no `count` different ones of the numbers, or none that add up to `total`, are there."""
    held = sorted(numbers)
    if count > len(held):
        raise UsageError(f"{counted(count, 'cell')} cannot hold {len(held)} values, none twice")
    least, most = sum(held[:count]), sum(held[-count:])
    if total is not None and not least <= total <= most:
        raise UsageError(f"{counted(count, 'cell')} add up to {least} to {most}, not to {total}")


def checked_clues(option: str, clues: Sequence[int | None], lines: int, least: int, most: int) -> Sequence[int | None]:
    """The clues of one side, one for each line (none at all where the list is empty); raises UsageError."""
    if clues and len(clues) != lines:
        raise UsageError(f"{option}: there are {counted(len(clues), 'clue')} for {lines} lines")
    for number, clue in enumerate(clues, 1):
        if clue is not None and not least <= clue <= most:
            raise UsageError(f"{option}[{number}]: {clue} is impossible: a clue is {least} to {most}")
    return clues or (None,) * lines
