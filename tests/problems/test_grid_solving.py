"""Diffusion alone solves grids whose rules are groups, and the file errors name the line and the key."""

import pytest

import dgsolve

QUEENS = 'kind = "n_queens"\nsize = 8'
LATIN = 'kind = "latin"\nsize = 5\ngivens = {r1c1 = 3, r2c2 = 4}'


@pytest.mark.parametrize("text", [QUEENS, LATIN], ids=["queens", "latin"])
def test_diffusion_solves_it(text: str) -> None:
    solution = dgsolve.solve(dgsolve.Grid.parse(text))
    assert solution.found_by == "diffusion" and solution.problem.check(solution.answer).valid


def test_an_error_names_line_and_key() -> None:
    text = '[grid]\nrows = 2\ncols = 2\nvalues = "1-2"\n\n[[rule]]\ntype = "sum"\ncells = "r1"\ntotal = "x"\n'
    with pytest.raises(dgsolve.PuzzleError, match=r"line 9, rule\[1\]\.total: .*must be a whole number"):
        dgsolve.Grid.parse(text)
    with pytest.raises(dgsolve.PuzzleError, match=r"line 7, rule\[1\]\.type") as caught:
        dgsolve.Grid.parse(text.replace("sum", "sums"))
    assert "Did you mean sum" in caught.value.hint


def test_a_used_grid_takes_no_more_rules() -> None:
    grid = dgsolve.Grid(2, 2, values=(1, 2))
    hash(grid)
    with pytest.raises(dgsolve.UsageError, match="comes too late"):
        grid.equal("r1c1", "r1c2")
