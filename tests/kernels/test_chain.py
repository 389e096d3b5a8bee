"""The chain of a canvas against every way through it."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from dgsolve.kernels import chain as kernel
from dgsolve.kernels.chain import Lattice

SHAPES = [(1, 1), (2, 2), (3, 5)]  # canvases, slots


def random_steps(rng, slots, states=4, bundles=4, degree=3):
    """Steps as the constraints build them, from one state; a state may have no way on, but the first has."""
    sizes = [1, *rng.integers(1, states + 1, slots).tolist()]
    steps = []
    for before, behind in itertools.pairwise(sizes):
        least = [1] + [0] * (before - 1)  # the first state of every slot leads to the first of the next
        targets = [rng.choice(behind, min(behind, int(rng.integers(low, degree + 1))), replace=False) for low in least]
        targets[0] = np.union1d(targets[0], [0])
        target = np.concatenate([np.sort(row) for row in targets]).astype(int)
        count = int(rng.integers(1, bundles + 1))
        starts = np.append(0, np.cumsum([len(row) for row in targets]))
        steps.append(step_of(before, behind, starts, target, rng.integers(0, count, len(target)), count))
    return steps


def step_of(before, behind, starts, target, label, bundles):
    return SimpleNamespace(
        states=np.arange(before), after=np.arange(behind), starts=np.asarray(starts), target=np.asarray(target),
        label=np.asarray(label), bundle_starts=np.arange(bundles + 1),
    )  # fmt: skip


def all_ways(steps):
    """The bundles of every way through a canvas, one tuple for each way."""
    ways = [((), 0)]
    for step in steps:
        ways = [
            ((*taken, int(step.label[arc])), int(step.target[arc]))
            for taken, state in ways
            for arc in range(step.starts[state], step.starts[state + 1])
        ]
    return [taken for taken, _ in ways]


def run(way, canvases, weights, best, uniform):
    lattice = Lattice.of(canvases, torch.device(way.device))
    by = kernel.chain_reference if way.suffix == "torch" else way.of(kernel)
    found = by(lattice, *(x.to(way.device) for x in (weights, best, uniform)))
    return kernel.ChainResult(*(x.cpu() for x in vars(found).values()))


def case(shape, seed=0):
    rng, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    canvases = [random_steps(rng, shape[1]) for _ in range(shape[0])]
    most = max(len(step.bundle_starts) - 1 for steps in canvases for step in steps)
    weights, best = torch.randn(2, *shape, most, generator=generator).mul_(3).unbind(0)
    return canvases, weights, best, torch.rand(shape, generator=generator)


def assert_exact(found, canvases, weights, best):
    for canvas, steps in enumerate(canvases):
        ways = all_ways(steps)
        sums = [sum(weights[canvas, slot, m].item() for slot, m in enumerate(way)) for way in ways]
        top = max(sums)
        total = top + math.log(sum(math.exp(x - top) for x in sums))
        assert found.log_total[canvas].item() == pytest.approx(total, rel=1e-7, abs=1e-6)
        share = torch.zeros_like(weights[canvas], dtype=torch.float64)
        for way, x in zip(ways, sums, strict=True):
            share[range(len(way)), list(way)] += math.exp(x - total)
        torch.testing.assert_close(found.probability[canvas].double(), share, rtol=1e-5, atol=2e-6)
        score = {way: sum(best[canvas, slot, m].item() for slot, m in enumerate(way)) for way in ways}
        assert score[tuple(found.mode[canvas].tolist())] == pytest.approx(max(score.values()), abs=1e-6)
        assert tuple(found.draw[canvas].tolist()) in score


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_chain_is_what_all_ways_say(way, shape, seed):
    canvases, weights, best, uniform = case(shape, seed)
    assert_exact(run(way, canvases, weights, best, uniform), canvases, weights, best)


def test_blocks_smaller_than_a_slot(way, monkeypatch):
    monkeypatch.setattr(kernel, "TILE", 8)
    monkeypatch.setattr(kernel, "WALK", 2)
    rng = np.random.default_rng(5)
    canvases = [random_steps(rng, 3, states=7, bundles=6, degree=7) for _ in range(2)]
    weights, best = torch.randn(2, 2, 3, 6, generator=torch.Generator().manual_seed(1)).unbind(0)
    assert_exact(run(way, canvases, weights, best, torch.tensor([[0.99, 0.5, 0.01]] * 2)), canvases, weights, best)


def test_draws_come_in_proportion_to_their_probability(way):
    canvases, weights, best, _ = case((1, 2), seed=4)
    side = 6 if way.suffix == "triton" and way.device == "cpu" else 40
    u = (torch.arange(side) + 0.5) / side
    many = side * side
    found = run(
        way, canvases * many, weights.expand(many, -1, -1), best.expand(many, -1, -1), torch.cartesian_prod(u, u)
    )
    drawn = torch.zeros_like(weights[0])
    for slot in range(2):
        drawn[slot] = found.draw[:, slot].bincount(minlength=weights.shape[2]) / many
    assert (drawn - found.probability[0]).abs().max() < 1.5 / side


def test_slots_and_canvases_share_their_steps(way):
    step = step_of(2, 2, [0, 2, 3], [0, 1, 1], [0, 1, 0], 2)
    first = step_of(1, 2, [0, 2], [0, 1], [0, 1], 2)
    canvases = [[first, step, step], [first, step, step]]
    lattice = Lattice.of(canvases, torch.device("cpu"))
    assert lattice.step.tolist() == [[0, 1, 1], [0, 1, 1]] and len(lattice.bundles) == 2
    weights, best = torch.randn(2, 2, 3, 2, generator=torch.Generator().manual_seed(0)).unbind(0)
    assert_exact(run(way, canvases, weights, best, torch.rand(2, 3)), canvases, weights, best)


@pytest.mark.parametrize("level", [-1e4, 1e4])
def test_weights_that_sum_to_a_million_nats(way, level):
    step = step_of(2, 2, [0, 2, 4], [0, 1, 0, 1], [0, 1, 1, 0], 2)
    slots = 40 if way.suffix == "triton" and way.device == "cpu" else 256
    steps = [step_of(1, 2, [0, 2], [0, 1], [0, 1], 2), *[step] * (slots - 1)]
    weights = torch.tensor([0.0, 1.5]).expand(1, slots, 2) + level
    found = run(way, [steps], weights, weights, torch.rand(1, slots, generator=torch.Generator().manual_seed(0)))
    # from every state one arc of each bundle: the slots are independent
    one = math.log(1 + math.exp(1.5))
    assert found.log_total.item() == pytest.approx(slots * (level + one), rel=1e-9)
    assert found.probability[0, :, 1].tolist() == pytest.approx([math.exp(1.5 - one)] * slots, abs=1e-5)
    assert found.mode.tolist() == [[1] * slots] and 0 < found.draw.sum() < slots


def test_a_way_of_tiny_weight_is_taken_where_there_is_no_other(way):
    # the heavy arc of the first slot leads to a state without any way on
    steps = [step_of(1, 2, [0, 2], [0, 1], [0, 1], 2), step_of(2, 1, [0, 0, 1], [0], [0], 1)]
    weights = torch.tensor([[[1e4, -1e4], [-1e4, 0.0]]])
    found = run(way, [steps], weights, weights, torch.full((1, 2), 1e-6))
    assert found.log_total.item() == -2e4
    assert found.draw.tolist() == found.mode.tolist() == [[1, 0]]
    assert found.probability.tolist() == [[[0.0, 1.0], [1.0, 0.0]]]


def test_a_canvas_that_nothing_fits_says_so(way):
    steps = [step_of(1, 2, [0, 1], [0], [0], 1), step_of(2, 1, [0, 0, 1], [0], [0], 1)]
    found = run(way, [steps], torch.zeros(1, 2, 1), torch.zeros(1, 2, 1), torch.full((1, 2), 0.5))
    assert found.log_total.item() == -math.inf


def test_public_function_agrees_with_the_constraints_own_chain():
    from dgsolve.constraints.token_chain import TokenChain
    from dgsolve.constraints.token_lattice import Step

    canvases, weights, best, uniform = case((1, 5), seed=2)
    steps = [
        Step(
            step.states, step.after, step.starts, step.label.astype(np.int32), step.target.astype(np.int32),
            np.arange(len(step.bundle_starts) - 1), np.arange(len(step.bundle_starts) - 1), step.bundle_starts,
        )
        for step in canvases[0]
    ]  # fmt: skip
    counts = [len(step.bundle_starts) - 1 for step in steps]
    rows = [row[:count].double().numpy() for row, count in zip(weights[0], counts, strict=True)]
    theirs = TokenChain(steps, rows)
    found = kernel.chain(Lattice.of([steps], torch.device("cpu")), weights, best, uniform)
    assert found.log_total.item() == pytest.approx(theirs.log_total)
    for slot, count in enumerate(counts):
        assert found.probability[0, slot, :count].tolist() == pytest.approx(theirs.bundle_probability[slot], abs=1e-6)
