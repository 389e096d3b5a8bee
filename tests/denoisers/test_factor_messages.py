"""What factors say, against sums over every way to fill their slots."""

from itertools import product
from math import log, prod

import numpy as np
import pytest
import torch

import dgsolve
from dgsolve.denoisers.factor_messages import FAINTEST, FactorTables, PackedFactors
from dgsolve.denoisers.relational_network import GraphTables, PackedGraph

CELLS = ["r1c1", "r1c2", "r1c3"]


def grid_of(kind, *arguments, **parameters):
    grid = dgsolve.Grid(1, 3, values=range(1, 5))
    getattr(grid, kind)(*arguments, **parameters)
    return grid


RULES = {
    "sum": grid_of("sum", CELLS, 8),
    "sum of different numbers": grid_of("sum", CELLS, 7, distinct=True),
    "product": grid_of("product", CELLS, 12),
    "less than": grid_of("less_than", *CELLS),
    "count": grid_of("count", CELLS, [1, 3], 2),
    "runs": grid_of("regular", CELLS, runs=[1, 1], filled=2),
    "seen": grid_of("visible", CELLS, 2),
    "a table": grid_of("table", CELLS, [[1, 2, 3], [1, 3, 2], [4, 4, 1]]),
    "a table of what is forbidden": grid_of("table", CELLS, [[1, 2, 3], [2, 2, 2], [4, 1, 1]], forbidden=True),
    "a pair of three": grid_of("difference", "r1c1", "r1c3", difference=2),
}


def packed(grid, allowed):
    tables = GraphTables(grid.factor_graph())
    factors = FactorTables(grid.factor_graph(), ("sum",))
    graph = PackedGraph.pack(tables, allowed)
    first = range(0, len(allowed) * tables.candidates, tables.candidates)
    return factors, graph, PackedFactors([factors] * len(allowed), first, allowed.flatten(), graph)


def expected(grid, shares):
    """{candidate: mass of the ways to keep the rule that hold it, without its own share}, of one canvas [L, K]."""
    (rule,) = grid.rules
    masses = {slot * 4 + value: 0.0 for slot in rule.cells for value in range(4)}
    for values in product(range(4), repeat=len(rule.cells)):
        if not rule.broken([value + 1 for value in values], grid):
            each = [shares[slot, value] for slot, value in zip(rule.cells, values, strict=True)]
            for place, (slot, value) in enumerate(zip(rule.cells, values, strict=True)):
                masses[slot * 4 + value] += float(prod(each[:place] + each[place + 1 :]))
    return masses


@pytest.mark.parametrize("name", RULES)
def test_messages_are_sums_over_every_way_to_keep_the_rule(name):
    grid = RULES[name]
    shares = torch.rand(2, 3, 4, generator=torch.Generator().manual_seed(3), dtype=torch.float64) + 0.05
    shares /= shares.sum(-1, keepdim=True)
    _, graph, factors = packed(grid, torch.ones(2, 3, 4, dtype=torch.bool))
    said = factors.messages(shares.flatten()[graph.nodes])
    masses = [expected(grid, canvas.numpy()) for canvas in shares]
    edges = [divmod(int(graph.nodes[node]), 12) for node in factors.node]
    heard = [masses[row][candidate] for row, candidate in edges]
    assert sum(mass > 0 for one in masses for mass in one.values()) == sum(mass > 0 for mass in heard)
    for number, (row, candidate) in enumerate(edges):
        slot = [mass for held, mass in masses[row].items() if held // 4 == candidate // 4]
        likelihood = heard[number] / max(slot)
        assert said.features[number, 1] == pytest.approx(likelihood, abs=1e-6)
        assert said.log[number] == pytest.approx(max(log(likelihood), -FAINTEST) if likelihood else -FAINTEST, abs=1e-4)
        own = shares[row].flatten()
        whole = sum(mass * own[held] for held, mass in masses[row].items() if held // 4 == candidate // 4)
        assert said.features[number, 2] == pytest.approx(float(heard[number] * own[candidate] / whole), abs=1e-6)


def test_a_settled_slot_counts_as_sure_and_a_value_ruled_out_as_impossible():
    grid = RULES["sum"]
    allowed = torch.ones(1, 3, 4, dtype=torch.bool)
    allowed[0, 0] = torch.tensor([False, True, False, False])  # the first holds 2: the others add up to 6
    allowed[0, 1, 3] = False
    _, graph, factors = packed(grid, allowed)
    said = factors.messages(torch.full((len(graph.nodes),), 0.25))
    likely = {int(graph.nodes[node]): round(float(said.features[n, 1]), 3) for n, node in enumerate(factors.node)}
    # the second may hold 2 or 3 (with 4 or 3), never 1; the third 3 or 4, never 1, nor 2, which needs a 4
    assert likely == {4: 0.0, 5: 1.0, 6: 1.0, 8: 0.0, 9: 0.0, 10: 1.0, 11: 1.0}


def test_a_factor_that_nothing_can_keep_says_nothing():
    allowed = torch.zeros(1, 3, 4, dtype=torch.bool)
    allowed[0, :, :2] = True  # 8 is beyond three times 2
    _, graph, factors = packed(RULES["sum"], allowed)
    said = factors.messages(torch.full((len(graph.nodes),), 0.5))
    assert torch.equal(said.log, torch.zeros(len(factors.node)))


def test_kinds_without_an_embedding_share_the_last():
    tables = FactorTables(RULES["product"].factor_graph(), ("sum",))
    assert set(tables.kinds.tolist()) == {1}
    assert set(FactorTables(RULES["sum"].factor_graph(), ("sum",)).kinds.tolist()) == {0}
    assert np.allclose(tables.lengths, log(3))
