"""The network with factors: the plain one where there are none, canvases apart, weights in folders."""

import pytest
import torch

import dgsolve
from dgsolve.denoisers.factor_network import FactorNetwork
from dgsolve.denoisers.relational import RelationalDenoiser
from dgsolve.denoisers.relational_network import RelationalNetwork
from dgsolve.train.factor_settings import FactorSettings
from dgsolve.train.factors import FactorTraining


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(5)
    return RelationalNetwork(8, 8)


def random_factors(network):
    torch.manual_seed(6)
    made = FactorNetwork.of(network)
    for name, weights in made.named_parameters():
        if name.startswith("factor_"):
            torch.nn.init.normal_(weights, std=0.3)
    return made


def latin(size=4):
    grid = dgsolve.Grid(size, size, values=range(1, size + 1))
    for line in (*grid.rows(), *grid.cols()):
        grid.all_different(line)
    return grid


def logits(denoiser, grid, rows=1):
    canvas = grid.canvas(denoiser.vocabulary(grid), propagate=False)
    canvas = type(canvas).stack([canvas] * rows)
    return denoiser.denoise(canvas.tokens, denoiser.start(grid, canvas))[0]


def test_where_no_rule_is_a_factor_the_network_is_the_plain_one(network):
    grid = latin()
    grid.all_different(["r1c1", "r2c2"])  # at most one: the network with factors reads it
    assert not grid.factor_graph().plain and not grid.factor_graph().factors
    plain, other = RelationalDenoiser(network), RelationalDenoiser(network, factor_network=random_factors(network))
    assert torch.equal(logits(plain, grid), logits(other, grid))


def test_a_factor_is_heard(network):
    grid = latin()
    grid.sum(["r1c1", "r1c2"], 3)
    untrained = logits(RelationalDenoiser(network), grid)
    assert not torch.equal(untrained, logits(RelationalDenoiser(network, factor_network=random_factors(network)), grid))
    deaf = FactorNetwork.of(network)
    torch.nn.init.zeros_(deaf.factor_weight)
    added = (untrained - logits(RelationalDenoiser(network, factor_network=deaf), grid))[0, 0]
    assert added[2:].tolist() == pytest.approx([-8.0, -8.0], abs=1e-4)  # 3 and 4 are too much: 0.5 times -16
    assert added[:2].min() > -4


def test_canvases_of_a_batch_do_not_hear_each_other(network):
    grid = latin()
    grid.product(["r1c1", "r1c2", "r2c2"], 8)
    denoiser = RelationalDenoiser(network, factor_network=random_factors(network))
    alone, together = logits(denoiser, grid), logits(denoiser, grid, rows=3)
    for row in together:
        torch.testing.assert_close(row, alone[0], rtol=1e-4, atol=1e-5)


def test_a_folder_of_either_network_is_filled_up_with_what_ships(network, tmp_path):
    FactorTraining.create(FactorSettings(hidden=8, message=8, factor_message=4), network).export(tmp_path)
    denoiser = RelationalDenoiser.load(tmp_path)
    assert (denoiser.factor_network.hidden, denoiser.factor_network.factor_message) == (8, 4)
    shipped = RelationalDenoiser.load()
    for ours, theirs in zip(denoiser.network.parameters(), shipped.network.parameters(), strict=True):
        assert torch.equal(ours, theirs)
    grid = latin()
    grid.sum(["r1c1", "r2c2"], 8)
    assert dgsolve.solve(grid, denoiser).status is dgsolve.Status.FEASIBLE
