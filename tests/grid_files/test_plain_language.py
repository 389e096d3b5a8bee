"""What is wrong with a file of cells and rules is told at its key, and the schema refuses nothing that is read."""

from typing import Any

import jsonschema_rs
import pytest

import dgsolve
from dgsolve.errors import PuzzleError
from dgsolve.grid_files import keys
from dgsolve.grid_files.schema import file_schema
from dgsolve.rules import rule_kinds

GRID = {"rows": 2, "cols": 2, "values": [1, 2]}
NEEDED: dict[str, Any] = {"values": [1], "times": 1, "total": 3, "product": 2, "tuples": [], "visible": 1}
NEEDED |= {"value": 1, "function": "math:prod", "width": 2, "length": 2, "rank": 1, "side": "left", "line": 1}
JUNK: list[Any] = [
    *(True, False, -1, 1.0, 2.5, 10**30, "", "é²", "r1c1:r9c9", "1" * 100, [], [[]], [True], [1.5], ["a", "a"]),
    *([{}], [[1, 1]], ["r1c1", 5], {}, {"a": 1}, {"r1c1": True}, {"r1c1": [[1]]}, {"cells": 5}, [{"cells": 5}]),
]
VALIDATOR = jsonschema_rs.validator_for(file_schema())


def rule(kind: str, **given: Any) -> dict[str, Any]:
    needed = {name: NEEDED[name] for name in rule_kinds()[kind].required()}
    cells = "r1 r2" if kind == "rank" else "r1c1 r1c2"  # which is of squares
    return {"grid": GRID, "rule": [{"type": kind, "cells": cells, **needed, **given}]}


def records(junk: Any) -> dict[str, dict[str, Any]]:
    """Files with `junk` in place of what one key should say, by that key."""
    found: dict[str, dict[str, Any]] = {}
    for key in keys.GRID:
        cells = {"values": [1, 2]} if key == "cells" else GRID
        found[f"grid.{key}"] = {"grid": {**cells, key: junk}}
    for scope in ("type", *keys.SCOPES):
        found[f"rule[1].{scope}"] = {"grid": GRID, "rule": [{"type": "all_different", scope: junk}]}
    for kind, made in rule_kinds().items():
        found |= {f"{kind}: rule[1].{name}": rule(kind, **{name: junk}) for name in made.parameters()}
    return found


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: repr(junk)[:30])
def test_what_the_schema_refuses_the_reader_refuses_at_its_key(junk: Any) -> None:
    for key, record in records(junk).items():
        try:
            dgsolve.Grid.from_dict(record, allow_python=True)
        except PuzzleError as error:
            assert error.key, (key, error)
            where = key.rpartition(" ")[2]
            shared = {"grid.rows": "grid", "grid.cols": "grid", "rule[1].type": "rule[1]"}  # what only fits together
            assert error.key.startswith((where, "rule[1].cells")) or error.key == shared.get(where), (key, error)
        else:
            assert VALIDATOR.is_valid(record) or (key, junk) == ("grid.holes", [[]]), key


@pytest.mark.parametrize("count", [10**30, 10**5000], ids=["30 digits", "5001 digits"])
def test_a_number_of_any_length_is_refused_in_words(count: int) -> None:
    with pytest.raises(PuzzleError, match="10000 cells at most"):
        dgsolve.Grid.from_dict({"grid": {**GRID, "rows": count}})
    for kind in ("latin", "n_queens", "takuzu"):
        with pytest.raises(PuzzleError):
            dgsolve.Grid.from_dict({"kind": kind, "size": count, "height": count, "width": 2})


def test_many_names_are_read_at_once_and_too_many_refused() -> None:
    names = [f"node {number}" for number in range(10_000)]
    assert dgsolve.Grid(cells=names, values="AB").names == tuple(names)
    with pytest.raises(dgsolve.UsageError, match="10000 at most"):
        dgsolve.Grid(cells=[*names, "one more"], values="AB")


def test_a_line_that_is_no_json_leaves_the_others() -> None:
    good = '{"kind": "latin", "size": 2}'
    with pytest.raises(PuzzleError, match="holds 3 grids"):
        dgsolve.Grid.parse('{"kind": "latin" "size": 2}\n' + f"{good}\n{good}")


def test_a_file_of_junk_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(PuzzleError, match="longer than 16777216 characters"):
        dgsolve.Grid.parse('kind = "latin"\n' + f"#{'x' * 999_998}\n" * 17)


def test_a_line_of_colons_is_read_at_once() -> None:
    with pytest.raises(PuzzleError, match="numbers of cells, expected 81"):
        dgsolve.Grid.parse("3x3::k:" + ":" * 1_000_000 + "x")


@pytest.mark.parametrize(("given", "said"), [({"rules": [5]}, "5 is no rule"), ({"title": 5}, "a title is a text")])
def test_what_no_file_could_hold_is_refused_by_the_builder(given: dict[str, Any], said: str) -> None:
    with pytest.raises(dgsolve.UsageError, match=said):
        dgsolve.Grid(2, 2, values="12", **given)
