"""Grids to learn from: one solution each, and a file that goes on where it was."""

from random import Random

import pytest

from dgsolve.certify import SolutionCount, certify
from dgsolve.errors import UsageError
from dgsolve.train.grid_families import FAMILIES
from dgsolve.train.grid_pool import prepare
from dgsolve.train.grid_puzzles import draw_puzzle


def drawn(family, seed=0):
    rng = Random(seed)
    return next(puzzle for puzzle in (draw_puzzle(family, rng) for _ in range(20)) if puzzle is not None)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_puzzle_has_one_solution_and_the_same_seed_draws_it_again(family):
    puzzle = drawn(family)
    grid = puzzle.grid.copy()
    assert grid.check([grid.native(number) for number in puzzle.solution]).valid
    found = certify(grid)
    assert found.status is SolutionCount.ONE
    assert tuple(grid.values.numbers[place] for place in found.solutions[0]) == puzzle.solution
    again = drawn(family)
    assert (again.solution, again.grid.to_dict()) == (puzzle.solution, puzzle.grid.to_dict())


def test_a_file_of_puzzles_is_finished_and_read_again(tmp_path):
    path, seen = tmp_path / "run" / "puzzles.jsonl", []
    first = prepare(path, counts={"kakuro": 2}, progress=lambda family, count: seen.append((family, count)))
    assert len(first) == 2 and seen[-1] == ("kakuro", 2)
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"family": "kak')  # the process was killed here
    more = prepare(path, counts={"kakuro": 3, "n_queens": 1})
    assert [puzzle.family for puzzle in more] == ["kakuro", "kakuro", "kakuro", "n_queens"]
    assert [puzzle.solution for puzzle in more[:2]] == [puzzle.solution for puzzle in first]
    assert [p.solution for p in prepare(path, counts={"kakuro": 3, "n_queens": 1})] == [p.solution for p in more]


def test_a_line_that_is_no_puzzle_is_named(tmp_path):
    path = tmp_path / "puzzles.jsonl"
    path.write_text('{"family": "kakuro"}\n')
    with pytest.raises(UsageError, match="line 1: this is no puzzle to learn from"):
        prepare(path, counts={})
