"""Training of the relational denoiser on generated puzzles, on a CPU."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dgsolve.denoisers.relational_network import GraphTables, PackedGraph, RelationalNetwork
from dgsolve.factor_graph import FactorGraph

LOGIT_FLOOR = -30.0


@dataclass(frozen=True)
class TrainingSettings:
    """What a run is made of; a checkpoint carries it. Times are seconds of wall clock."""

    hidden: int = 48
    message: int = 64
    iterations: int = 10  # rounds of messages per denoising step, all of them in the gradient
    segments: int = 8  # denoising steps before an unsolved puzzle gives way to a new one
    batch: int = 16
    learning_rate: float = 2e-3  # AdamW's, for biases, norms and the first and last layer
    matrix_rate: float = 4e-3  # Muon's, for the matrices in between: it learns about twice as fast per step as AdamW
    warmup_steps: int = 200
    averaging: float = 0.999
    seconds: float = 5400.0
    hardness: float = 3.0  # how strongly puzzles that need many guesses are preferred
    easy_share: float = 0.25  # drawn evenly from the whole pool
    reveal_share: float = 0.4  # puzzles that get up to six more givens, as a supposed canvas has
    unpropagated_share: float = 0.1  # puzzles whose open slots keep every value
    pure_noise_share: float = 0.5  # canvases whose open slots are all noise
    seed: int = 0


class PuzzlePool:
    """Puzzles of one shape, drawn by difficulty, with reveals."""

    def __init__(self, puzzles: np.ndarray, solutions: np.ndarray, guesses: np.ndarray, settings: TrainingSettings) -> None:
        self.puzzles = torch.from_numpy(puzzles).long()
        self.solutions = torch.from_numpy(solutions).long() - 1
        self.by_difficulty = torch.from_numpy(np.argsort(-guesses, kind="stable").copy())
        self.settings = settings

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """(givens [count, L] with 0 for blank, solutions [count, L] from 0)."""
        chance = torch.rand(2, count, generator=generator)
        power = torch.where(chance[0] < self.settings.easy_share, 1.0, self.settings.hardness)
        rank = (chance[1] ** power * len(self.by_difficulty)).long()
        index = self.by_difficulty[rank]
        puzzles, solutions = self.puzzles[index].clone(), self.solutions[index]
        extra = torch.randint(1, 7, (count, 1), generator=generator)
        extra *= torch.rand(count, 1, generator=generator) < self.settings.reveal_share
        order = torch.rand(puzzles.shape, generator=generator).masked_fill(puzzles > 0, 2.0).argsort(1).argsort(1)
        return torch.where((puzzles == 0) & (order < extra), solutions + 1, puzzles), solutions


@dataclass
class Lane:
    """One shape's running batch: puzzles, their domains, and the state carried from step to step."""

    tables: GraphTables
    excludes: Tensor  # Float [L*K, L*K]
    pool: PuzzlePool
    hidden: Tensor  # [B, L, K, H]
    belief: Tensor  # [B, L, K]
    allowed: Tensor  # Bool [B, L, K]
    givens: Tensor  # [B, L]
    solutions: Tensor  # [B, L]
    noise: Tensor  # [B] the share of open slots that are noise
    age: Tensor  # [B] denoising steps so far

    @classmethod
    def create(cls, graph: FactorGraph, pool: PuzzlePool, settings: TrainingSettings, generator: torch.Generator) -> Lane:
        batch, slots, values = settings.batch, graph.slots, graph.values
        lane = cls(
            tables=GraphTables(graph),
            excludes=torch.from_numpy(graph.excludes).float(),
            pool=pool,
            hidden=torch.zeros(batch, slots, values, settings.hidden),
            belief=torch.zeros(batch, slots, values),
            allowed=torch.zeros(batch, slots, values, dtype=torch.bool),
            givens=torch.zeros(batch, slots, dtype=torch.long),
            solutions=torch.zeros(batch, slots, dtype=torch.long),
            noise=torch.zeros(batch),
            age=torch.zeros(batch, dtype=torch.long),
        )
        lane.replace(torch.arange(batch), generator)
        lane.age = torch.randint(0, settings.segments, (batch,), generator=generator)
        return lane

    def replace(self, rows: Tensor, generator: torch.Generator) -> None:
        """New puzzles in `rows`, with fresh state."""
        settings, values = self.pool.settings, self.tables.values
        givens, solutions = self.pool.draw(len(rows), generator)
        locked = F.one_hot(givens, values + 1)[..., 1:].bool()  # [b, L, K]
        excluded = (locked.flatten(1).float() @ self.excludes > 0).view_as(locked)
        open_slots = (givens == 0)[..., None]
        unpropagated = torch.rand(len(rows), 1, 1, generator=generator) < settings.unpropagated_share
        allowed = locked | (open_slots & (~excluded | unpropagated))
        share = torch.rand(2, len(rows), generator=generator)
        self.givens[rows], self.solutions[rows], self.allowed[rows] = givens, solutions, allowed
        self.noise[rows] = torch.where(share[0] < settings.pure_noise_share, 1.0, share[1] ** 0.4)
        self.hidden[rows] = 0.0
        self.belief[rows] = allowed.float() / allowed.sum(-1, keepdim=True)
        self.age[rows] = 0

    def features(self, generator: torch.Generator) -> Tensor:
        """Float [B, L, K, 3] for a freshly corrupted canvas."""
        shape, values = self.givens.shape, self.tables.values
        corrupt = torch.rand(shape, generator=generator) < self.noise[:, None]
        random = torch.randint(0, values, shape, generator=generator)
        tokens = torch.where(corrupt & (self.givens == 0), random, self.solutions)
        locked = F.one_hot(self.givens, values + 1)[..., 1:].float()
        return torch.stack([F.one_hot(tokens, values).float(), self.belief, locked], -1)

    def advance(self, graph: PackedGraph, hidden: Tensor, logits: Tensor, generator: torch.Generator) -> float:
        """Carry the step's results on, replace solved and old puzzles; returns the share of canvases solved."""
        settings = self.pool.settings
        self.hidden.view(-1, hidden.shape[-1])[graph.nodes] = hidden.detach()
        dense = dense_logits(logits.detach(), graph, self.allowed)
        self.belief = dense.softmax(-1)
        self.age += 1
        solved = (dense.argmax(-1) == self.solutions).all(1)
        lucky = torch.rand(len(solved), generator=generator) < 0.5
        done = (self.age >= settings.segments) | (solved & lucky)
        self.replace(done.nonzero().squeeze(1), generator)
        return solved.float().mean().item()


