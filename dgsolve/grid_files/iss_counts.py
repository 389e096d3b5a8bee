"""Constraints of the Interactive Sudoku Solver that count, point or weigh along their cells."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.machines import machine


def _circles(board: Board, arguments: list[str]) -> None:
    """A value in a circle stands in as many circles as it says."""
    cells = board.line(arguments)
    for value in board.values:

        def step(state: int, place: int, held: int, value: int = value) -> int | None:
            state += held == value
            return state if state <= value else None

        ends = (0, value)
        board.add("regular", cells, **machine(board.values, len(cells), 0, step, ends.__contains__))


def _lunchbox(board: Board, arguments: list[str]) -> None:
    """What stands between the least and the greatest value adds up to the total; no value twice."""
    total, cells = board.number(arguments[0]), board.line(arguments[1:], 2)

    def step(state: Any, place: int, value: int) -> Any:
        if place == 0:
            return (value, value, 0, 0, 0)
        low, high, after_low, after_high, between = state
        if value in (low, high):
            return None
        if value < low:
            return (value, high, 0, after_high + value, after_high)
        if value > high:
            return (low, value, after_low + value, 0, after_low)
        return (low, high, after_low + value, after_high + value, between)

    board.add("all_different", cells)
    board.add("regular", cells, **machine(board.values, len(cells), (), step, lambda state: state[4] == total))


def _equality(board: Board, arguments: list[str]) -> None:
    """As many even as odd values, as many low as high ones, none in the middle, none twice."""
    cells, values = board.line(arguments), board.values
    middle = values[0] + values[-1]  # twice the value in the middle

    def step(state: tuple[int, int], place: int, value: int) -> tuple[int, int] | None:
        if 2 * value == middle:
            return None
        return state[0] + (1 if value % 2 else -1), state[1] + (1 if 2 * value > middle else -1)

    board.add("all_different", cells)
    board.add("regular", cells, **machine(values, len(cells), (0, 0), step, lambda state: state == (0, 0)))


def _rellik(board: Board, arguments: list[str]) -> None:
    """No values of the cage add up to the total, and none stands twice."""
    total, cells = board.number(arguments[0], 1), board.line(arguments[1:])
    full = (1 << (total + 1)) - 1

    def step(state: int, place: int, value: int) -> int | None:
        state = (state | state << value) & full  # bit s: some of the values add up to s
        return None if state >> total else state

    board.add("all_different", cells)
    board.add("regular", cells, **machine(board.values, len(cells), 1, step, lambda state: True))


def _indexing(board: Board, arguments: list[str]) -> None:
    """C: in a cell of column c, value v says that c stands in column v of the row; R the same for rows."""
    if arguments[0] not in ("R", "C"):
        raise PuzzleError("the first argument is R or C")
    for cell in board.line(arguments[1:]):
        row, col = board.place(cell)
        own, length = (col + 1, board.cols) if arguments[0] == "C" else (row + 1, board.rows)
        board.restrict(cell, range(1, length + 1))
        for value in board.domains[cell]:
            other = row * board.cols + value - 1 if arguments[0] == "C" else (value - 1) * board.cols + col
            if other != cell:
                wrong = [[value, held] for held in board.values if held != own]
                board.add("table", (cell, other), tuples=wrong, forbidden=True)


def _value_indexing(board: Board, arguments: list[str]) -> None:
    """The second value says how many cells after it the first value stands again; cells may be named several times."""
    named = [board.cell(text) for text in arguments]
    if len(named) < 3 or named[0] == named[1]:
        raise PuzzleError("this needs 3 cells or more, the first two of them different")
    cells = list(dict.fromkeys(named))
    after = {place: {at for at, other in enumerate(named[2:], 1) if other == cell} for place, cell in enumerate(cells)}

    def step(state: Any, place: int, value: int) -> Any:
        if place == 0:
            return (value, None)
        first, steps = state if place > 1 else (state[0], value)
        if not 1 <= steps < len(named) - 1 or (steps in after[place] and value != first):
            return None
        return (first, steps)

    board.add("regular", cells, **machine(board.values, len(cells), (), step, lambda state: True))


def _same_values(board: Board, arguments: list[str]) -> None:
    """The cells are so many sets, of one size, that hold the same values."""
    sets, cells = board.number(arguments[0], 1), board.line(arguments[1:])
    if len(cells) % sets:
        raise PuzzleError(f"{len(cells)} cells are not {sets} sets of one size")
    size = len(cells) // sets
    if size == 1:
        board.add("equal", cells)
        return
    for one, other in pairwise(cells[start : start + size] for start in range(0, len(cells), size)):
        _alike(board, one, other)


def _alike(board: Board, one: list[int], other: list[int]) -> None:
    """Two sets of cells, which may share some, hold the same values, each as often."""
    own, rest = [cell for cell in one if cell not in other], [cell for cell in other if cell not in one]
    for value in board.values if own or rest else ():

        def step(state: int, place: int, held: int, value: int = value) -> int:
            return state + (held == value) * (1 if place < len(own) else -1)

        cells = [*own, *rest]
        board.add("regular", cells, **machine(board.values, len(cells), 0, step, lambda state: state == 0))


def regions_alike(board: Board, arguments: list[str]) -> None:
    """The largest areas, be they rows, columns, boxes or pieces, hold the same values."""

    def add(board: Board) -> None:
        areas = [*board.areas(), *board.lines_of_cells()]
        largest = [area for area in areas if len(area) == max(map(len, areas))]
        if len(largest[0]) != len(board.values):
            for one, other in pairwise(largest):
                _alike(board, one, other)

    board.late.append(add)


def _count_distinct(board: Board, arguments: list[str]) -> None:
    """The first cell says how many values the others hold."""
    first, *counted = board.line(arguments, 2)

    def step(state: frozenset[int], place: int, value: int) -> frozenset[int] | None:
        if place < len(counted):
            return state | {value}
        return state if value == len(state) else None

    board.add("regular", [*counted, first], **machine(board.values, len(arguments), frozenset(), step, bool))


def _equal_sums(board: Board, arguments: list[str]) -> None:
    """Groups of cells, parted by a dash, add up to the same."""
    groups: list[list[str]] = [[]]
    for argument in arguments:
        if argument == "-":
            groups.append([])
        else:
            groups[-1].append(argument)
    first, *rest = [board.line(group) for group in groups]
    for other in rest:
        plus, minus = [c for c in first if c not in other], [c for c in other if c not in first]
        if plus or minus:
            weights = [1] * len(plus) + [-1] * len(minus)
            board.weigh([*plus, *minus], weights, 0)


COUNTS: dict[str, Constraint] = {
    "CountingCircles": _circles,
    "Lunchbox": _lunchbox,
    "EqualityCage": _equality,
    "RellikCage": _rellik,
    "Indexing": _indexing,
    "ValueIndexing": _value_indexing,
    "SameValues": _same_values,
    "CountDistinct": _count_distinct,
    "EqualSum": _equal_sums,
}
