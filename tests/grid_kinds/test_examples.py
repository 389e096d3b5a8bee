"""The example files: each has the answers it should have, and says the same in every format."""

import json
from pathlib import Path

import pytest

import dgsolve
from dgsolve.certify import SolutionCount, certify
from dgsolve.grid_kinds import grid_kinds

FILES = sorted((Path(__file__).parents[2] / "puzzles" / "grids").glob("*.toml"))
MANY = ("coloring", "n_queens")  # colours can be swapped, and boards turned


def test_every_kind_has_one() -> None:
    assert set(grid_kinds()) <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_one_solution_and_survives_every_format(path: Path) -> None:
    grid = dgsolve.Grid.read(path)
    assert dgsolve.Grid.parse(grid.to_toml()) == dgsolve.Grid.parse(grid.to_json()) == grid
    assert dgsolve.Grid.from_dict(json.loads(json.dumps(grid.to_dict()))) == grid
    found = certify(grid, time_limit=60)
    assert found.status is (SolutionCount.MANY if path.stem in MANY else SolutionCount.ONE)
    assert grid.check(grid.decode(found.solutions[0])).valid
