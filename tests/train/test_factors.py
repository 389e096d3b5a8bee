"""Training of the network with factors, at a size that takes seconds."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch

from dgsolve.denoisers.relational_network import RelationalNetwork
from dgsolve.errors import ModelUnavailableError
from dgsolve.train.factor_settings import FactorSettings
from dgsolve.train.factors import FactorTraining, train, train_step
from dgsolve.train.grid_lane import GridLane, Study
from dgsolve.train.grid_puzzles import draw_puzzle

TINY = FactorSettings(
    hidden=8, message=8, factor_message=6, iterations=3, segments=3, batch=8, learning_rate=2e-2, old_rate=1e-2,
    warmup_steps=1, seconds=100.0,
)  # fmt: skip


@pytest.fixture(scope="module")
def studies() -> list[Study]:
    rng = Random(1)
    drawn = [draw_puzzle(family, rng) for family in ("magic_square", "futoshiki", "kakuro") for _ in range(4)]
    return [Study(puzzle) for puzzle in drawn if puzzle is not None]


def started(settings: FactorSettings = TINY) -> FactorTraining:
    torch.manual_seed(0)
    return FactorTraining.create(settings, RelationalNetwork(settings.hidden, settings.message))


def lane(studies: list[Study], seed: int = 1) -> GridLane:
    return GridLane(studies, TINY, torch.Generator().manual_seed(seed))


def run(state: FactorTraining, on: GridLane, steps: int) -> list[float]:
    losses = []
    for step in range(steps):
        state.set_rates()
        losses.append(train_step(state, on)[0])
        state.count_step(float(step))
    return losses


def test_a_few_steps_reduce_the_loss_and_repeat(studies):
    states = [started() for _ in range(2)]
    losses = [run(state, lane(studies), 80) for state in states]
    assert losses[0] == losses[1]
    assert all(torch.equal(a, b) for a, b in zip(*(s.average.parameters() for s in states), strict=True))
    fresh, trained = (
        np.mean([run(state, lane(studies, seed), 1) for seed in range(5, 9)]) for state in (started(), states[0])
    )
    assert trained < 0.75 * fresh


def test_unlike_puzzles_of_one_batch_are_as_if_alone(studies):
    network, together = started().network, lane(studies)
    graph, factors = together.graph()
    features = together.features()
    logits = network.with_factors(together.hidden()[graph.nodes], features[graph.nodes], graph, factors, 3)[1]
    first = 0
    for seat in list(together.seats):
        together.seats = [seat]
        alone, own = together.graph()
        part = features[first : first + seat.study.tables.candidates]
        expected = network.with_factors(together.hidden()[alone.nodes], part[alone.nodes], alone, own, 3)[1]
        mine = (graph.nodes >= first) & (graph.nodes < first + len(part))
        torch.testing.assert_close(logits[mine], expected, rtol=1e-4, atol=1e-4)
        first += len(part)


def test_canvases_keep_the_solution_and_start_inside_what_is_left(studies):
    for seat in lane(studies).seats:
        right = torch.nn.functional.one_hot(seat.study.solution, seat.study.tables.values).bool()
        assert seat.allowed[right].all()
        assert not (seat.allowed & ~seat.study.permitted).any()
        assert (seat.locked >= seat.study.given).all()


def test_a_checkpoint_goes_on_and_another_file_is_refused(studies, tmp_path):
    path, reports = tmp_path / "checkpoint.pt", []
    state = started(replace(TINY, seconds=0.5))
    train(state, lane(studies), checkpoint=path, save_every=0.1, on_report=reports.append)
    assert reports and state.log == reports
    loaded = FactorTraining.load(path)
    assert (loaded.step, loaded.elapsed, loaded.settings) == (state.step, state.elapsed, state.settings)
    assert run(loaded, lane(studies), 3) == run(state, lane(studies), 3)
    (tmp_path / "other.pt").write_bytes(b"none")
    with pytest.raises(ModelUnavailableError, match="is no checkpoint of dgsolve train factors"):
        FactorTraining.load(tmp_path / "other.pt")
