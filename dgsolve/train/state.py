"""Everything a checkpoint holds."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from pathlib import Path

import torch

from dgsolve.denoisers.relational_network import RelationalNetwork
from dgsolve.train import checkpoint
from dgsolve.train.run_loop import Report, follow
from dgsolve.train.settings import TrainingSettings
from dgsolve.weights import WEIGHTS_FILE


@dataclass
class TrainingState:
    """Everything a checkpoint holds."""

    settings: TrainingSettings
    network: RelationalNetwork
    average: RelationalNetwork
    optimizers: tuple[torch.optim.Optimizer, torch.optim.Optimizer]
    step: int = 0
    elapsed: float = 0.0
    log: list[Report] = field(default_factory=list)

    @classmethod
    def create(cls, settings: TrainingSettings) -> TrainingState:
        torch.manual_seed(settings.seed)
        network = RelationalNetwork(settings.hidden, settings.message)
        matrices = [layer.weight for layer in (network.send, network.group, network.update)]
        others = [p for p in network.parameters() if not any(p is matrix for matrix in matrices)]
        muon = torch.optim.Muon(matrices, settings.matrix_rate, weight_decay=1e-2, adjust_lr_fn="match_rms_adamw")
        adamw = torch.optim.AdamW(others, settings.learning_rate, betas=(0.9, 0.95), weight_decay=1e-2)
        return cls(settings, network, copy.deepcopy(network), (muon, adamw))

    def count_step(self, elapsed: float) -> None:
        """One more step, `elapsed` seconds into all runs; the averaged weights follow."""
        self.step, self.elapsed = self.step + 1, elapsed
        follow(self.average, self.network, self.settings.averaging, self.step)

    def export(self, folder: Path) -> None:
        """Write the averaged weights as an adapter that `RelationalDenoiser.load` reads."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.average.state_dict(), folder / WEIGHTS_FILE)
        settings = self.settings
        config = {"hidden": settings.hidden, "message": settings.message, "iterations": settings.iterations}
        (folder / "config.json").write_text(json.dumps(config) + "\n")

    def set_rates(self, factor: float) -> None:
        """Scale both learning rates."""
        rates = (self.settings.matrix_rate, self.settings.learning_rate)
        for optimizer, rate in zip(self.optimizers, rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = factor * rate

    def save(self, path: Path) -> None:
        """Write the checkpoint; an interrupted write leaves the old one whole."""
        checkpoint.write(path, self, network=self.network.state_dict(), average=self.average.state_dict())

    @classmethod
    def load(cls, path: Path) -> TrainingState:
        """Read a checkpoint; raises ModelUnavailableError for a file that is none."""
        with checkpoint.reading(path, "dgsolve") as saved:
            state = cls.create(TrainingSettings(**saved["settings"]))
            state.network.load_state_dict(saved["network"])
            state.average.load_state_dict(saved["average"])
            checkpoint.resume(state, saved)
        return state
