"""Random, minimal, thinned and hardened Sudoku puzzles, and pools of them on disk.

Puzzles are uint8 [N, n*n] with 0 for a blank, solutions uint8 [N, n*n] of 1..n, where
n = box_rows * box_cols (4..25) is the side. Results depend on the seed alone.
"""

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dgsolve.train.sudoku_clues import hardening_steps, remove_clues
from dgsolve.train.sudoku_search import mean_guesses, random_state, search, unit_table

FILL_NODES_PER_CELL = 4
CLUE_NODE_LIMIT = 20_000
NODE_LIMIT = 1_000_000
GUESS_REPEATS = 8
POOL_CHUNK = 500
POOL_HARD_PER_START = 300
POOL_HARD_ROUNDS = 800
POOL_HARD_GUESSES = 20.0
SAVE_SECONDS = 30.0


Shape = tuple[int, int]  # box_rows, box_cols
Chunk = tuple[np.ndarray, np.ndarray, np.ndarray]  # puzzles, solutions, guesses


class Pool(NamedTuple):
    """Puzzles with their solutions and guesses (float32 [N]), all of one box shape."""

    puzzles: np.ndarray
    solutions: np.ndarray
    guesses: np.ndarray
    box_rows: int
    box_cols: int


def random_solutions(count: int, box_rows: int, box_cols: int, seed: int) -> np.ndarray:
    """Independent random complete grids.

    Returns uint8 [count, n*n]. Raises ValueError for a side outside 4..25.
    """
    units, rng = unit_table(box_rows, box_cols), random_state(seed, 0)
    blank = np.zeros(len(units), np.uint8)
    grids = np.zeros((count, len(units)), np.uint8)
    for index in range(count):
        target = grids[index : index + 1]
        while search(blank, units, 1, FILL_NODES_PER_CELL * len(units), rng, target)[0] != 1:
            continue
    return grids


