"""Compiled Sudoku search: singles propagation and random branching.

Every kernel is generic over the side n = box rows * box columns (4 to 25). Grids are flat uint8
arrays of n*n cells (0 = blank), candidate sets are bit masks (bit v-1 = value v), `units` is the
uint32 [n*n, 3] table of each cell's row, column and box, numbered 0 to 3n-1, and `rng` is a uint64
array of one non-zero xorshift state.
"""

from collections import namedtuple

import numpy as np
from numba import njit

from dgsolve.problems.sudoku_rules import houses_of_slots

UNKNOWN = -1

_Board = namedtuple("_Board", "units full marks used once twice trail top")


def unit_table(box_rows: int, box_cols: int) -> np.ndarray:
    """The row, column and box number of every cell.

    Returns uint32 [n*n, 3] with rows 0..n-1, columns n..2n-1 and boxes 2n..3n-1.
    Raises ValueError unless n = box_rows * box_cols lies in 4..25.
    """
    side = box_rows * box_cols
    if box_rows < 1 or box_cols < 1 or not 4 <= side <= 25:
        raise ValueError(f"boxes of {box_rows}x{box_cols} give side {side}, outside 4..25")
    return houses_of_slots(box_rows, box_cols).astype(np.uint32)


def random_state(*entropy: int) -> np.ndarray:
    """A uint64 [1] kernel random state derived from non-negative integers."""
    return np.random.SeedSequence(entropy).generate_state(1, np.uint64) | np.uint64(1)


@njit(cache=True, nogil=True)
def random_below(rng, bound):
    """A random integer in 0..bound-1."""
    word = rng[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    rng[0] = word
    return np.int64((word >> np.uint64(33)) % np.uint64(bound))


@njit(cache=True, nogil=True)
def _bit_count(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def _bit_value(bit):
    value = 0
    while bit:
        bit >>= 1
        value += 1
    return value


@njit(cache=True, nogil=True)
def _random_bit(mask, rng):
    for _ in range(random_below(rng, _bit_count(mask))):
        mask &= mask - 1
    return mask & -mask


@njit(cache=True, nogil=True)
def _options(board, cell):
    units, used = board.units, board.used
    return board.full & ~(used[units[cell, 0]] | used[units[cell, 1]] | used[units[cell, 2]])


@njit(cache=True, nogil=True)
def _place(board, cell, bit):
    board.marks[cell] = bit
    for kind in range(3):
        board.used[board.units[cell, kind]] |= bit
    board.trail[board.top[0]] = cell
    board.top[0] += 1


@njit(cache=True, nogil=True)
def _undo(board, floor):
    while board.top[0] > floor:
        board.top[0] -= 1
        cell = board.trail[board.top[0]]
        for kind in range(3):
            board.used[board.units[cell, kind]] ^= board.marks[cell]
        board.marks[cell] = 0


@njit(cache=True, nogil=True)
def _new_board(puzzle, units):
    """A board with the givens placed, and whether they are free of conflicts."""
    side = 0
    while side * side < puzzle.size:
        side += 1
    board = _Board(
        units,
        (1 << side) - 1,
        np.zeros(puzzle.size, np.int32),
        np.zeros(3 * side, np.int32),
        np.empty(3 * side, np.int32),
        np.empty(3 * side, np.int32),
        np.empty(puzzle.size, np.int32),
        np.zeros(1, np.int32),
    )
    for cell in range(puzzle.size):
        if puzzle[cell]:
            bit = 1 << (np.int64(puzzle[cell]) - 1)
            if not _options(board, cell) & bit:
                return board, False
            _place(board, cell, bit)
    return board, True


@njit(cache=True, nogil=True)
def _propagate(board):
    """Place naked and hidden singles to a fixed point; False on a conflict."""
    units, full, marks, used, once, twice, trail, top = board
    placed, hidden = top[0], False
    while True:
        start = placed
        if hidden:
            for unit in range(once.size):
                if (once[unit] | used[unit]) != full:
                    return False
                once[unit] &= ~twice[unit]
        else:
            once[:] = 0
            twice[:] = 0
        for cell in range(marks.size):
            if marks[cell]:
                continue
            row, column, box = units[cell, 0], units[cell, 1], units[cell, 2]
            options = full & ~(used[row] | used[column] | used[box])
            if hidden:
                options &= once[row] | once[column] | once[box]
            elif options == 0:
                return False
            if options & (options - 1):
                if hidden:
                    return False
                twice[row] |= once[row] & options
                once[row] |= options
                twice[column] |= once[column] & options
                once[column] |= options
                twice[box] |= once[box] & options
                once[box] |= options
            elif options:
                marks[cell] = options
                used[row] |= options
                used[column] |= options
                used[box] |= options
                trail[placed] = cell
                placed += 1
                top[0] = placed
        if hidden and placed == start:
            return True
        hidden = placed == start


@njit(cache=True, nogil=True)
def _branch_cell(board, rng):
    """A random one of the blank cells with the fewest options."""
    best, fewest, ties = -1, 99, 0
    for cell in range(board.marks.size):
        if board.marks[cell] == 0:
            count = _bit_count(_options(board, cell))
            if count < fewest:
                best, fewest, ties = cell, count, 1
            elif count == fewest:
                ties += 1
                if random_below(rng, ties) == 0:
                    best = cell
    return best


@njit(cache=True, nogil=True)
def _store_values(board, target):
    for cell in range(target.size):
        target[cell] = _bit_value(board.marks[cell])


@njit(cache=True, nogil=True)
def search(puzzle, units, limit, node_limit, rng, found):
    """Depth-first search in random order for up to `limit` solutions.

    Stores the first solutions in the rows of `found` and returns (solutions, guesses): solutions is
    -1 when more than `node_limit` values were tried, guesses counts the values tried while others
    were left to try.
    """
    branch, left = np.empty(puzzle.size, np.int32), np.empty(puzzle.size, np.int32)
    floor = np.empty(puzzle.size, np.int32)
    board, consistent = _new_board(puzzle, units)
    depth, count, guesses, nodes = 0, 0, 0, 0
    while consistent:
        if _propagate(board):
            if board.top[0] == puzzle.size:
                if count < found.shape[0]:
                    _store_values(board, found[count])
                count += 1
                if count >= limit:
                    break
            else:
                branch[depth] = _branch_cell(board, rng)
                left[depth] = _options(board, branch[depth])
                floor[depth] = board.top[0]
                depth += 1
        while depth > 0 and left[depth - 1] == 0:
            depth -= 1
        if depth == 0:
            break
        nodes += 1
        if nodes > node_limit:
            return UNKNOWN, guesses
        _undo(board, floor[depth - 1])
        bit = _random_bit(left[depth - 1], rng)
        left[depth - 1] ^= bit
        guesses += left[depth - 1] != 0
        _place(board, branch[depth - 1], bit)
    return count, guesses


def mean_guesses(puzzle: np.ndarray, units: np.ndarray, repeats: int, node_limit: int, rng: np.ndarray) -> float:
    """The mean guesses over `repeats` random searches that find and prove the only solution."""
    unstored = np.empty((0, puzzle.size), np.uint8)
    return sum(search(puzzle, units, 2, node_limit, rng, unstored)[1] for _ in range(repeats)) / repeats
