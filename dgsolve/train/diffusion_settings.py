"""What a training run of a small DiffusionGemma is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dgsolve.train.denoising_loss import Noise
from dgsolve.train.schedule import Schedule
from dgsolve.train.small_model import SmallModel


@dataclass(frozen=True, kw_only=True)
class DiffusionSettings(Schedule):
    """A checkpoint carries it. AdamW is for embeddings, norms, routers and experts, Muon for the matrices between."""

    sizes: SmallModel = field(default_factory=SmallModel)
    matrix_rate: float = 4e-3  # Muon's
    averaging: float = 0.999
    train_router: bool = True  # fine-tuning keeps it as it is

    @classmethod
    def from_saved(cls, saved: dict[str, Any]) -> DiffusionSettings:
        nested = {"sizes": SmallModel(**saved["sizes"]), "noise": Noise(**saved["noise"])}
        return cls(**(saved | nested))
