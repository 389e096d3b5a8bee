"""The JSON Schema of grid files is a schema, and takes what the reader takes."""

import json
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

import dgsolve
from dgsolve.grid_files.schema import file_schema

GRIDS = sorted((Path(__file__).parents[2] / "puzzles" / "grids").glob("*.toml"))


@pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.stem)
def test_it_takes_the_example_files_and_what_grids_write(path: Path) -> None:
    validator = jsonschema_rs.validator_for(file_schema())
    validator.validate(tomllib.loads(path.read_text("utf-8")))
    grid = dgsolve.Grid.read(path)
    validator.validate(grid.to_dict())
    assert dgsolve.Grid.from_dict(json.loads(json.dumps(grid.to_dict()))) == grid


def test_it_refuses_what_the_reader_refuses() -> None:
    validator = jsonschema_rs.validator_for(file_schema())
    good = {"grid": {"rows": 2, "cols": 2, "values": [1, 2]}, "rule": [{"type": "sum", "cells": "r1", "total": 3}]}
    assert validator.is_valid(good)
    for change in ({"total": "3"}, {"totals": 3}, {"type": "sums"}):
        bad = {**good, "rule": [{**good["rule"][0], **change}]}
        assert not validator.is_valid(bad)
        with pytest.raises(dgsolve.PuzzleError):
            dgsolve.Grid.from_dict(bad)
