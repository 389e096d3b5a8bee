"""Everything a checkpoint of a small DiffusionGemma holds."""

from __future__ import annotations

import copy
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import nn

from dgsolve.quiet_transformers import quiet_transformers
from dgsolve.train import checkpoint
from dgsolve.train.diffusion_settings import DiffusionSettings
from dgsolve.train.fast_norm import use_fast_norms
from dgsolve.train.run_loop import Report, follow
from dgsolve.train.small_tokenizer import small_tokenizer

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion


@dataclass
class DiffusionState:
    """The model that learns, the average of its weights (which is what is exported), and where the run is."""

    settings: DiffusionSettings
    model: DiffusionGemmaForBlockDiffusion
    average: DiffusionGemmaForBlockDiffusion
    optimizers: tuple[torch.optim.Optimizer, torch.optim.Optimizer]
    step: int = 0
    elapsed: float = 0.0
    log: list[Report] = field(default_factory=list)

    @classmethod
    def create(cls, settings: DiffusionSettings) -> DiffusionState:
        model = settings.sizes.create(settings.seed)
        # Loops over experts of a few thousand weights are faster on a CPU than grouped products.
        model.set_experts_implementation("eager")
        model.model.encoder.vision_tower.requires_grad_(False)
        model.model.encoder.embed_vision.requires_grad_(False)
        for name, weight in model.named_parameters():
            if ".router." in name:
                weight.requires_grad_(settings.train_router)
        average = copy.deepcopy(model).eval()
        use_fast_norms(model)
        return cls(settings, model, average, _optimizers(model, settings))

    @property
    def answering(self) -> DiffusionGemmaForBlockDiffusion:
        return self.average

    def count_step(self, elapsed: float) -> None:
        """One more step, `elapsed` seconds into all runs; the averaged weights follow."""
        self.step, self.elapsed = self.step + 1, elapsed
        follow(self.average, self.model, self.settings.averaging, self.step)

    def set_rates(self, factor: float) -> None:
        """Scale both learning rates."""
        rates = (self.settings.matrix_rate, self.settings.learning_rate)
        for optimizer, rate in zip(self.optimizers, rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = factor * rate

    def export(self, folder: Path) -> None:
        """Write the averaged weights and the tokenizer as a folder for from_pretrained(), by an atomic rename."""
        unfinished = folder.with_name(f"{folder.name}.{os.getpid()}.tmp")
        with quiet_transformers():
            self.average.save_pretrained(unfinished)
            small_tokenizer().save_pretrained(unfinished)
        if folder.exists():
            shutil.rmtree(folder)
        unfinished.replace(folder)

    def save(self, path: Path) -> None:
        """Write the checkpoint; an interrupted write leaves the old one whole."""
        checkpoint.write(path, self, model=self.model.state_dict(), average=self.average.state_dict())

    @classmethod
    def load(cls, path: Path) -> DiffusionState:
        """Read a checkpoint; raises ModelUnavailableError for a file that is none."""
        with checkpoint.reading(path, "a small DiffusionGemma") as saved:
            state = cls.create(DiffusionSettings.from_saved(saved["settings"]))
            state.model.load_state_dict(saved["model"])
            state.average.load_state_dict(saved["average"])
            checkpoint.resume(state, saved)
        return state


def _optimizers(model: nn.Module, settings: DiffusionSettings) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
    """Muon for the matrices between, AdamW for the embedding, norms, routers and the stacks of experts' matrices."""
    learnt = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    between = [weight for name, weight in learnt if weight.ndim == 2 and "embed" not in name and "router" not in name]
    others = [weight for _, weight in learnt if not any(weight is matrix for matrix in between)]
    muon = torch.optim.Muon(between, settings.matrix_rate, weight_decay=1e-2, adjust_lr_fn="match_rms_adamw")
    return muon, torch.optim.AdamW(others, settings.learning_rate, betas=(0.9, 0.95), weight_decay=1e-2)
