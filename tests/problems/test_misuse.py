"""Arguments that cannot mean anything are refused in the caller's words; odd but clear ones are taken."""

from collections.abc import Callable

import numpy as np
import pytest

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import parse_puzzles

OPEN = (0,) * 16
ANSWER = [1, 2, 4, 3, 3, 4, 1, 2, 4, 3, 2, 1, 2, 1, 3, 4]
PUZZLE = Sudoku.parse(".2.....24.....3.")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Sudoku("." * 16), "givens="),
        (lambda: Sudoku(None), "givens=None"),
        (lambda: Sudoku((1.5, *OPEN[1:])), "givens="),
        (lambda: Sudoku(np.zeros((4, 4), int)), "givens="),
        (lambda: Sudoku(OPEN, pencilmarks=5), "pencilmarks=5"),
        (lambda: Sudoku(OPEN, pencilmarks=[{"x"}] * 16), "pencilmarks="),
        (lambda: Sudoku(OPEN, pencilmarks=[{9}] * 16), "pencilmarks must be values from 1 to 4"),
        (lambda: Sudoku.parse("." * 16, box=5), "box=5"),
        (lambda: Sudoku.parse("." * 16, box=(2, "x")), "box=(2, 'x')"),
        (lambda: Sudoku.parse("." * 16, symbols=5), "symbols=5"),
        (lambda: Sudoku.parse(5), "5 is not text"),
        (lambda: Sudoku.parse(None), "None is not text"),
        (lambda: Sudoku.read(None), "None is not a path"),
    ],
)
def test_wrong_types_are_refused_in_the_callers_words(call: Callable[[], Sudoku], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert said in str(caught.value)


def test_a_list_that_holds_itself_and_a_name_with_a_nul_are_refused() -> None:
    endless: list = []
    endless.append(endless)
    with pytest.raises(PuzzleError, match="nested too deeply"):
        Sudoku.from_rows(endless)
    with pytest.raises(PuzzleError, match="NUL"):
        Sudoku.read("a\0b")


def test_numbers_of_numpy_become_plain_ones() -> None:
    puzzle = Sudoku(np.array([1, *OPEN[1:]]))
    assert type(puzzle.givens[0]) is int and puzzle == Sudoku((1, *OPEN[1:]))
    assert Sudoku.parse(puzzle.to_json()) == puzzle


@pytest.mark.parametrize("kind", [int, float, np.float32, np.uint8])
def test_answers_as_arrays_of_any_number(kind: type) -> None:
    assert PUZZLE.check(np.array(ANSWER, kind).reshape(4, 4)).valid
    assert PUZZLE.check([np.array(value, kind) for value in ANSWER]).valid


@pytest.mark.parametrize("answer", [None, 5, np.array(5), "", {}, [10**5000, *ANSWER[1:]], [1.5, *ANSWER[1:]], [None]])
def test_odd_answers_are_faults_not_errors(answer: object) -> None:
    assert not PUZZLE.check(answer).valid


def test_pencilmarks_beyond_the_values_stop_only_their_puzzle() -> None:
    grid = '"givens": [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]'
    bad, good = f'{{{grid}, "pencilmarks": {[[9]] * 16}}}', f"{{{grid}}}"
    first, second = (entry.puzzle for entry in parse_puzzles(f"{bad}\n{good}\n"))
    assert isinstance(first, PuzzleError) and "r1c1 are not values from 1 to 4" in first.message
    assert isinstance(second, Sudoku)


def test_a_filled_grid_prints_the_answer() -> None:
    puzzle = Sudoku.parse(".2.....24.....3.")
    filled = puzzle.filled([1, 2, 4, 3, 3, 4, 1, 2, 4, 3, 2, 1, 2, 1, 3, 4])
    assert str(filled) == "1243341243212134" and filled.__rich__().plain.splitlines()[1] == "│ 1 2 │ 4 3 │"
    assert puzzle.filled("1243341243212134") == filled
    for wrong in (None, [1] * 15, [0] * 16, [5] * 16):
        with pytest.raises(UsageError, match="does not fill a 4x4 grid"):
            puzzle.filled(wrong)