def dense_logits(logits: Tensor, graph: PackedGraph, allowed: Tensor) -> Tensor:
    """[N] -> [B, L, K]; values that are not possible get a large finite negative, an unlinked one 0."""
    dense = torch.where(allowed, 0.0, LOGIT_FLOOR).view(-1)
    return dense.index_put((graph.nodes,), logits).view_as(allowed)


@dataclass
class TrainingState:
    """Everything a checkpoint holds."""

    settings: TrainingSettings
    network: RelationalNetwork
    average: RelationalNetwork
    optimizers: tuple[torch.optim.Optimizer, torch.optim.Optimizer]
    step: int = 0
    elapsed: float = 0.0
    log: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def create(cls, settings: TrainingSettings) -> TrainingState:
        torch.manual_seed(settings.seed)
        network = RelationalNetwork(settings.hidden, settings.message)
        matrices = [layer.weight for layer in (network.send, network.group, network.update)]
        others = [p for p in network.parameters() if not any(p is matrix for matrix in matrices)]
        muon = torch.optim.Muon(matrices, settings.matrix_rate, weight_decay=1e-2, adjust_lr_fn="match_rms_adamw")
        adamw = torch.optim.AdamW(others, settings.learning_rate, betas=(0.9, 0.95), weight_decay=1e-2)
        return cls(settings, network, copy.deepcopy(network), (muon, adamw))

    def set_rates(self, factor: float) -> None:
        """Scale both learning rates."""
        for optimizer, rate in zip(self.optimizers, (self.settings.matrix_rate, self.settings.learning_rate), strict=True):
            for group in optimizer.param_groups:
                group["lr"] = factor * rate

    def save(self, path: Path) -> None:
        """Write the checkpoint; an interrupted write leaves the old one whole."""
        temporary = path.with_suffix(".tmp")
        torch.save(
            {
                "settings": asdict(self.settings),
                "network": self.network.state_dict(),
                "average": self.average.state_dict(),
                "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
                "step": self.step,
                "elapsed": self.elapsed,
                "log": self.log,
            },
            temporary,
        )
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> TrainingState:
        saved = torch.load(path, weights_only=True)
        state = cls.create(TrainingSettings(**saved["settings"]))
        state.network.load_state_dict(saved["network"])
        state.average.load_state_dict(saved["average"])
        for optimizer, kept in zip(state.optimizers, saved["optimizers"], strict=True):
            optimizer.load_state_dict(kept)
        state.step, state.elapsed, state.log = saved["step"], saved["elapsed"], saved["log"]
        return state


