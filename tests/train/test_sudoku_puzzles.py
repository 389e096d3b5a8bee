"""Generated Sudoku puzzles against an independent brute force."""

import shutil

import numpy as np
import pytest

from dgsolve.train import sudoku_puzzles as generation
from dgsolve.train.sudoku_search import UNKNOWN, random_state, search, unit_table

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def brute_force_count(puzzle, box_rows, box_cols, limit=2):
    """Solutions of a flat puzzle up to `limit`, by filling the most constrained blank first."""
    side = box_rows * box_cols
    grid = np.array(puzzle, int).reshape(side, side)

    def allowed(row, column):
        top, left = row - row % box_rows, column - column % box_cols
        box = grid[top : top + box_rows, left : left + box_cols]
        return set(range(1, side + 1)) - set(grid[row]) - set(grid[:, column]) - set(box.ravel())

    def solutions(room):
        blanks = np.argwhere(grid == 0)
        if not len(blanks):
            return 1
        row, column = min(blanks, key=lambda cell: len(allowed(*cell)))
        found = 0
        for value in allowed(row, column):
            if found < room:
                grid[row, column] = value
                found += solutions(room - found)
                grid[row, column] = 0
        return found

    return solutions(limit)


def count_solutions(puzzle, box_rows, box_cols, limit=2):
    """The compiled search's count, for puzzles too long for the brute force."""
    return search(puzzle, unit_table(box_rows, box_cols), limit, 100_000, random_state(0), puzzle[None][:0])[0]


def is_valid_solution(puzzle, solution, box_rows, box_cols):
    side = box_rows * box_cols
    grid = solution.reshape(side, side)
    boxes = grid.reshape(box_cols, box_rows, box_rows, box_cols).swapaxes(1, 2).reshape(side, side)
    full = np.arange(1, side + 1)
    lines_full = all((np.sort(lines, axis=1) == full).all() for lines in (grid, grid.T, boxes))
    return lines_full and (puzzle[puzzle > 0] == solution[puzzle > 0]).all()


def is_minimal(puzzle, box_rows, box_cols):
    for cell in np.flatnonzero(puzzle):
        fewer = puzzle.copy()
        fewer[cell] = 0
        if brute_force_count(fewer, box_rows, box_cols) == 1:
            return False
    return True


@pytest.mark.parametrize(("box_rows", "box_cols", "count"), [(2, 2, 20), (2, 3, 8), (3, 2, 4), (3, 3, 1)])
def test_minimal_puzzles_are_unique_and_minimal(box_rows, box_cols, count):
    puzzles, solutions = generation.minimal_puzzles(count, box_rows, box_cols, seed=1)
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        assert is_valid_solution(puzzle, solution, box_rows, box_cols)
        assert brute_force_count(puzzle, box_rows, box_cols) == 1
        assert is_minimal(puzzle, box_rows, box_cols)


@pytest.mark.parametrize(("box_rows", "box_cols"), [(1, 5), (2, 4), (3, 4), (4, 4), (5, 5)])
def test_random_solutions_are_valid_and_differ(box_rows, box_cols):
    solutions = generation.random_solutions(4, box_rows, box_cols, seed=2)
    side = box_rows * box_cols
    if box_rows > 1:
        assert all(is_valid_solution(grid, grid, box_rows, box_cols) for grid in solutions)
    assert len(np.unique(solutions, axis=0)) == 4
    assert solutions.shape == (4, side * side)
    assert solutions.dtype == np.uint8


def test_random_solutions_cover_all_4x4_grids():
    solutions = generation.random_solutions(5000, 2, 2, seed=3)
    assert len(np.unique(solutions, axis=0)) == 288


def test_thin_puzzles_are_unique_with_the_asked_blanks():
    fractions = np.array([0.3, 0.55, 0.6])
    puzzles, solutions = generation.thin_puzzles(3, 3, 4, fractions, seed=4)
    assert (puzzles == 0).sum(axis=1).tolist() == (fractions * 144).astype(int).tolist()
    assert [count_solutions(puzzle, 3, 4) for puzzle in puzzles] == [1, 1, 1]
    assert all(is_valid_solution(*pair, 3, 4) for pair in zip(puzzles, solutions, strict=True))


