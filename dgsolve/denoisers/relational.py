"""The embedded denoiser: a recurrent relational network over candidates and exactly-one groups."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.canvas import Canvas
from dgsolve.constraints.slot_domains import SlotDomains
from dgsolve.denoisers.base import Denoiser, IndexVocabulary, RowState
from dgsolve.denoisers.factor_messages import FactorTables, PackedFactors
from dgsolve.denoisers.factor_network import FactorNetwork
from dgsolve.denoisers.relational_network import GraphTables, PackedGraph, RelationalNetwork, dense_logits
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.factor_graph import FactorGraph
from dgsolve.problem import Problem, Vocabulary
from dgsolve.weights import WEIGHTS_FILE, adapter_path

FACTORS = "relational-factors"  # the adapter for graphs that are not plain
TRAINED_VALUES = 9  # values of a slot in most of the training puzzles
MOST_CANDIDATES = 50_000  # of graphs that are tried at all: eight canvases of 34x34 cells with 34 values each


@dataclass(frozen=True)
class RelationalState(RowState):
    """What is carried from step to step, hidden and belief; and the canvas's domains and locks."""

    tables: GraphTables
    factors: FactorTables
    hidden: Tensor  # [B, L*K + X, H], X slack candidates
    belief: Tensor  # [B, L, K]
    allowed: Tensor  # Bool [B, L, K]
    locked: Tensor  # Bool [B, L]


class RelationalDenoiser(Denoiser):
    """Reads any problem that is a factor graph, of any size.

    `network` reads graphs that are `plain`, like a Sudoku's; `factor_network` all others.
    `iterations` (`factor_iterations`) rounds of messages make one denoising step of a 9x9 grid; where slots hold more
    than nine values the rounds grow in proportion, since news has further to go.
    Self-conditioned on its last belief; hidden state is carried on. See `RelationalNetwork` for the equations.
    """

    name = "relational"

    def __init__(
        self,
        network: RelationalNetwork,
        iterations: int = 10,
        factor_network: FactorNetwork | None = None,
        factor_iterations: int = 30,
    ) -> None:
        self.network = network.eval()
        self.factor_network = (factor_network or FactorNetwork.of(network)).eval()
        self.iterations, self.factor_iterations = iterations, factor_iterations
        self._weight_files: dict[str, Path] = {}

    @classmethod
    def load(cls, folder: str | Path | None = None) -> RelationalDenoiser:
        """From a folder with model.safetensors and config.json; what it does not hold is that inside the package.

        A folder holds the network for exactly-one groups (`dgsolve train relational`) or the one with factors (`dgsolve
        train factors`). Raises ModelUnavailableError where weights are missing or damaged.
        """
        path = Path(folder) if folder else adapter_path(cls.name)
        plain_path = factors_path = path
        network, iterations = _read(path)
        if isinstance(network, FactorNetwork):
            plain_path = adapter_path(cls.name)
            plain, plain_iterations = _read(plain_path)
            denoiser = cls(plain, plain_iterations, network, iterations)
        else:
            factors_path = adapter_path(FACTORS)
            factors, factor_iterations = _read(factors_path)
            assert isinstance(factors, FactorNetwork)
            denoiser = cls(network, iterations, factors, factor_iterations)
        denoiser.weights = path / WEIGHTS_FILE
        denoiser._weight_files = {cls.name: plain_path / WEIGHTS_FILE, FACTORS: factors_path / WEIGHTS_FILE}
        return denoiser

    @property
    def weight_files(self) -> dict[str, Path]:
        return self._weight_files

    def reads(self, problem: Problem) -> bool:
        """Graphs so large that a step takes minutes are left alone, not even made where cells and values tell."""
        layout = problem.grid()
        if layout is not None and layout.slots * len(layout.symbols) > MOST_CANDIDATES:
            return False
        graph = problem.factor_graph()
        return graph is not None and graph.candidates <= MOST_CANDIDATES

    def vocabulary(self, problem: Problem) -> Vocabulary:
        return IndexVocabulary(_graph(problem).values)

    def start(self, problem: Problem, canvas: Canvas) -> RelationalState:
        if not isinstance(canvas.constraint, SlotDomains):
            raise UsageError("the relational denoiser needs a canvas of per-slot domains")
        allowed = canvas.constraint.allowed
        belief = allowed.float() / allowed.sum(-1, keepdim=True).clamp(min=1)
        tables, factors = _tables(_graph(problem), self.factor_network.kinds)
        width = self.network.hidden if tables.plain else self.factor_network.hidden
        hidden = belief.new_zeros(len(allowed), tables.candidates, width)
        return RelationalState(tables, factors, hidden, belief, allowed, canvas.locked)

    @torch.inference_mode()
    def denoise(self, tokens: Tensor, state: RelationalState) -> tuple[Tensor, RelationalState]:
        graph = PackedGraph.pack(state.tables, state.allowed)
        holds = F.one_hot(tokens, state.allowed.shape[-1]).float()  # [B, L, K]
        locked = F.pad((holds * state.locked[..., None]).flatten(1), (0, state.tables.slack))
        features = torch.stack([*map(state.tables.with_slack, (holds, state.belief)), locked], -1)
        rounds = self.iterations if state.tables.plain else self.factor_iterations
        rounds = round(rounds * max(1.0, state.tables.values / TRAINED_VALUES))
        carried, features = state.hidden.flatten(0, 1), features.flatten(0, 1)[graph.nodes]
        if state.tables.plain:
            hidden, logits = self.network(carried[graph.nodes], features, graph, rounds)
        else:
            factors = self._factors(state, graph)
            hidden, logits = self.factor_network.with_factors(carried[graph.nodes], features, graph, factors, rounds)
        dense = dense_logits(logits, graph, state.allowed, state.tables.slack)
        carried = carried.index_copy(0, graph.nodes, hidden).view_as(state.hidden)
        return dense, replace(state, hidden=carried, belief=dense.softmax(-1))

    def _factors(self, state: RelationalState, graph: PackedGraph) -> PackedFactors:
        width, slack = state.tables.candidates, state.tables.slack
        first = range(0, len(state.allowed) * width, width)
        allowed = F.pad(state.allowed.flatten(1), (0, slack), value=False).flatten()
        return PackedFactors([state.factors] * len(state.allowed), first, allowed, graph)


def _read(path: Path) -> tuple[RelationalNetwork, int]:
    """The network in a folder, and how many rounds make a denoising step; raises ModelUnavailableError."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        config = json.loads((path / "config.json").read_text())
        network = RelationalNetwork(config["hidden"], config["message"])
        if "kinds" in config:
            network = FactorNetwork(config["hidden"], config["message"], config["factor_message"], config["kinds"])
        network.load_state_dict(load_file(path / WEIGHTS_FILE))
        return network, int(config["iterations"])
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        message = f"no relational weights in {path}: {error}"
        hint = "Train them: dgsolve train relational. A language model's config.json names its model_type."
        raise ModelUnavailableError(message, hint=hint) from error


def _graph(problem: Problem) -> FactorGraph:
    graph = problem.factor_graph()
    if graph is None:
        raise UsageError(
            f"the relational denoiser cannot read {problem.describe()}: none of its rules has groups or factors",
            hint='`dgsolve grid` turns to exact search then; denoiser="random" proposes without reading rules.',
        )
    return graph


@lru_cache(maxsize=32)
def _tables(graph: FactorGraph, kinds: tuple[str, ...]) -> tuple[GraphTables, FactorTables]:
    return GraphTables(graph), FactorTables(graph, kinds)
