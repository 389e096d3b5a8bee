"""Changes to the clues of Sudoku puzzles: removal, replacement and local search for guesses.

Arrays are as in `sudoku_search`; a puzzle always comes with one of its solutions. The compiled parts
release the interpreter lock.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count as count_from
from operator import itemgetter

import numpy as np
from numba import njit

from dgsolve.train.sudoku_search import mean_guesses, random_below, search

SOLUTION_LIMIT = 1000
COMPLETIONS = 24
SECOND_CLUE_ODDS = 8
REPEATS = 3
NODE_LIMIT = 20_000


@njit(cache=True, nogil=True)
def _shuffle(items, rng):
    for last in range(items.size - 1, 0, -1):
        other = random_below(rng, last + 1)
        items[last], items[other] = items[other], items[last]


@njit(cache=True, nogil=True)
def _allowed(puzzle, units, cell, value):
    for other in range(puzzle.size):
        if puzzle[other] == value:
            for kind in range(3):
                if units[other, kind] == units[cell, kind]:
                    return False
    return True


@njit(cache=True, nogil=True)
def _is_forced(puzzle, solution, cell, units, node_limit, rng):
    """Whether a blank cell can take no value but its solution value (False when unknown)."""
    found = np.empty((0, puzzle.size), np.uint8)
    for value in range(1, units[-1, 0] + 2):
        if value != solution[cell] and _allowed(puzzle, units, cell, value):
            puzzle[cell] = value
            solutions = search(puzzle, units, 1, node_limit, rng, found)[0]
            puzzle[cell] = 0
            if solutions != 0:
                return False
    return True


@njit(cache=True, nogil=True)
def remove_clues(puzzle, solution, units, blanks, node_limit, rng):
    """Blank clues in random order while the solution stays unique, up to `blanks` blank cells."""
    order = np.arange(puzzle.size)
    _shuffle(order, rng)
    remaining = blanks - np.sum(puzzle == 0)
    for cell in order:
        if remaining <= 0:
            break
        if puzzle[cell]:
            puzzle[cell] = 0
            if _is_forced(puzzle, solution, cell, units, node_limit, rng):
                remaining -= 1
            else:
                puzzle[cell] = solution[cell]


@njit(cache=True, nogil=True)
def _value_counts(solutions, alive, side):
    """How many of the alive solutions hold each value in each cell: [cells, side + 1]."""
    counts = np.zeros((solutions.shape[1], side + 1), np.int32)
    for index in alive:
        for cell in range(solutions.shape[1]):
            counts[cell, solutions[index, cell]] += 1
    return counts


@njit(cache=True, nogil=True)
def _deciding_clue(counts, rng):
    """A random (cell, value) that exactly one solution holds, or (-1, 0)."""
    chosen, value, ties = -1, 0, 0
    for cell in range(counts.shape[0]):
        for option in range(1, counts.shape[1]):
            if counts[cell, option] == 1:
                ties += 1
                if random_below(rng, ties) == 0:
                    chosen, value = cell, option
    return chosen, value


@njit(cache=True, nogil=True)
def _narrowing_clue(counts, solution, rng):
    """The value of `solution` held by fewest solutions among a few random cells."""
    best = random_below(rng, solution.size)
    for _ in range(4):
        cell = random_below(rng, solution.size)
        if counts[cell, solution[cell]] < counts[best, solution[best]]:
            best = cell
    return best, np.int64(solution[best])


@njit(cache=True, nogil=True)
def _keep_holders(solutions, alive, cell, value):
    """Move the rows of the solutions with a value in a cell to the front; how many they are."""
    count = 0
    for row in alive:
        if solutions[row, cell] == value:
            alive[count] = row
            count += 1
    return count


@njit(cache=True, nogil=True)
def complete_clues(puzzle, solutions, side, rng):
    """Add clues until one of `solutions` (all those of `puzzle`) is left; returns its row."""
    rows = np.arange(len(solutions))
    count = rows.size
    while count > 1:
        alive = rows[:count]
        counts = _value_counts(solutions, alive, side)
        cell, value = _deciding_clue(counts, rng)
        if cell < 0 or random_below(rng, 4) == 0:
            cell, value = _narrowing_clue(counts, solutions[alive[random_below(rng, count)]], rng)
        puzzle[cell] = value
        count = _keep_holders(solutions, alive, cell, value)
    return rows[0]


def _is_new(puzzle: np.ndarray, seen: set[bytes]) -> bool:
    key = puzzle.tobytes()
    if key in seen:
        return False
    seen.add(key)
    return True


def _completions(puzzle, units, rng, found, seen):
    """A few unseen completions of an ambiguous puzzle: (guesses, puzzle, solution), hardest last.

    There are none when the puzzle has one solution or too many.
    """
    solutions = search(puzzle, units, len(found), NODE_LIMIT, rng, found)[0]
    completions = []
    if 2 <= solutions < len(found):
        for _ in range(COMPLETIONS):
            child = puzzle.copy()
            row = complete_clues(child, found[:solutions], units[-1, 0] + 1, rng)
            if _is_new(child, seen):
                reached = mean_guesses(child, units, 1, NODE_LIMIT, rng)
                completions.append((reached, child, found[row].copy()))
    return sorted(completions, key=itemgetter(0))


class _Frontier:
    """Puzzles by guesses, each with the clues not yet dropped from it."""

    def __init__(self, rng: np.ndarray):
        self._rng = rng
        self._heap = []
        self._order = count_from()

    def add(self, puzzle: np.ndarray, guesses: float) -> None:
        clues = np.flatnonzero(puzzle)
        _shuffle(clues, self._rng)
        heappush(self._heap, (-guesses, next(self._order), puzzle, list(clues)))

    def is_empty(self) -> bool:
        return not self._heap

    def next_drop(self) -> np.ndarray:
        """The hardest puzzle less a clue that it has not lost before, now and then less one more."""
        _, _, puzzle, clues = self._heap[0]
        fewer = puzzle.copy()
        fewer[clues.pop()] = 0
        if random_below(self._rng, SECOND_CLUE_ODDS) == 0:
            rest = np.flatnonzero(fewer)
            fewer[rest[random_below(self._rng, rest.size)]] = 0
        if not clues:
            heappop(self._heap)
        return fewer


def hardening_steps(
    puzzle: np.ndarray, units: np.ndarray, rounds: int, rng: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Best-first search for guesses from one unique puzzle.

    A round drops a clue of the hardest puzzle met so far that has undropped ones, completes the rest in
    several ways and minimises the hardest outcome. Yields every unique puzzle met, none twice, as
    (puzzle, solution, rough guesses). Ends early when no puzzle is left to change.
    """
    found = np.empty((SOLUTION_LIMIT, puzzle.size), np.uint8)
    seen = {puzzle.tobytes()}
    frontier = _Frontier(rng)
    frontier.add(puzzle, mean_guesses(puzzle, units, REPEATS, NODE_LIMIT, rng))
    for _ in range(rounds):
        if frontier.is_empty():
            return
        completions = _completions(frontier.next_drop(), units, rng, found, seen)
        for reached, child, target in completions[:-1]:
            yield child, target, reached
        if completions:
            _, child, target = completions[-1]
            trial = child.copy()
            remove_clues(trial, target, units, trial.size, NODE_LIMIT, rng)
            if np.array_equal(trial, child) or _is_new(trial, seen):
                reached = mean_guesses(trial, units, REPEATS, NODE_LIMIT, rng)
                frontier.add(trial, reached)
                yield trial, target, reached
