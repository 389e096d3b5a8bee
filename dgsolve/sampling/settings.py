"""The sampler's hyperparameters, with the recommended values as defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from dgsolve.errors import UsageError
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_number, is_whole

CHOICES = {"renoise": ("all", "rejected", "draft", "none"), "self_conditioning": ("posterior", "logits", "none")}
COLDEST = 0.005  # below it logits leave the bounds of a posterior (`constraints.base.LOGIT_FLOOR`), and count as equal
COUNTS = {  # each with the largest value that makes sense
    "max_denoising_steps": 10**6,
    "attempts": 10**4,
    "stable_steps": 10**6,
    "suppose_slots": 16,
    "suppose_more": 10**6,
    "patience": 10**6,
    "scout_steps": 10**6,
}
SWITCHES = ("draw", "place_draws", "propagate", "locks", "carry", "feedback", "suppose")


@dataclass(frozen=True)
class Sampling:
    """Hyperparameters only. Defaults are DiffusionGemma's recommended ones where it has them.

    max_denoising_steps: steps of each canvas, restarts included; for a text, of each block of each attempt.
    attempts: parallel canvases of one problem, at most.
    t_max, t_min: temperature, linear over the steps. entropy_bound: nats that accepted slots may hold together.
    stop_entropy, stable_steps: a canvas has settled when its mean entropy is below the one and its mode did not change
    for the other. confidence: it has also settled once every slot's probability is above this (None: never).
    draw: drafts are joint draws from the exact posterior, not its most probable canvas. place_draws: the canvas of the
    next step holds a joint draw in the slots it keeps, whatever the draft is.
    self_conditioning: what a model that takes it is told of the step before: the exact "posterior", its own "logits",
    or "none".
    propagate: open slots keep only the values that the locked ones leave. locks: without it nothing is kept: the givens
    are open, and a text is whatever the model writes.
    renoise: "all" gives every open slot fresh noise, "rejected" keeps accepted tokens, "draft" keeps the
    whole draft, "none" keeps the first noise.
    carry: the denoiser's run state goes on from step to step. feedback: the validator ends a canvas as soon as its
    draft is right, re-noises faulty slots, and starts a canvas again that settled on a faulty draft or lost patience.
    suppose: canvases that start again or join the first each suppose values for `suppose_slots` undecided slots, for
    one more after every `suppose_more` starts, and for more where very much is undecided. scout_steps: steps that a
    problem's first canvas has alone. patience: steps between later starts of a canvas.
    """

    max_denoising_steps: int = 48
    attempts: int = 8
    t_max: float = 0.8
    t_min: float = 0.4
    entropy_bound: float = 0.1
    stop_entropy: float = 0.005
    stable_steps: int = 2
    confidence: float | None = None
    draw: bool = False
    place_draws: bool = False
    self_conditioning: str = "posterior"
    propagate: bool = True
    locks: bool = True
    renoise: str = "all"
    carry: bool = True
    feedback: bool = True
    suppose: bool = True
    suppose_slots: int = 3
    suppose_more: int = 8
    patience: int = 4
    scout_steps: int = 6

    def __post_init__(self) -> None:
        for name, most in COUNTS.items():
            value = getattr(self, name)
            if not is_whole(value) or not 1 <= value <= most:
                raise UsageError(f"Sampling({name}={shown(value)}): write a whole number from 1 to {most:,}")
            object.__setattr__(self, name, int(value))  # what numpy gave, too
        for name in ("t_max", "t_min", "entropy_bound", "stop_entropy"):
            value = getattr(self, name)
            if not is_number(value) or not 0 <= value < math.inf:
                raise UsageError(f"Sampling({name}={shown(value)}): write a number, 0 or more")
            object.__setattr__(self, name, float(value))
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"Sampling({name}={shown(getattr(self, name))}): write True or False")
        self._require_heat()
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                words = ", ".join(f'"{word}"' for word in known[:-1]) + f' or "{known[-1]}"'
                raise UsageError(f"Sampling({name}={shown(getattr(self, name))}): write {words}")
        sure = self.confidence
        if sure is not None and not (is_number(sure) and 0 < sure < 1):
            raise UsageError(f"Sampling(confidence={shown(sure)}): write a probability between 0 and 1, or None")

    def _require_heat(self) -> None:
        for name in ("t_max", "t_min"):
            if not (heat := getattr(self, name)) >= COLDEST:
                message = f"Sampling({name}={heat!r}): write a temperature of {COLDEST} or more"
                raise UsageError(message, hint="What is less would choose no surer.")
        if not self.t_min <= self.t_max:
            message = f"Sampling(t_max={self.t_max!r}, t_min={self.t_min!r}): needs t_min <= t_max"
            raise UsageError(message, hint=f"Give t_min= too, {self.t_max!r} or less.")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all hyperparameters."""
        return tuple(field.name for field in fields(cls))
