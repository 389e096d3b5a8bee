"""Training of the factor network on generated grids, on a CPU, from the weights of a network that knows no factors."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn

from dgsolve.denoisers.factor_network import FactorNetwork
from dgsolve.denoisers.relational_network import PackedGraph, RelationalNetwork
from dgsolve.train import checkpoint
from dgsolve.train.factor_settings import FactorSettings
from dgsolve.train.grid_lane import GridLane
from dgsolve.train.run_loop import Report, follow, rate_factor, run_steps
from dgsolve.weights import WEIGHTS_FILE


@dataclass
class FactorTraining:
    """Everything a checkpoint holds."""

    settings: FactorSettings
    network: FactorNetwork
    average: FactorNetwork
    optimizers: tuple[torch.optim.Optimizer, ...]
    step: int = 0
    elapsed: float = 0.0
    log: list[Report] = field(default_factory=list)

    @classmethod
    def create(cls, settings: FactorSettings, start: RelationalNetwork) -> FactorTraining:
        """A run that begins with the weights of `start`."""
        torch.manual_seed(settings.seed)
        network = FactorNetwork(settings.hidden, settings.message, settings.factor_message)
        network.load_state_dict(start.state_dict(), strict=False)
        new = [weights for name, weights in network.named_parameters() if name.startswith("factor_")]
        old = [weights for name, weights in network.named_parameters() if not name.startswith("factor_")]
        groups = [{"params": new, "rate": settings.learning_rate}, {"params": old, "rate": settings.old_rate}]
        adamw = torch.optim.AdamW(groups, betas=(0.9, 0.95), weight_decay=1e-2)
        return cls(settings, network, copy.deepcopy(network), (adamw,))

    def count_step(self, elapsed: float) -> None:
        """One more step, `elapsed` seconds into all runs; the averaged weights follow."""
        self.step, self.elapsed = self.step + 1, elapsed
        follow(self.average, self.network, self.settings.averaging, self.step)

    def set_rates(self) -> None:
        """What each group's rate is now, by the wall clock."""
        factor = rate_factor(self.step, self.settings.warmup_steps, self.elapsed / self.settings.seconds)
        for group in self.optimizers[0].param_groups:
            group["lr"] = factor * group["rate"]

    def export(self, folder: Path) -> None:
        """Write the averaged weights as an adapter that `RelationalDenoiser.load` reads."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.average.state_dict(), folder / WEIGHTS_FILE)
        config = {
            "hidden": self.settings.hidden,
            "message": self.settings.message,
            "iterations": self.settings.solving_iterations,
            "factor_message": self.settings.factor_message,
            "kinds": self.average.kinds,
        }
        (folder / "config.json").write_text(json.dumps(config) + "\n")

    def save(self, path: Path) -> None:
        """Write the checkpoint; an interrupted write leaves the old one whole."""
        checkpoint.write(path, self, network=self.network.state_dict(), average=self.average.state_dict())

    @classmethod
    def load(cls, path: Path) -> FactorTraining:
        """Read a checkpoint; raises ModelUnavailableError for a file that is none."""
        with checkpoint.reading(path, "dgsolve train factors") as saved:
            settings = FactorSettings(**saved["settings"])
            state = cls.create(settings, RelationalNetwork(settings.hidden, settings.message))
            state.network.load_state_dict(saved["network"])
            state.average.load_state_dict(saved["average"])
            checkpoint.resume(state, saved)
        return state


def train_step(state: FactorTraining, lane: GridLane) -> tuple[float, float]:
    """One denoising step of the lane with its gradient; returns (loss, share of canvases solved).

    The loss is the cross-entropy of the open slots after every round of messages but the first.
    """
    network = state.network
    graph, factors = lane.graph()
    hidden = lane.hidden()[graph.nodes]
    features = lane.features()[graph.nodes]
    target = lane.targets()[graph.nodes]
    encoded = network.encode(features)
    said = factors.messages(features[:, 1])
    losses = []
    for round_ in range(state.settings.iterations):
        hidden, logits = network.step(hidden, encoded, graph, factors, said)
        shares = factors.shares(logits)
        said = factors.messages(shares)
        if round_:
            losses.append(_cross_entropy(logits, target, graph) / len(lane.seats))
    loss = torch.stack(losses).mean()
    network.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    for optimizer in state.optimizers:
        optimizer.step()
    return loss.item(), lane.advance(graph, hidden, shares)


def _cross_entropy(logits: torch.Tensor, target: torch.Tensor, graph: PackedGraph) -> torch.Tensor:
    """The sum over right candidates, weighted by `target` [N], of what their slot's softmax lacks."""
    logits = logits.clamp(-30, 30)
    whole = logits.new_zeros(len(graph.offsets) + 1).index_add(0, graph.groups[0], logits.exp())
    return (target * (whole[graph.groups[0]].log() - logits)).sum()


def train(
    state: FactorTraining,
    lane: GridLane,
    *,
    checkpoint: Path,
    save_every: float = 60.0,
    on_report: Callable[[Report], None] = lambda report: None,
) -> None:
    """Train until `settings.seconds` have passed, in all runs together.

    The state goes to `checkpoint` every `save_every` seconds and at the end, Ctrl-C included; after each save
    `on_report` gets what happened since the last.
    """

    def take() -> tuple[float, float]:
        state.set_rates()
        return train_step(state, lane)

    run_steps(
        state,
        take,
        ("loss", "solved"),
        going=lambda: state.elapsed < state.settings.seconds,
        checkpoint=checkpoint,
        save_every=save_every,
        on_report=on_report,
    )