def test_counts_agree_with_brute_force_on_ambiguous_puzzles():
    random = np.random.default_rng(5)
    puzzles, _ = generation.minimal_puzzles(6, 2, 3, seed=5)
    for puzzle in puzzles:
        clues = np.flatnonzero(puzzle)
        puzzle[random.choice(clues, 2, replace=False)] = 0
        assert count_solutions(puzzle, 2, 3, limit=30) == brute_force_count(puzzle, 2, 3, limit=30)


def test_conflicting_puzzle_has_no_solution():
    puzzle = np.zeros(16, np.uint8)
    puzzle[:2] = 3
    assert count_solutions(puzzle, 2, 2) == 0


def test_endless_count_is_unknown():
    assert count_solutions(np.zeros(81, np.uint8), 3, 3, limit=10**9) == UNKNOWN


def test_singles_puzzle_needs_no_guess():
    puzzle = np.array([[int(character) for character in EASY]], np.uint8)
    assert generation.guesses(puzzle, 3, 3, repeats=5, seed=0).tolist() == [0.0]


def test_wrong_cell_count_is_rejected():
    with pytest.raises(ValueError, match="81 cells"):
        generation.guesses(np.zeros((1, 16), np.uint8), 3, 3, repeats=1, seed=0)
    with pytest.raises(ValueError, match="outside"):
        generation.random_solutions(1, 1, 3, seed=0)


def test_equal_seeds_give_equal_puzzles():
    first, again, other = (generation.minimal_puzzles(3, 3, 3, seed)[0] for seed in (7, 7, 8))
    assert (first == again).all()
    assert (first != other).any(axis=1).all()


def test_hardening_stages_are_distinct_unique_hard_puzzles():
    start, _ = generation.minimal_puzzles(2, 3, 3, seed=10)
    puzzles, solutions, guesses = generation.hardening_stages(start, rounds=40, least_guesses=5, seed=10)
    assert len(puzzles) == len(solutions) == len(guesses) > 2
    assert len(np.unique(puzzles, axis=0)) == len(puzzles)
    assert [count_solutions(puzzle, 3, 3) for puzzle in puzzles] == [1] * len(puzzles)
    assert all(is_valid_solution(*pair, 3, 3) for pair in zip(puzzles, solutions, strict=True))


def test_hardening_stages_are_harder_than_their_start():
    start, _ = generation.minimal_puzzles(2, 3, 3, seed=10)
    puzzles, _, guesses = generation.hardening_stages(start, rounds=40, least_guesses=5, seed=10)
    assert guesses.min() >= 5
    before, after = (generation.guesses(group, 3, 3, repeats=8, seed=99) for group in (start, puzzles))
    assert after.mean() > 2 * before.mean()  # by other random searches than those that chose them
    assert np.sort(after)[-5:].mean() > 3 * before.max()


def test_hardening_stages_follow_their_seed():
    start, _ = generation.minimal_puzzles(1, 3, 3, seed=10)
    one, same, other = (generation.hardening_stages(start, 30, 3, seed) for seed in (4, 4, 5))
    assert len(one[0]) > 2
    assert all(np.array_equal(*pair) for pair in zip(one, same, strict=True))
    assert not np.array_equal(one[0], other[0])


def test_pool_round_trip(tmp_path):
    puzzles, solutions = generation.minimal_puzzles(3, 2, 3, seed=11)
    pool = generation.Pool(puzzles, solutions, np.zeros(3, np.float32), 2, 3)
    generation.write_pool(tmp_path / "pool.npz", pool)
    read = generation.read_pool(tmp_path / "pool.npz")
    assert all(np.array_equal(*pair) for pair in zip(read, pool, strict=True))
    assert [file.name for file in tmp_path.iterdir()] == ["pool.npz"]


