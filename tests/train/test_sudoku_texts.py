"""Sudokus as text: one solution each, held-out grids apart, answers judged by the rules."""

import numpy as np
import pytest

from dgsolve.problems.sudoku import Sudoku
from dgsolve.train.sudoku_puzzles import random_solutions
from dgsolve.train.sudoku_search import random_state, search, unit_table
from dgsolve.train.sudoku_texts import BOXES, file_name, held_out, solved, sudoku_pair, sudoku_pairs


def cells(line: str) -> np.ndarray:
    return np.array([0 if cell == "." else int(cell) for cell in line], np.uint8)


@pytest.mark.parametrize("size", [4, 6, 9])
@pytest.mark.parametrize("test", [True, False])
def test_puzzles_have_one_solution_which_is_held_out_or_not(size: int, test: bool) -> None:
    pairs = list(sudoku_pairs(size, 20, seed=3, test=test))
    found = np.zeros((2, size * size), np.uint8)
    for pair in pairs:
        assert pair.prompt == f"Solve this Sudoku:\n{pair.puzzle}" and solved(pair, pair.answer)
        solutions, _ = search(cells(pair.puzzle), unit_table(*BOXES[size]), 2, 100_000, random_state(0), found)
        assert solutions == 1 and np.array_equal(found[0], cells(pair.answer))
    assert held_out(np.stack([cells(pair.answer) for pair in pairs]), size).tolist() == [test] * 20
    assert pairs == list(sudoku_pairs(size, 20, seed=3, test=test))
    assert pairs[0] != next(sudoku_pairs(size, 20, seed=4, test=test))


def test_a_quarter_of_the_4x4_grids_is_held_out_and_a_tenth_of_the_others() -> None:
    grids = np.unique(random_solutions(6000, 2, 2, seed=0), axis=0)
    assert len(grids) == 288  # all there are
    assert 60 <= held_out(grids, 4).sum() <= 84
    assert 0.07 < held_out(random_solutions(2000, 2, 3, seed=0), 6).mean() < 0.13


def test_answers_are_judged_by_the_rules() -> None:
    pair = sudoku_pair(".3....4....42...", "4312124331242431", 4)
    assert solved(pair, "4312124331242431")
    for wrong in ("4312124331242413", "3412124331242431", "431212433124243", "43121243312424311", ""):
        assert not solved(pair, wrong)
    ambiguous = sudoku_pair("................", "4312124331242431", 4)
    assert solved(ambiguous, "1234341221434321")


def test_row_by_row_it_is_the_question_that_the_solver_asks() -> None:
    one, other = (next(sudoku_pairs(6, 1, seed=5, test=True, lines=lines)) for lines in (False, True))
    sudoku = Sudoku.parse(one.puzzle, box="2x3")
    assert (one.prompt, other.prompt) == (sudoku.question(), sudoku.question(lines=True))
    assert other.answer.split("\n") == [one.answer[start : start + 6] for start in range(0, 36, 6)]
    assert solved(other, other.answer)
    assert not solved(other, one.answer) and not solved(one, other.answer)
    assert not solved(other, other.answer.replace("\n", " "))


def test_file_names() -> None:
    assert file_name(6, test=True, lines=True) == "sudoku_6lines_held_out.jsonl"
    assert file_name(9, test=False) == "sudoku_81char.jsonl"
    assert file_name(4, test=True) == "sudoku_16char_held_out.jsonl"
