"""Training of the relational denoiser on generated puzzles, on a CPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from dgsolve.denoisers.relational_network import PackedGraph, dense_logits
from dgsolve.train import run_loop
from dgsolve.train.lanes import Lane
from dgsolve.train.run_loop import Report, run_steps
from dgsolve.train.settings import TrainingSettings
from dgsolve.train.state import TrainingState


def train_step(state: TrainingState, lane: Lane, generator: torch.Generator) -> tuple[float, float]:
    """One denoising step of one lane with its gradient; returns (loss, share of canvases solved).

    The loss is the cross-entropy of the open slots after every round of messages but the first.
    """
    settings, network = state.settings, state.network
    graph = PackedGraph.pack(lane.tables, lane.allowed)
    hidden = lane.hidden.view(-1, settings.hidden)[graph.nodes]
    features = lane.features(generator).flatten(0, 2)[graph.nodes]
    encoded = network.encode(features)
    target = lane.solutions.view(-1)
    undecided = (lane.allowed.sum(-1) > 1).view(-1)
    hidden = network.iterate(hidden, encoded, graph)
    losses = []
    for _ in range(settings.iterations - 1):
        hidden = network.iterate(hidden, encoded, graph)
        dense = dense_logits(network.logits(hidden), graph, lane.allowed).flatten(0, 1)  # [B*L, K]
        losses.append(F.cross_entropy(dense[undecided], target[undecided]))
    loss = torch.stack(losses).mean()
    network.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    for optimizer in state.optimizers:
        optimizer.step()
    return loss.item(), lane.advance(graph, hidden, dense.view_as(lane.belief), generator)


def rate_factor(settings: TrainingSettings, step: int, elapsed: float) -> float:
    """Factor of the learning rates by the wall clock."""
    return run_loop.rate_factor(step, settings.warmup_steps, elapsed / settings.seconds)


def train(
    state: TrainingState,
    lanes: Sequence[tuple[float, Lane]],
    *,
    checkpoint: Path,
    save_every: float = 60.0,
    on_report: Callable[[Report], None] = lambda report: None,
) -> None:
    """Train until `settings.seconds` have passed, in all runs together.

    lanes: running batches with how often each is drawn. The state goes to `checkpoint` every `save_every` seconds and
    at the end, Ctrl-C included; after each save `on_report` gets what happened since the last.
    """
    settings = state.settings
    generator = torch.Generator().manual_seed(settings.seed + state.step)
    shares = torch.tensor([share for share, _ in lanes])

    def take() -> tuple[float, float]:
        state.set_rates(rate_factor(settings, state.step, state.elapsed))
        lane = lanes[int(torch.multinomial(shares, 1, generator=generator))][1]
        return train_step(state, lane, generator)

    run_steps(
        state,
        take,
        ("loss", "solved"),
        going=lambda: state.elapsed < settings.seconds,
        checkpoint=checkpoint,
        save_every=save_every,
        on_report=on_report,
    )