def test_make_pool_does_not_depend_on_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(generation, "POOL_CHUNK", 7)
    monkeypatch.setattr(generation, "POOL_HARD_ROUNDS", 100)
    steps = []
    recipe = {"minimal": 20, "hard": 3, "seed": 12}
    one = generation.make_pool(tmp_path / "one.npz", **recipe, threads=1, progress=lambda *step: steps.append(step))
    two = generation.make_pool(tmp_path / "two.npz", **recipe, threads=3)
    assert all(np.array_equal(*pair) for pair in zip(one, two, strict=True))
    assert steps[:3] == [(7, 23), (14, 23), (20, 23)]
    assert steps[-1] == (23, 23)
    assert (one.guesses[20:] >= generation.POOL_HARD_GUESSES).all()
    assert np.array_equal(generation.read_pool(tmp_path / "one.npz").puzzles, one.puzzles)


def interrupted_pool(path, recipe, at, seed):
    """A pool file whose making was interrupted once at least `at` puzzles were there."""

    def stop(done, total):
        if done >= at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generation.make_pool(path, **recipe, seed=seed, threads=1, progress=stop)


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(generation, "POOL_CHUNK", 5)
    monkeypatch.setattr(generation, "POOL_HARD_ROUNDS", 60)
    monkeypatch.setattr(generation, "POOL_HARD_PER_START", 4)
    monkeypatch.setattr(generation, "SAVE_SECONDS", 0.0)


@pytest.mark.parametrize("at", [10, 14, 15])  # within the thinned puzzles, after a part chunk, within the hard ones
def test_interrupted_pool_goes_on_to_the_same_pool(tmp_path, small_chunks, monkeypatch, at):
    recipe, path, steps = {"minimal": 14, "hard": 9}, tmp_path / "pool.npz", []
    whole = generation.make_pool(tmp_path / "whole.npz", **recipe, seed=13, threads=1)
    interrupted_pool(path, recipe, at, seed=13)
    held = len(generation.read_pool(path).puzzles)
    assert at <= held < 23

    def unasked(*_):
        raise AssertionError("made again")

    if at >= 14:
        monkeypatch.setattr(generation, "_thin_chunk", unasked)
    finished = generation.make_pool(path, **recipe, seed=13, progress=lambda *step: steps.append(step))
    assert steps[0][0] >= held and steps[-1] == (23, 23)
    for pool in (finished, generation.read_pool(path)):
        assert all(np.array_equal(*pair) for pair in zip(pool, whole, strict=True))
    monkeypatch.setattr(generation, "_thin_chunk", unasked)
    monkeypatch.setattr(generation, "_hard_chunk", unasked)
    assert np.array_equal(generation.make_pool(path, **recipe, seed=13).puzzles, whole.puzzles)


def test_pool_of_another_recipe_is_made_anew(tmp_path, small_chunks, monkeypatch):
    recipe = {"minimal": 20, "hard": 0, "box_rows": 2, "box_cols": 2}
    interrupted_pool(tmp_path / "part.npz", recipe, 10, seed=13)
    for number, change in enumerate(({"seed": 14}, {"minimal": 19}, {"blanks": (0.2, 0.5)})):
        asked = {"seed": 13, **recipe, **change}
        path = shutil.copy(tmp_path / "part.npz", tmp_path / f"{number}.npz")
        fresh = generation.make_pool(tmp_path / "fresh.npz", **asked)
        assert np.array_equal(generation.make_pool(path, **asked).puzzles, fresh.puzzles)
    monkeypatch.setattr(generation, "POOL_CHUNK", 4)
    fresh = generation.make_pool(tmp_path / "fours.npz", **recipe, seed=13)
    assert np.array_equal(generation.make_pool(tmp_path / "part.npz", **recipe, seed=13).puzzles, fresh.puzzles)


def test_written_pool_without_a_recipe_is_made_anew(tmp_path, small_chunks):
    recipe = {"minimal": 6, "hard": 0, "box_rows": 2, "box_cols": 2, "seed": 1}
    fresh = generation.make_pool(tmp_path / "fresh.npz", **recipe)
    generation.write_pool(tmp_path / "pool.npz", fresh._replace(puzzles=fresh.puzzles[:2] * 0))
    assert np.array_equal(generation.make_pool(tmp_path / "pool.npz", **recipe).puzzles, fresh.puzzles)


def test_hard_pool_needs_side_9(tmp_path):
    with pytest.raises(ValueError, match="side 9"):
        generation.make_pool(tmp_path / "pool.npz", minimal=1, hard=1, box_rows=2, box_cols=2, seed=0)
