"""Constraints of the Interactive Sudoku Solver on cells that they name: cages, lines, dots."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby, pairwise, product

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.machines import machine


def _values(board: Board, arguments: list[str]) -> None:
    for argument in arguments:
        cell, *values = argument.split("_")
        if not values:
            raise PuzzleError(f"{cell} is named without values")
        board.restrict(board.cell(cell), map(board.value, values))


def _cage(board: Board, arguments: list[str]) -> None:
    """No value twice; what a cell that is named twice holds counts twice in the total, which 0 leaves open."""
    total, named = board.number(arguments[0]), [board.cell(text) for text in arguments[1:]]
    cells = list(dict.fromkeys(named))
    if total and len(cells) == len(named):
        board.add("sum", cells, total=total, distinct=True)
        return
    board.add("all_different", cells)
    if total:
        board.weigh(named, [1] * len(named), total)


def _sum(board: Board, arguments: list[str]) -> None:
    first, *weights = arguments[0].split("_")
    cells = [board.cell(text) for text in arguments[1:]]
    if not weights:
        board.weigh(cells, [1] * len(cells), board.number(first))
        return
    if weights[0] != "=" or len(weights) != len(cells) + 1:
        raise PuzzleError("there must be a factor for every cell")
    total, *factors = (
        -board.number(text[1:]) if text.startswith("-") else board.number(text) for text in (first, *weights[1:])
    )
    board.weigh(cells, factors, total)


def _arrow(board: Board, arguments: list[str]) -> None:
    cells = board.line(arguments, 2)
    board.weigh(cells, [1] + [-1] * (len(cells) - 1), 0)


def _double_arrow(board: Board, arguments: list[str]) -> None:
    cells = board.line(arguments, 3)
    board.weigh(cells, [1] + [-1] * (len(cells) - 2) + [1], 0)


def _pill(board: Board, arguments: list[str]) -> None:
    size, cells = board.number(arguments[0], 2), board.line(arguments[1:], 3)
    if size > 3 or size >= len(cells):
        raise PuzzleError(f"a pill of {size} cells does not fit")
    head = sorted(cells[:size])  # numbers are read from left to right, top to bottom
    weights = [10 ** (size - 1 - head.index(cell)) for cell in cells[:size]] + [-1] * (len(cells) - size)
    board.weigh(cells, weights, 0)


def _whisper(board: Board, arguments: list[str]) -> None:
    least = board.number(arguments[0], 1) if arguments[0].isdigit() else 5
    cells = [board.cell(text) for text in arguments[arguments[0].isdigit() :]]  # a loop comes back to its first cell
    most = board.values[-1] - board.values[0]
    if least > most:
        raise PuzzleError(f"no values differ by {least} or more")
    for pair in pairwise(cells):
        board.add("difference", pair, difference=[least, most])


def _renban(board: Board, arguments: list[str]) -> None:
    cells = board.line(arguments)
    for pair in combinations(cells, 2):
        board.add("difference", pair, difference=[1, len(cells) - 1])


def _between(board: Board, arguments: list[str]) -> None:
    first, *middle, last = board.line(arguments, 3)
    tuples = [[a, b, c] for a, b, c in product(board.values, repeat=3) if min(a, c) < b < max(a, c)]
    for cell in middle:
        board.add("table", (first, cell, last), tuples=tuples)


def _lockout(board: Board, arguments: list[str]) -> None:
    least = board.number(arguments[0])
    first, *middle, last = board.line(arguments[1:], 2)
    board.add("difference", (first, last), difference=[least, max(least, board.values[-1] - board.values[0])])
    apart = [t for t in product(board.values, repeat=3) if abs(t[0] - t[2]) >= least]
    tuples = [[a, b, c] for a, b, c in apart if not min(a, c) <= b <= max(a, c)]
    for cell in middle:
        board.add("table", (first, cell, last), tuples=tuples)


def _palindrome(board: Board, arguments: list[str]) -> None:
    cells = board.line(arguments, 2)
    for pair in zip(cells[: len(cells) // 2], reversed(cells), strict=False):
        board.add("equal", pair)


def _zipper(board: Board, arguments: list[str]) -> None:
    cells = board.line(arguments, 3)
    pairs = list(zip(cells[: len(cells) // 2], reversed(cells), strict=False))
    if len(cells) % 2:
        for a, b in pairs:
            board.weigh((a, b, cells[len(cells) // 2]), [1, 1, -1], 0)
        return
    for pair in pairs[1:]:
        board.weigh((*pairs[0], *pair), [1, 1, -1, -1], 0)


def _sum_line(board: Board, arguments: list[str]) -> None:
    """Cut somehow into pieces that each add up to the total; a loop may be cut first at any cell."""
    closed = arguments[-1] == "LOOP"
    total, cells = board.number(arguments[0], 1), board.line(arguments[1 : len(arguments) - closed])

    def step(state: tuple[int, frozenset[int]], place: int, value: int) -> tuple[int, frozenset[int]] | None:
        summed, cuts = state  # of all cells so far, and where a first cut may be, both modulo the total
        left = cuts - {passed % total for passed in range(summed + 1, summed + value)}
        return ((summed + value) % total, left) if left else None

    start = (0, frozenset(range(total if closed else 1)))
    board.add("regular", cells, **machine(board.values, len(cells), start, step, lambda state: state[0] == 0))


def _region_sum(board: Board, arguments: list[str]) -> None:
    """The cells in each box on the line, as often as it enters one, add up to the same."""
    cells = board.line(arguments)

    def add(board: Board) -> None:
        area = {cell: number for number, inside in enumerate(board.areas()) for cell in inside}
        parts = [list(part) for _, part in groupby(cells, key=lambda cell: area.get(cell, -1))]
        for one, other in pairwise(parts):
            weights = [1] * len(one) + [-1] * len(other)
            board.weigh([*one, *other], weights, 0)

    board.late.append(add)


def _groups_in_turn(board: Board, cells: list[int], group: dict[int, int], window: int) -> None:
    """Any `window` cells one after another are of different groups."""
    window = min(window, len(cells))
    tuples = [list(t) for t in product(board.values, repeat=window) if len({group[v] for v in t}) == window]
    for start in range(len(cells) - window + 1):
        board.add("table", cells[start : start + window], tuples=tuples)


def _modular(board: Board, arguments: list[str]) -> None:
    modulus = board.number(arguments[0], 2)
    if modulus > 4:
        raise PuzzleError(f"a line modulo {modulus} cannot be read, 4 at most")
    _groups_in_turn(board, board.line(arguments[1:]), {value: value % modulus for value in board.values}, modulus)


def _entropic(board: Board, arguments: list[str]) -> None:
    third = -(-len(board.values) // 3)
    groups = {value: at // third for at, value in enumerate(board.values)}
    _groups_in_turn(board, board.line(arguments), groups, 3)


def _neighbours(board: Board, arguments: list[str]) -> list[tuple[int, int]]:
    found = board.neighbours(board.line(arguments, 2))
    if not found:
        raise PuzzleError("no two of its cells share an edge")
    return found


def _white(board: Board, arguments: list[str]) -> None:
    for pair in _neighbours(board, arguments):
        board.dots.add(frozenset(pair))
        board.add("adjacent", pair)


def _black(board: Board, arguments: list[str]) -> None:
    for pair in _neighbours(board, arguments):
        board.dots.add(frozenset(pair))
        board.add("ratio", pair, ratio=2)


def _adding(total: int) -> Constraint:
    def add(board: Board, arguments: list[str]) -> None:
        for pair in _neighbours(board, arguments):
            board.letters.add(frozenset(pair))
            board.add("sum", pair, total=total)

    return add


def _greater(board: Board, arguments: list[str]) -> None:
    for one, other in _neighbours(board, arguments):
        board.add("less_than", (other, one))


def _quad(board: Board, arguments: list[str]) -> None:
    corner = board.cell(arguments[0])
    row, col = board.place(corner)
    if row + 1 >= board.rows or col + 1 >= board.cols:
        raise PuzzleError(f"{arguments[0]} is no upper left cell of 2x2 cells")
    cells = [corner, corner + 1, corner + board.cols, corner + board.cols + 1]
    for value, times in Counter(map(board.value, arguments[1:])).items():
        board.add("count", cells, values=[value], times=[times, 4])


def _contain(board: Board, arguments: list[str], *, exact: bool) -> None:
    cells = board.line(arguments[1:])
    for value, times in Counter(map(board.value, arguments[0].split("_"))).items():
        board.add("count", cells, values=[value], times=times if exact else [times, len(cells)])


def _look_and_say(board: Board, arguments: list[str]) -> None:
    cells, text = board.line(arguments[1:]), arguments[0]
    if len(text) % 2 or not (text.isascii() and text.isdigit()):
        raise PuzzleError(f"{text!r} is no list of counts and values")
    for times, value in zip(text[::2], text[1::2], strict=True):
        board.add("count", cells, values=[board.value(value)], times=int(times))


def _thermo(board: Board, arguments: list[str]) -> None:
    board.add("less_than", board.line(arguments, 2))


LINES: dict[str, Constraint] = {
    "": _values,
    "Given": _values,
    "Cage": _cage,
    "Sum": _sum,
    "AllDifferent": lambda board, arguments: board.add("all_different", board.line(arguments)),
    "Thermo": _thermo,
    "Whisper": _whisper,
    "Renban": _renban,
    "Arrow": _arrow,
    "DoubleArrow": _double_arrow,
    "PillArrow": _pill,
    "Between": _between,
    "Lockout": _lockout,
    "Palindrome": _palindrome,
    "Zipper": _zipper,
    "SumLine": _sum_line,
    "RegionSumLine": _region_sum,
    "Modular": _modular,
    "Entropic": _entropic,
    "WhiteDot": _white,
    "BlackDot": _black,
    "X": _adding(10),
    "V": _adding(5),
    "GreaterThan": _greater,
    "Quad": _quad,
    "ContainExact": lambda board, arguments: _contain(board, arguments, exact=True),
    "ContainAtLeast": lambda board, arguments: _contain(board, arguments, exact=False),
    "LookAndSay": _look_and_say,
}
