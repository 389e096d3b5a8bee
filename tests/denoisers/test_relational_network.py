"""The packed network against plain loops, its gradients, and the symmetries it promises."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from dgsolve.canvas import Canvas
from dgsolve.denoisers.relational import RelationalDenoiser
from dgsolve.denoisers.relational_network import (
    FORBIDDEN,
    GraphTables,
    PackedGraph,
    RelationalNetwork,
    _GroupSum,
    _Hear,
    dense_logits,
)
from dgsolve.factor_graph import FactorGraph
from dgsolve.problems import sudoku_rules
from dgsolve.problems.sudoku import Sudoku

RAGGED = FactorGraph.from_houses(4, 3, [(0, 1, 2), (3, 2, 1)])  # slots 1 and 2 are in two houses, 0 and 3 in one
SUDOKU = sudoku_rules.factor_graph(2, 2)


def network(hidden: int = 8, message: int = 8, seed: int = 0) -> RelationalNetwork:
    """Random weights of which every part matters."""
    torch.manual_seed(seed)
    built = RelationalNetwork(hidden, message)
    for parameter in built.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return built


def domains(graph: FactorGraph, batch: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    allowed = torch.rand(batch, graph.slots, graph.values, generator=generator) < 0.6
    allowed[..., 0] |= ~allowed.any(-1)
    return allowed


def linked(graph: FactorGraph, allowed: np.ndarray) -> list[int]:
    """Candidates still possible that share some group with another."""
    possible = set(np.flatnonzero(allowed).tolist())
    crowded = [group for group in graph.groups if len(possible.intersection(group)) > 1]
    return sorted(possible.intersection(*[set().union(*crowded)]))


def one_canvas(net, graph, allowed, hidden, features, iterations):
    """The equations written out for one canvas, candidate by candidate: hidden [L*K, H] and logits [L*K]."""
    nodes = linked(graph, allowed.numpy())
    groups = [[node for node in group if node in nodes] for group in graph.groups]
    state = {node: hidden[node] for node in nodes}
    for _ in range(iterations):
        sent, own = {}, {}
        for node in nodes:
            sent[node], own[node] = net.send(net.norm(state[node] + net.encode(features[node]))).chunk(2)
        said = [net.group(sum((sent[node].relu() for node in group), torch.zeros(net.message))) for group in groups]
        for node in nodes:
            heard = sum((said[g] + own[node]).relu() for g, group in enumerate(groups) if node in group)
            gate, change = net.update(heard).chunk(2)
            state[node] = state[node] + gate.sigmoid() * (change - 0.1 * state[node])
    carried = torch.stack([state.get(node, hidden[node]) for node in range(len(hidden))])
    dense = torch.where(allowed.flatten(), 0.0, FORBIDDEN)
    for node in nodes:
        dense[node] = net.read(net.norm(state[node]))[0]
    return carried, dense


@pytest.mark.parametrize("graph", [RAGGED, SUDOKU], ids=["ragged", "sudoku"])
@torch.no_grad()
def test_packed_graph_equals_plain_loops(graph):
    net, allowed = network(), domains(graph, 3)
    generator = torch.Generator().manual_seed(1)
    hidden = torch.randn(3, graph.slots * graph.values, net.hidden, generator=generator)
    features = torch.rand(3, graph.slots * graph.values, 3, generator=generator)
    packed = PackedGraph.pack(GraphTables(graph), allowed)
    out, logits = net(hidden.flatten(0, 1)[packed.nodes], features.flatten(0, 1)[packed.nodes], packed, 3)
    dense = dense_logits(logits, packed, allowed)
    carried = hidden.flatten(0, 1).index_copy(0, packed.nodes, out).view_as(hidden)
    for row in range(3):
        right_hidden, right = one_canvas(net, graph, allowed[row], hidden[row], features[row], 3)
        assert torch.allclose(dense[row].flatten(), right, atol=1e-5, rtol=1e-5)
        assert torch.allclose(carried[row], right_hidden, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("graph", "ragged"), [(RAGGED, True), (SUDOKU, False)], ids=["ragged", "sudoku"])
def test_pack_keeps_linked_candidates_and_all_their_groups(graph, ragged):
    allowed = domains(graph, 4, seed=2)
    packed = PackedGraph.pack(GraphTables(graph), allowed)
    size, count = graph.slots * graph.values, len(graph.groups)
    right = [row * size + node for row in range(4) for node in linked(graph, allowed[row].numpy())]
    assert packed.nodes.tolist() == right and packed.ragged == ragged
    ends = [*packed.offsets.tolist()[1:], len(packed.members)]
    for group, (start, end) in enumerate(zip(packed.offsets.tolist(), ends, strict=True)):
        row, local = divmod(group, count)
        held = sorted(packed.nodes[packed.members[start:end]].tolist())
        assert held == [node for node in right if node // size == row and node % size in graph.groups[local]]


def test_a_decided_canvas_packs_to_nothing():
    allowed = torch.zeros(2, 16, 4, dtype=torch.bool)
    answer = torch.tensor([1, 2, 3, 4, 3, 4, 2, 1, 2, 1, 4, 3, 4, 3, 1, 2]) - 1
    allowed[:, torch.arange(16), answer] = True
    packed = PackedGraph.pack(GraphTables(SUDOKU), allowed)
    assert len(packed.nodes) == len(packed.members) == 0
    net = network()
    _, logits = net(torch.zeros(0, 8), torch.zeros(0, 3), packed, 2)
    assert torch.equal(dense_logits(logits, packed, allowed).argmax(-1), answer.expand(2, -1))


@pytest.mark.parametrize("graph", [RAGGED, SUDOKU], ids=["ragged", "sudoku"])
def test_gradients(graph):
    packed = PackedGraph.pack(GraphTables(graph), domains(graph, 1, seed=3))
    generator = torch.Generator().manual_seed(4)
    own = torch.randn(len(packed.nodes), 2, dtype=torch.float64, generator=generator, requires_grad=True)
    group = torch.randn(len(graph.groups), 2, dtype=torch.float64, generator=generator, requires_grad=True)
    assert torch.autograd.gradcheck(lambda m: _GroupSum.apply(m, packed), (own,))
    assert torch.autograd.gradcheck(lambda o, g: _Hear.apply(o, g, packed), (own, group))


@pytest.mark.parametrize("graph", [RAGGED, SUDOKU], ids=["ragged", "sudoku"])
def test_gradients_of_the_whole_network(graph):
    net, packed = network(3, 2).double(), PackedGraph.pack(GraphTables(graph), domains(graph, 1, seed=5))
    generator = torch.Generator().manual_seed(6)
    hidden = torch.randn(len(packed.nodes), 3, dtype=torch.float64, generator=generator, requires_grad=True)
    features = torch.rand(len(packed.nodes), 3, dtype=torch.float64, generator=generator, requires_grad=True)
    assert torch.autograd.gradcheck(lambda h, f: net(h, f, packed, 2)[1], (hidden, features), fast_mode=True)


def logits_of(puzzles: list[Sudoku], tokens: torch.Tensor, steps: int = 2) -> torch.Tensor:
    """The logits after a few denoising steps with the same tokens."""
    denoiser = RelationalDenoiser(network(), iterations=2)
    canvas = Canvas.stack([puzzle.canvas(denoiser.vocabulary(puzzle)) for puzzle in puzzles])
    state = denoiser.start(puzzles[0], canvas)
    for _ in range(steps):
        logits, state = denoiser.denoise(tokens, state)
    return logits


def some_puzzle(box_rows: int, box_cols: int, seed: int = 0) -> tuple[Sudoku, torch.Tensor]:
    """A few givens that may well contradict each other, and tokens to denoise."""
    size = box_rows * box_cols
    rng = np.random.default_rng(seed)
    givens = np.where(rng.random(size**2) < 0.12, rng.integers(1, size + 1, size**2), 0)
    return Sudoku(tuple(givens.tolist()), box_rows, box_cols), torch.from_numpy(rng.integers(0, size, (1, size**2)))


SHAPES = [(2, 2), (2, 3), (3, 3), (4, 4)]


@pytest.mark.parametrize("shape", SHAPES)
def test_relabelled_values_relabel_the_logits(shape):
    puzzle, tokens = some_puzzle(*shape)
    names = torch.randperm(puzzle.size, generator=torch.Generator().manual_seed(1))
    relabelled = Sudoku(tuple(names[value - 1].item() + 1 if value else 0 for value in puzzle.givens), *shape)
    assert relabelled.givens != puzzle.givens
    before, after = logits_of([puzzle], tokens), logits_of([relabelled], names[tokens])
    assert torch.allclose(after[..., names], before, atol=1e-4)


def moved(puzzle: Sudoku, tokens: torch.Tensor, order: np.ndarray, shape: tuple[int, int]) -> None:
    """Slot `order[k]` of the puzzle becomes slot k: the logits move along."""
    other = Sudoku(tuple(puzzle.givens[slot] for slot in order), *shape)
    assert other.givens != puzzle.givens
    before, after = logits_of([puzzle], tokens), logits_of([other], tokens[:, order])
    assert torch.allclose(after, before[:, order], atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_a_band_can_be_permuted(shape):
    puzzle, tokens = some_puzzle(*shape)
    grid = np.arange(puzzle.size**2).reshape(puzzle.size, puzzle.size)
    rows = np.arange(puzzle.size)
    rows[: shape[0]] = np.roll(rows[: shape[0]], 1)
    moved(puzzle, tokens, grid[rows].ravel(), shape)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_grid_can_be_transposed(shape):
    puzzle, tokens = some_puzzle(*shape)
    grid = np.arange(puzzle.size**2).reshape(puzzle.size, puzzle.size)
    moved(puzzle, tokens, grid.T.ravel(), shape[::-1])


@pytest.mark.parametrize("shape", SHAPES)
def test_logits_do_not_depend_on_the_rest_of_the_batch(shape):
    puzzles, tokens = zip(*[some_puzzle(*shape, seed=seed) for seed in range(5)], strict=True)
    together = logits_of(list(puzzles), torch.cat(tokens))
    assert not torch.allclose(together[0], together[1], atol=0.1)
    for row, puzzle in enumerate(puzzles):
        assert torch.allclose(logits_of([puzzle], tokens[row])[0], together[row], atol=1e-5, rtol=1e-5)


def test_the_tokens_on_the_canvas_and_the_locks_matter():
    puzzle, tokens = some_puzzle(2, 2)
    other = (tokens + 1) % 4
    assert not torch.allclose(logits_of([puzzle], tokens), logits_of([puzzle], other), atol=0.01)
    denoiser = RelationalDenoiser(network(), iterations=2)
    canvas = puzzle.canvas(denoiser.vocabulary(puzzle), propagate=False)
    unlocked = Canvas(canvas.tokens, torch.zeros_like(canvas.locked), canvas.constraint)
    tokens = F.one_hot(canvas.tokens, 4).argmax(-1)
    locked_logits, _ = denoiser.denoise(tokens, denoiser.start(puzzle, canvas))
    free_logits, _ = denoiser.denoise(tokens, denoiser.start(puzzle, unlocked))
    assert not torch.allclose(locked_logits, free_logits, atol=0.01)
