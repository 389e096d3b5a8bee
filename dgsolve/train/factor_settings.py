"""What a training run of the factor network is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FactorSettings:
    """What a run is made of; a checkpoint carries it. Times are seconds of wall clock."""

    hidden: int = 48
    message: int = 64
    factor_message: int = 32
    iterations: int = 10  # rounds of messages per denoising step, all of them in the gradient
    solving_iterations: int = 30  # rounds per denoising step in use, where more of them cost no gradient
    segments: int = 6  # denoising steps before an unsolved puzzle gives way to a new one
    batch: int = 24
    learning_rate: float = 3e-3  # AdamW's, of what hears factors
    old_rate: float = 5e-4  # of the weights that the run began with
    warmup_steps: int = 100
    averaging: float = 0.998
    seconds: float = 3300.0
    reveal_share: float = 0.5  # puzzles that get up to six more givens, as a supposing canvas has
    undecided_share: float = 0.6  # drawn from those that propagation leaves open, where a family has any
    propagated_share: float = 0.6  # of the puzzles that propagation leaves open, those whose canvas starts inside it
    pure_noise_share: float = 0.5  # canvases whose open slots are all noise
    seed: int = 0
