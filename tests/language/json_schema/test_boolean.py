"""Operations on graphs give the same languages as operations on the automata with everything copied in."""

from itertools import product

import pytest

from dgsolve.language.algebra import difference, exactly_one, intersect, union
from dgsolve.language.json_schema.boolean import DIFFERENCE, EXACTLY_ONE, INTERSECT, UNION, combined
from dgsolve.language.json_schema.builder import Builder
from dgsolve.language.json_schema.dialect import Dialect
from dgsolve.language.json_schema.group import Groups
from dgsolve.language.json_schema.limits import Deadline, Limits
from dgsolve.language.json_schema.reading import Reader
from dgsolve.language.json_schema.references import References

BRANCHES = [
    {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]},
    {"properties": {"a": {"minimum": 3}, "b": {"type": "string"}}, "required": ["b"]},
    {"type": "array", "items": {"type": "object", "properties": {"a": {"const": "x"}}}},
    {"type": ["array", "integer"], "items": {"type": "object"}, "minItems": 1},
]
OPERATIONS = [(UNION, union), (INTERSECT, intersect), (EXACTLY_ONE, exactly_one), (DIFFERENCE, difference)]


@pytest.fixture(scope="module")
def graphs():
    limits = Limits(any_depth=1)
    groups = Groups(Reader(References({"anyOf": BRANCHES}, Dialect(2020))), Deadline(20))
    builder = Builder(groups.reader, groups, limits, Deadline(20))
    place = builder.start(groups.start(""))
    return [builder.language(builder.conjunction([f"/anyOf/{k}"]), place).graph for k in range(len(BRANCHES))]


@pytest.mark.parametrize(("operation", "same"), OPERATIONS, ids=["union", "intersect", "exactly one", "difference"])
def test_pairs(graphs, operation, same):
    for one, other in product(graphs, repeat=2):
        assert combined(operation, [one, other]).acceptor == same(one.acceptor, other.acceptor)


def test_three_at_once(graphs):
    assert combined(EXACTLY_ONE, graphs[:3]).acceptor == exactly_one(*(graph.acceptor for graph in graphs[:3]))


def test_what_all_call_alike_is_not_entered(graphs):
    made = combined(UNION, [graphs[0], graphs[0]])
    assert made.calls
    assert len(made.targets) <= len(graphs[0].targets) < graphs[0].size
