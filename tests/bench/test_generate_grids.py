"""The sets of grids that a script writes: read, solvable, and the same for the same seed."""

import importlib.util
import json
from pathlib import Path
from random import Random

import pytest

from dgsolve.certify import SolutionCount, certify
from dgsolve.problems.grid import Grid

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "generate_grids.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("generate_grids", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("number", "nodes", "edges"), [(2, 5, 5), (3, 11, 20), (4, 23, 71), (5, 47, 236)])
def test_mycielskis_graphs_have_their_sizes(script, number, nodes, edges):
    found = script.mycielski(number)
    assert len({frozenset(edge) for edge in found}) == len(found) == edges
    assert set().union(*found) == set(range(nodes))


def test_sets_are_readable_and_alike_for_the_same_seed(script):
    made = [
        lambda rng: script.queens(8, 2, rng),
        lambda rng: script.quasigroups(5, 0.4, 2, rng),
        lambda rng: script.colourings(3, 2, rng),
    ]
    for make in made:
        records = list(make(Random("a")))
        assert json.dumps(records) == json.dumps(list(make(Random("a"))))
        for record in records:
            grid = Grid.from_dict(record)
            assert not grid.given_faults() and grid.narrowed(grid.permitted).any()


def test_a_colour_less_than_its_chromatic_number_is_too_few(script):
    (record,) = script.colourings(3, 1, Random(0))
    assert certify(Grid.from_dict(record), time_limit=20).status is SolutionCount.MANY
    assert certify(Grid.from_dict(record | {"colours": 3}), time_limit=20).status is SolutionCount.NONE
