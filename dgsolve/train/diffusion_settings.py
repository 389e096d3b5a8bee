"""What a training run of a small DiffusionGemma is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dgsolve.train.denoising_loss import Noise
from dgsolve.train.small_model import SmallModel


@dataclass(frozen=True)
class DiffusionSettings:
    """A checkpoint carries it. The run ends after `steps` or `seconds` of wall clock, whichever comes first."""

    sizes: SmallModel = field(default_factory=SmallModel)
    noise: Noise = field(default_factory=Noise)
    batch: int = 32
    learning_rate: float = 2e-3  # AdamW's, for embeddings, norms, routers and experts
    matrix_rate: float = 4e-3  # Muon's, for the matrices between
    warmup_steps: int = 100
    averaging: float = 0.999
    steps: int = 1_000_000
    seconds: float = 3600.0
    whole_share: float = 0.2  # of batches with a canvas as long as in use; the others are as long as their texts
    cut_share: float = 0.2  # of batches whose canvas ends before the end of the turn
    train_router: bool = True  # fine-tuning keeps it as it is
    seed: int = 0

    @classmethod
    def from_saved(cls, saved: dict[str, Any]) -> DiffusionSettings:
        nested = {"sizes": SmallModel(**saved["sizes"]), "noise": Noise(**saved["noise"])}
        return cls(**(saved | nested))

    def progress(self, step: int, elapsed: float) -> float:
        """The share of the run that is done, 0 to 1."""
        return min(1.0, max(step / self.steps, elapsed / self.seconds))