def train_step(state: TrainingState, lane: Lane, iterate: Callable[..., Tensor], generator: torch.Generator) -> tuple[float, float]:
    """One denoising step of one lane with its gradient; returns (loss, share of canvases solved)."""
    settings, network = state.settings, state.network
    graph = PackedGraph.pack(lane.tables, lane.allowed)
    hidden = lane.hidden.view(-1, settings.hidden)[graph.nodes]
    features = lane.features(generator).view(-1, 3)[graph.nodes]
    encoded = network.encode(features)
    target = lane.solutions.view(-1)
    undecided = (lane.allowed.sum(-1) > 1).view(-1)
    loss = torch.zeros(())
    for iteration in range(settings.iterations):
        hidden = iterate(hidden, encoded, graph)
        if iteration > 0:
            dense = dense_logits(network.logits(hidden), graph, lane.allowed).flatten(0, 1)
            loss = loss + F.cross_entropy(dense[undecided], target[undecided])
    loss = loss / (settings.iterations - 1)
    network.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    for optimizer in state.optimizers:
        optimizer.step()
    solved = lane.advance(graph, hidden, dense[..., :].view(-1)[graph.nodes], generator)
    return loss.item(), solved


def rate_factor(settings: TrainingSettings, step: int, elapsed: float) -> float:
    """What the learning rates are multiplied with: linear warm-up, then half a cosine over the wall clock down to 2%."""
    progress = min(1.0, elapsed / settings.seconds)
    cosine = 0.5 * (1 + math.cos(math.pi * progress))
    return min(1.0, (step + 1) / settings.warmup_steps) * (0.98 * cosine + 0.02)


def train(
    state: TrainingState,
    lanes: list[tuple[float, Lane]],
    *,
    checkpoint: Path,
    compiled: bool = False,
    save_every: float = 60.0,
    on_report: Callable[[dict[str, Any]], None] | None = None,
) -> TrainingState:
    """Train until `settings.seconds` have passed in all runs together; `lanes` come with how often each is drawn."""
    settings, network = state.settings, state.network
    iterate = torch.compile(network.iterate, dynamic=True) if compiled else network.iterate
    generator = torch.Generator().manual_seed(settings.seed + state.step)
    weights = torch.tensor([weight for weight, _ in lanes])
    started, last_save = time.monotonic() - state.elapsed, time.monotonic()
    losses: list[float] = []
    solved: list[float] = []
    while state.elapsed < settings.seconds:
        state.set_rates(rate_factor(settings, state.step, state.elapsed))
        choice = int(torch.multinomial(weights, 1, generator=generator))
        loss, share = train_step(state, lanes[choice][1], iterate, generator)
        losses.append(loss)
        solved.append(share)
        decay = min(settings.averaging, (state.step + 1) / (state.step + 10))
        with torch.no_grad():
            for average, current in zip(state.average.parameters(), network.parameters(), strict=True):
                average.lerp_(current, 1 - decay)
        state.step += 1
        state.elapsed = time.monotonic() - started
        if time.monotonic() - last_save > save_every or state.elapsed >= settings.seconds:
            report = {"elapsed": round(state.elapsed), "step": state.step, "loss": float(np.mean(losses)), "solved": float(np.mean(solved))}
            state.log.append(report)
            losses, solved, last_save = [], [], time.monotonic()
            state.save(checkpoint)
            if on_report:
                on_report(report)
    return state
