"""How long a training run of a DiffusionGemma goes, in what steps, and at which rates."""

from __future__ import annotations

from dataclasses import dataclass, field

from dgsolve.train.denoising_loss import Noise
from dgsolve.train.run_loop import rate_factor


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The run ends after `steps` or `seconds` of wall clock, whichever comes first."""

    noise: Noise = field(default_factory=Noise)
    batch: int = 32
    learning_rate: float = 2e-3  # AdamW's
    warmup_steps: int = 100
    steps: int = 1_000_000
    seconds: float = 9000.0
    whole_share: float = 0.3  # of batches with a canvas as long as in use; the others are as long as their texts
    cut_share: float = 0.2  # of batches whose canvas ends before the end of the turn
    seed: int = 0

    def progress(self, step: int, elapsed: float) -> float:
        """The share of the run that is done, 0 to 1."""
        return min(1.0, max(step / self.steps, elapsed / self.seconds))

    def rate_factor(self, step: int, elapsed: float) -> float:
        """Factor of the learning rates by what is done of the run."""
        return rate_factor(step, self.warmup_steps, self.progress(step, elapsed))
