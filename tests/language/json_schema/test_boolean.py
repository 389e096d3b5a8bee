"""Operations on graphs give the same languages as operations on the automata with everything copied in."""

from itertools import product

import pytest

from dgsolve.language.algebra import difference, exactly_one, intersect, union
from dgsolve.language.json_schema.boolean import DIFFERENCE, EXACTLY_ONE, INTERSECT, UNION, combined
from dgsolve.language.json_schema.builder import Builder
from dgsolve.language.json_schema.dialect import Dialect
from dgsolve.language.json_schema.group import Groups
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits
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
    groups = Groups(Reader(References({"anyOf": BRANCHES}, Dialect(2020))), 0)
    builder = Builder(groups.reader, groups, limits)
    place = builder.start(groups.start(""))
    return [builder.language(builder.conjunction([f"/anyOf/{k}"]), place).graph for k in range(len(BRANCHES))]


@pytest.mark.parametrize(("operation", "same"), OPERATIONS, ids=["union", "intersect", "exactly one", "difference"])
def test_pairs(graphs, operation, same):
    for one, other in product(graphs, repeat=2):
        assert combined(operation, [one, other]).acceptor == same(one.acceptor, other.acceptor)


def test_the_union_of_many(graphs):
    made = combined(UNION, graphs)
    assert made.acceptor == union(*(graph.acceptor for graph in graphs))
    assert combined(UNION, graphs * 100).acceptor == made.acceptor


def test_three_at_once(graphs):
    assert combined(EXACTLY_ONE, graphs[:3]).acceptor == exactly_one(*(graph.acceptor for graph in graphs[:3]))


def test_what_all_call_alike_is_not_entered(graphs):
    made = combined(UNION, [graphs[0], graphs[0]])
    assert made.calls
    assert len(made.targets) <= len(graphs[0].targets) < graphs[0].size


@pytest.mark.parametrize("branches", [10, 30])
def test_many_open_objects_that_differ_in_a_key_are_no_work_for_the_judge(branches):
    integers = {f"k{k}": {"type": "integer"} for k in range(branches)}
    parts = [{"type": "object", "properties": {key: schema}, "required": [key]} for key, schema in integers.items()]
    made = compile_schema({"anyOf": parts})
    assert not made.judged
    for text in (b'{"k3": 1}', b'{"k3": "a", "k7": 1, "x": null}'):
        assert made.acceptor.accepts(text)
    assert not made.acceptor.accepts(b'{"k3": "a", "x": 1}')
