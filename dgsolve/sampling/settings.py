"""The sampler's hyperparameters, with the recommended values as defaults."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dgsolve.errors import UsageError

COUNTS = (
    "max_denoising_steps",
    "attempts",
    "stable_steps",
    "suppose_slots",
    "suppose_more",
    "patience",
    "scout_steps",
)


@dataclass(frozen=True)
class Sampling:
    """Hyperparameters only. Defaults are DiffusionGemma's recommended ones where it has them.

    max_denoising_steps: steps of each canvas, restarts included. attempts: parallel canvases of one problem, at most.
    t_max, t_min: temperature, linear over the steps. entropy_bound: nats that accepted slots may hold together.
    stop_entropy, stable_steps: a canvas has settled when its mean entropy is below the one and its mode did not change
    for the other. confidence: it has also settled once every slot's probability is above this (None: never).
    propagate: open slots keep only the values that the locked ones leave. locks: without it even the givens are open.
    renoise: "all" gives every open slot fresh noise, "rejected" keeps accepted tokens, "none" keeps the first noise.
    carry: the denoiser's run state goes on from step to step. feedback: the validator ends a canvas as soon as its
    draft is right, re-noises faulty slots, and starts a canvas again that settled on a faulty draft or lost patience.
    suppose: canvases that start again or join the first each suppose values for `suppose_slots` undecided slots, for
    one more after every `suppose_more` starts. scout_steps: steps that a problem's first canvas has alone. patience:
    steps between later starts of a canvas.
    """

    max_denoising_steps: int = 48
    attempts: int = 8
    t_max: float = 0.8
    t_min: float = 0.4
    entropy_bound: float = 0.1
    stop_entropy: float = 0.005
    stable_steps: int = 2
    confidence: float | None = None
    propagate: bool = True
    locks: bool = True
    renoise: str = "all"
    carry: bool = True
    feedback: bool = True
    suppose: bool = True
    suppose_slots: int = 2
    suppose_more: int = 4
    patience: int = 4
    scout_steps: int = 4

    def __post_init__(self) -> None:
        for name in COUNTS:
            if getattr(self, name) < 1:
                raise UsageError(f"Sampling({name}={getattr(self, name)!r}): it must be at least 1")
        if not 0 < self.t_min <= self.t_max:
            raise UsageError(f"Sampling(t_max={self.t_max!r}, t_min={self.t_min!r}): needs 0 < t_min <= t_max")
        for name in ("entropy_bound", "stop_entropy"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"Sampling({name}={getattr(self, name)!r}): write a number of nats, 0 or more")
        if self.renoise not in ("all", "rejected", "none"):
            raise UsageError(f'Sampling(renoise={self.renoise!r}): write "all", "rejected" or "none"')
        if self.confidence is not None and not 0 < self.confidence < 1:
            raise UsageError(f"Sampling(confidence={self.confidence!r}): write a probability between 0 and 1, or None")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all hyperparameters."""
        return tuple(field.name for field in fields(cls))
