"""What a training run is made of."""

from __future__ import annotations

from dataclasses import dataclass


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
    hardness: float = 1.7  # how strongly puzzles that need many guesses are preferred; 1 is not at all
    easy_share: float = 0.25  # drawn evenly from the whole pool
    reveal_share: float = 0.6  # puzzles that get up to six more givens, as a supposing canvas has
    unpropagated_share: float = 0.1  # puzzles whose open slots keep every value
    pure_noise_share: float = 0.5  # canvases whose open slots are all noise
    seed: int = 0
