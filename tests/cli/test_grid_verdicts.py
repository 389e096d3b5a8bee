"""Every kind of puzzle that has no answer, or several, is told and certified as a Sudoku is."""

import io
import sys
from collections.abc import Callable

import pytest

from dgsolve.cli.app import run
from dgsolve.grid_kinds import grid_kinds
from tests.cli.ran import Ran

GROETZSCH = "1 2, 1 4, 1 7, 1 9, 2 3, 2 6, 2 8, 3 5, 3 7, 3 10, 4 5, 4 6, 4 10, 5 8, 5 9, 6 11, 7 11, 8 11, 9 11, 10 11"
EMPTY = '"....", "....", "...."'
GREATER = 'greater = ["r1c1 r1c2", "r1c2 r1c3", "r1c3 r1c4"]'

BROKEN = {  # givens that break a rule: the cells that it names
    "sudoku": ('size = 4\ngivens = "1..1............"', "r1c1 r1c4"),
    "latin": (f'size = 4\ngivens = ["1..1", {EMPTY}]', "r1c1 r1c4"),
    "futoshiki": (f'size = 4\n{GREATER}\ngivens = ["12..", {EMPTY}]', "r1c2 r1c1"),
    "kenken": (
        'size = 2\ngivens = ["12", ".."]\ncages = [{cells = "r1c1 r1c2", op = "+", target = 4}, '
        '{cells = "r2c1 r2c2", op = "+", target = 3}]',
        "r1c1 r1c2",
    ),
    "skyscrapers": (f'size = 4\nleft = [1, 0, 0, 0]\ngivens = ["1243", {EMPTY}]', "r1c1 r1c2 r1c3 r1c4"),
    "takuzu": (f'height = 4\nwidth = 4\ngivens = ["000.", {EMPTY}]', "r1c1 r1c2 r1c3"),
    "n_queens": ('size = 6\ngivens = "1 1 . . . ."', "row1 row2"),
    "magic_square": ('size = 3\ngivens = ["1 2 3", ". . .", ". . ."]', "r1c1 r1c2 r1c3"),
    "map": ('colours = 3\nregions = ["AAB", "CCB"]\ngivens = {A = 1, B = 1}', "A B"),
    "coloring": ('colours = 3\nedges = ["1 2", "2 3", "1 3"]\ngivens = {1 = 1, 2 = 1}', "1 2"),
}
IMPOSSIBLE = [  # and the givens that cannot stand together; none where the rules alone conflict
    ("sudoku", 'size = 4\ngivens = "12....3........."', "r1c1 r1c2 r2c3"),
    ("latin", f'size = 4\ngivens = ["123.", "...4", {EMPTY[8:]}]', "r1c1 r1c2 r1c3 r2c4"),
    ("futoshiki", f'size = 4\n{GREATER}\ngivens = ["3...", {EMPTY}]', "r1c1"),
    (
        "kenken",
        'size = 2\ncages = [{cells = "r1c1 r1c2", op = "+", target = 4}, {cells = "r2c1 r2c2", op = "+", target = 3}]',
        "",
    ),
    ("skyscrapers", "size = 4\nleft = [1, 1, 0, 0]", ""),
    ("takuzu", 'height = 4\nwidth = 4\ngivens = ["0..0", ".1..", ".1..", "...."]', "r1c1 r1c4 r2c2 r3c2"),
    ("nonogram", "row_clues = [[1, 1], [1, 1], [1, 1], []]\ncol_clues = [[1, 1], [2], [1], [1]]", ""),
    ("n_queens", "size = 3", ""),
    ("magic_square", 'size = 3\ngivens = ["1 . .", ". . .", ". . ."]', "r1c1"),
    ("map", 'colours = 2\nregions = ["AAB", "CCB"]', ""),
    ("coloring", f"colours = 3\nedges = {[pair.strip() for pair in GROETZSCH.split(',')]}", ""),
    ("hitori", 'board = ["1 1 2 2", "1 1 2 2", "3 3 4 4", "3 3 4 4"]', ""),
    ("kakuro", r"""clues = ['# 3\ 17\', '\4 . .', '\16 . .']""", ""),
]
AMBIGUOUS = [
    ("sudoku", 'size = 4\ngivens = "1..............."'),
    ("latin", "size = 3"),
    ("futoshiki", f"size = 4\n{GREATER}"),
    (
        "kenken",
        'size = 2\ncages = [{cells = "r1c1 r1c2", op = "+", target = 3}, {cells = "r2c1 r2c2", op = "+", target = 3}]',
    ),
    ("skyscrapers", "size = 4\nleft = [1, 0, 0, 0]"),
    ("takuzu", "height = 4\nwidth = 4"),
    ("nonogram", "row_clues = [[1], [1]]\ncol_clues = [[1], [1]]"),
    ("n_queens", "size = 6"),
    ("magic_square", "size = 3"),
    ("map", 'colours = 3\nregions = ["AAB", "CCB"]'),
    ("coloring", 'colours = 3\nedges = ["1 2", "2 3", "1 3"]'),
    ("hitori", 'board = ["1 2 3", "2 3 1", "3 1 2"]'),
    ("kakuro", r"""clues = ['# 9\ 9\', '\9 . .', '\9 . .']"""),
]


@pytest.fixture
def solved(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Ran]:
    def call(kind: str, options: str) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f'kind = "{kind}"\n{options}\n'.encode())))
        code = run(["grid", "-", "--denoiser", "random", "--steps", "1", "--unique", "--json"])
        return Ran(code, *capsys.readouterr())

    return call


def test_every_kind_is_here() -> None:
    assert {kind for kind, *_ in IMPOSSIBLE} == {kind for kind, _ in AMBIGUOUS} == set(grid_kinds())
    assert set(grid_kinds()) - set(BROKEN) == {"nonogram", "hitori", "kakuro"}  # which have no givens


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_givens_are_named_with_their_rule(kind: str, solved: Callable[[str, str], Ran]) -> None:
    options, cells = BROKEN[kind]
    ran = solved(kind, options)
    (told,) = ran.envelopes
    assert (ran.code, told["status"], told["solutions"], told["answer"]) == (2, "MODEL_INVALID", "none", None)
    assert told["faults"][0]["cells"] == cells.split() and told["faults"][0]["message"] in ran.err


@pytest.mark.parametrize(("kind", "options", "cells"), IMPOSSIBLE, ids=[kind for kind, *_ in IMPOSSIBLE])
def test_no_answer_is_proven(kind: str, options: str, cells: str, solved: Callable[[str, str], Ran]) -> None:
    ran = solved(kind, options)
    (told,) = ran.envelopes
    assert (ran.code, told["status"], told["solutions"], told["answer"]) == (3, "INFEASIBLE", "none", None)
    (fault,) = told["faults"]
    assert fault["cells"] == cells.split() and fault["message"] in ran.err
    assert ("leave out any one" if cells else "The rules alone leave no answer") in fault["message"]


@pytest.mark.parametrize(("kind", "options"), AMBIGUOUS, ids=[kind for kind, _ in AMBIGUOUS])
def test_several_answers_are_proven(kind: str, options: str, solved: Callable[[str, str], Ran]) -> None:
    ran = solved(kind, options)
    (told,) = ran.envelopes
    assert (ran.code, told["status"], told["solutions"]) == (0, "FEASIBLE", "many")
    assert "The problem has more than one solution." in ran.err
