"""Training of a DiffusionGemma on pairs of prompt and answer: a small one from nothing, or adapters of a given one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import torch
from torch import nn

from dgsolve.train import run_loop
from dgsolve.train.denoising_loss import denoising_losses
from dgsolve.train.run_loop import Report, run_steps
from dgsolve.train.schedule import Schedule
from dgsolve.train.text_pairs import PairTokens

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion

CHECKPOINT = "checkpoint.pt"


class Run(run_loop.Run, Protocol):
    """What trains: `model` learns, `answering` is the one that is kept."""

    @property
    def settings(self) -> Schedule: ...
    @property
    def model(self) -> DiffusionGemmaForBlockDiffusion: ...
    @property
    def answering(self) -> DiffusionGemmaForBlockDiffusion: ...
    @property
    def optimizers(self) -> Sequence[torch.optim.Optimizer]: ...
    def set_rates(self, factor: float) -> None: ...


def train_step(state: Run, pairs: PairTokens, generator: torch.Generator) -> tuple[float, float, float]:
    """One batch with its gradient; returns (loss of the canvas, loss of the encoder, share of canvases solved)."""
    settings = state.settings
    batch = pairs.draw(settings.batch, generator, whole_share=settings.whole_share, cut_share=settings.cut_share)
    losses = denoising_losses(state.model, batch, settings.noise, generator)
    state.model.zero_grad()
    (losses.canvas + settings.noise.encoder_weight * losses.encoder).backward()
    nn.utils.clip_grad_norm_(state.model.parameters(), 1.0)
    for optimizer in state.optimizers:
        optimizer.step()
    return losses.canvas.item(), losses.encoder.item(), losses.solved


def train(
    state: Run,
    data: Sequence[PairTokens],
    folder: Path,
    *,
    save_every: float = 60.0,
    on_report: Callable[[Report], None] = lambda report: None,
) -> None:
    """Train until the settings' steps or seconds are reached, in all runs together.

    data: each is drawn as often as its `weight` says. Every `save_every` seconds and at the end, Ctrl-C included, the
    state goes to a checkpoint in `folder`, and `on_report` gets what happened since.
    """
    settings = state.settings
    shares = torch.tensor([pairs.weight for pairs in data])
    state.model.train()

    def take() -> tuple[float, float, float]:
        generator = torch.Generator().manual_seed(settings.seed * 1_000_003 + state.step)
        state.set_rates(settings.rate_factor(state.step, state.elapsed))
        pairs = data[int(torch.multinomial(shares, 1, generator=generator))]
        return train_step(state, pairs, generator)

    run_steps(
        state,
        take,
        ("loss", "encoder", "solved"),
        going=lambda: settings.progress(state.step, state.elapsed) < 1,
        checkpoint=folder / CHECKPOINT,
        save_every=save_every,
        on_report=on_report,
    )
