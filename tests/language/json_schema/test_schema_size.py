"""Schemas and given values that are nested or share parts without end."""

import time
from collections.abc import Callable

import pytest

from dgsolve.errors import SchemaError
from dgsolve.forms import compile_form


def _shared(times: int, wrap: Callable[[object], object]) -> object:
    part: object = {"type": "string"}
    for _ in range(times):
        part = wrap(part)
    return part


@pytest.mark.parametrize(
    "given",
    [
        lambda: _shared(40, lambda part: {"properties": {"a": part, "b": part}}),
        lambda: {"enum": [_shared(40, lambda part: [part, part])]},
        lambda: {"description": ["x" * 1_000_000] * 100},
    ],
)
def test_schemas_that_share_their_parts_without_end_are_refused_at_once(given):
    schema, started = given(), time.process_time()
    with pytest.raises(SchemaError, match="more than 50,000,000 characters"):
        compile_form(schema)
    with pytest.raises(SchemaError, match="more than 50,000,000 characters"):
        compile_form({}).filled(schema)
    assert time.process_time() - started < 1


def test_schemas_that_share_a_few_parts_are_read():
    assert compile_form(_shared(3, lambda part: {"properties": {"a": part}, "not": {"const": 1}})).accepts('{"a": {}}')


def test_schemas_that_hold_themselves_or_share_to_great_depth_are_refused():
    ring: dict[str, object] = {"type": "array"}
    ring["items"] = ring
    with pytest.raises(SchemaError, match="holds itself"):
        compile_form(ring)
    low = _shared(300, lambda part: {"items": part})
    high: object = low
    for _ in range(300):
        high = {"items": high}
    with pytest.raises(SchemaError, match="more than 500 arrays and objects"):
        compile_form({"anyOf": [low, high]})


@pytest.mark.parametrize(("depth", "most"), [(200, 100), (10_000, 500)])
def test_fill_may_not_be_nested_without_end(depth, most):
    value: object = 1
    for _ in range(depth):
        value = {"a": value}
    with pytest.raises(SchemaError, match=f"more than {most} arrays and objects"):
        compile_form({}).filled(value)