def minimal_puzzles(count: int, box_rows: int, box_cols: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Puzzles with one solution that any lost clue would make ambiguous: (puzzles, solutions).

    For n > 9 a clue stays when its test grows too long, so a few may be redundant.
    """
    return thin_puzzles(count, box_rows, box_cols, 1.0, seed)


def thin_puzzles(
    count: int, box_rows: int, box_cols: int, blanks_fraction: float | np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Uniquely solvable puzzles, thinned in random clue order: (puzzles, solutions).

    At most `blanks_fraction` (0..1, one for all or one each) of the cells are blank, fewer when no
    more clues can be proved redundant.
    """
    units, rng = unit_table(box_rows, box_cols), random_state(seed, 1)
    solutions = random_solutions(count, box_rows, box_cols, seed)
    puzzles = solutions.copy()
    blanks = np.broadcast_to(np.asarray(blanks_fraction) * len(units), count).astype(np.int64)
    for puzzle, solution, most in zip(puzzles, solutions, blanks, strict=True):
        remove_clues(puzzle, solution, units, most, CLUE_NODE_LIMIT, rng)
    return puzzles, solutions


def guesses(puzzles: np.ndarray, box_rows: int, box_cols: int, repeats: int, seed: int) -> np.ndarray:
    """The mean number of guesses that solving each puzzle and proving its solution unique takes.

    The search fills naked and hidden singles and branches on a random smallest cell in random value
    order; a value tried while others are left is one guess. Returns float32 [N], means of `repeats` runs.
    """
    units, rng = unit_table(box_rows, box_cols), random_state(seed, 2)
    puzzles = _checked(puzzles, units)
    return np.array([mean_guesses(puzzle, units, repeats, NODE_LIMIT, rng) for puzzle in puzzles], np.float32)


def hardening_stages(
    puzzles: np.ndarray, rounds: int, least_guesses: float, seed: int, box_rows: int = 3, box_cols: int = 3
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The puzzles with one solution and at least `least_guesses` that best-first searches from the given ones meet.

    Returns (puzzles, solutions, guesses) in order of discovery, distinct for each given puzzle, after `rounds` rounds
    from each; clues and solution grid have changed, and not all are minimal.
    """
    units = unit_table(box_rows, box_cols)
    puzzles = _checked(puzzles, units)
    stages, filled = [puzzles[:0]], [puzzles[:0]]
    for index, start in enumerate(puzzles):
        for puzzle, solution, reached in hardening_steps(start, units, rounds, random_state(seed, 3, index)):
            if reached >= least_guesses:
                stages.append(puzzle[None])
                filled.append(solution[None])
    met, grids = np.concatenate(stages), np.concatenate(filled)
    means = guesses(met, box_rows, box_cols, GUESS_REPEATS, seed)
    hard = means >= least_guesses
    return met[hard], grids[hard], means[hard]


def _checked(puzzles: np.ndarray, units: np.ndarray) -> np.ndarray:
    """A copy of the puzzles as [N, n*n] uint8."""
    puzzles = np.array(puzzles, np.uint8, order="C")
    if puzzles.ndim != 2 or puzzles.shape[1] != len(units):
        raise ValueError(f"puzzles of shape {puzzles.shape} do not have {len(units)} cells")
    return puzzles


def write_pool(path: str | os.PathLike, pool: Pool) -> None:
    """Write a pool as .npz by an atomic rename, so that a reader never sees half a file."""
    _write_arrays(path, pool._asdict())


def _write_arrays(path: str | os.PathLike, arrays: dict[str, Any]) -> None:
    path = Path(path)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with unfinished.open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    unfinished.replace(path)


def read_pool(path: str | os.PathLike) -> Pool:
    """Read a pool written by `write_pool`. Raises KeyError when an array is missing."""
    with np.load(path) as arrays:
        shape = int(arrays["box_rows"]), int(arrays["box_cols"])
        return Pool(arrays["puzzles"], arrays["solutions"], arrays["guesses"], *shape)


def make_pool(
    path: str | os.PathLike,
    *,
    minimal: int,
    hard: int,
    box_rows: int = 3,
    box_cols: int = 3,
    seed: int,
    blanks: tuple[float, float] = (1.0, 1.0),
    threads: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> Pool:
    """Generate, write and return a pool of `minimal` thinned and then `hard` hardened puzzles.

    Blank fractions of the thinned puzzles run over the range `blanks`; (1, 1) makes them minimal. The file is
    rewritten every half minute; the same call after an interruption goes on from there to the pool of an uninterrupted
    run. `progress` gets (done, total) after each chunk. Raises ValueError for hard puzzles of a side other than 9.
    """
    if hard and box_rows * box_cols != 9:
        raise ValueError("hard puzzles need side 9")
    recipe = _Recipe(minimal, hard, (box_rows, box_cols), seed, blanks)
    part = start = _read_part(path, recipe)
    saved = time.monotonic()
    for part in _grown(start, recipe, threads):
        if time.monotonic() - saved > SAVE_SECONDS:
            _write_part(path, part, recipe)
            saved = time.monotonic()
        if progress is not None:
            progress(len(part.pool.puzzles), minimal + hard)
    _write_part(path, part, recipe)
    return part.pool


class _Recipe(NamedTuple):
    """What decides the puzzles of a pool."""

    minimal: int
    hard: int
    shape: Shape
    seed: int
    blanks: tuple[float, float]

    def mark(self) -> str:
        """Tells apart files of other recipes or chunks."""
        return repr((*self, POOL_CHUNK, POOL_HARD_PER_START, POOL_HARD_ROUNDS, POOL_HARD_GUESSES))


class _Part(NamedTuple):
    """The first `chunks` whole chunks of a pool; the last one may be cut to the number wanted."""

    pool: Pool
    chunks: int


def _read_part(path: str | os.PathLike, recipe: _Recipe) -> _Part:
    """What the file holds of the recipe's pool: nothing where it is absent or of another recipe."""
    if Path(path).exists():
        with np.load(path) as arrays:
            if "recipe" in arrays and str(arrays["recipe"]) == recipe.mark():
                return _Part(read_pool(path), int(arrays["chunks"]))
    empty = np.empty((0, math.prod(recipe.shape) ** 2), np.uint8)
    return _Part(Pool(empty, empty, np.empty(0, np.float32), *recipe.shape), 0)


def _write_part(path: str | os.PathLike, part: _Part, recipe: _Recipe) -> None:
    _write_arrays(path, part.pool._asdict() | {"chunks": part.chunks, "recipe": recipe.mark()})


def _grown(part: _Part, recipe: _Recipe, threads: int) -> Iterator[_Part]:
    """The part after each further chunk, until the pool is whole."""
    total = recipe.minimal + recipe.hard
    results = _run_in_order(islice(_pool_jobs(recipe), part.chunks, None), threads)
    while len(part.pool.puzzles) < total:
        pairs = zip(part.pool[:3], next(results), strict=True)
        puzzles, solutions, needed = (np.concatenate(pair)[:total] for pair in pairs)
        part = _Part(Pool(puzzles, solutions, needed, *recipe.shape), part.chunks + 1)
        yield part


def _pool_jobs(recipe: _Recipe) -> Iterator[Callable[[], Chunk]]:
    minimal, hard, shape, seed, blanks = recipe
    for index, start in enumerate(range(0, minimal, POOL_CHUNK)):
        count = min(POOL_CHUNK, minimal - start)
        yield partial(_thin_chunk, count, shape, _chunk_seed(seed, 0, index), blanks)
    if hard:
        for index in count_from():
            yield partial(_hard_chunk, shape, _chunk_seed(seed, 1, index))


def _chunk_seed(*entropy: int) -> int:
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])


def _thin_chunk(count: int, shape: Shape, seed: int, blanks: tuple[float, float]) -> Chunk:
    fractions = np.linspace(blanks[0], blanks[1], count)
    puzzles, solutions = thin_puzzles(count, *shape, blanks_fraction=fractions, seed=seed)
    return puzzles, solutions, guesses(puzzles, *shape, repeats=GUESS_REPEATS, seed=seed)


def _hard_chunk(shape: Shape, seed: int) -> Chunk:
    start, _ = minimal_puzzles(1, *shape, seed=seed)
    puzzles, solutions, needed = hardening_stages(start, POOL_HARD_ROUNDS, POOL_HARD_GUESSES, seed, *shape)
    order = np.random.default_rng(seed).permutation(len(puzzles))[:POOL_HARD_PER_START]
    return puzzles[order], solutions[order], needed[order]


def _run_in_order(jobs: Iterator[Callable[[], Chunk]], threads: int) -> Iterator[Chunk]:
    """The results of the jobs in order, at most two per thread started ahead."""
    with ThreadPoolExecutor(threads) as executor:
        pending = deque(executor.submit(job) for job in islice(jobs, 2 * threads))
        try:
            while pending:
                yield pending.popleft().result()
                pending.extend(executor.submit(job) for job in islice(jobs, 1))
        finally:
            for future in pending:
                future.cancel()
