"""How a problem begins: its canvas, laid out for a denoiser, within the time that the problem has."""

from __future__ import annotations

import time

import torch

from dgsolve.canvas import Canvas
from dgsolve.constraints.base import Constraint, SequentialConstraint
from dgsolve.constraints.slot_domains import SlotDomains
from dgsolve.constraints.unconstrained import Unconstrained
from dgsolve.deadline import Deadline, OutOfTime, within
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import UsageError
from dgsolve.problem import Problem, Vocabulary
from dgsolve.rows import Job
from dgsolve.sampling.settings import Sampling
from dgsolve.solution import Solution, Status


def begin(
    number: int, problem: Problem, denoiser: Denoiser, sampling: Sampling, seed: int, time_limit: float | None
) -> Job | Solution:
    """The problem's fresh canvas; its Solution where that takes more than `time_limit` seconds, or cannot be right."""
    started = time.monotonic()
    try:
        with within(Deadline.after(time_limit)):
            job = lay_out(number, problem, denoiser, sampling, seed)
    except OutOfTime:
        took = time.monotonic() - started
        return Solution(problem, Status.UNKNOWN, canvases=1, seed=seed, seconds=took, timed_out=True)
    job.prepared = time.monotonic() - started
    satisfiable = job.canvas.constraint.satisfiable().all()  # a slot without a value: no canvas can be right
    return job if satisfiable else job.give_up(0)


def lay_out(number: int, problem: Problem, denoiser: Denoiser, sampling: Sampling, seed: int) -> Job:
    """The problem's fresh canvas; raises UsageError where the denoiser cannot read it."""
    vocabulary = denoiser.vocabulary(problem)
    canvas = problem.canvas(vocabulary, propagate=sampling.propagate)
    _require_blocks(canvas, problem, denoiser)
    free = None if sampling.locks else _unlocked(canvas, vocabulary)
    return Job(number, problem, free or canvas, canvas.locked, seed, constrained=sampling.locks)


def _require_blocks(canvas: Canvas, problem: Problem, denoiser: Denoiser) -> None:
    """Raise UsageError for a canvas longer than what the denoiser reads at once that is no row of such blocks."""
    slots, length = denoiser.canvas_slots, canvas.tokens.shape[1]
    if slots is None or length <= slots:
        return
    if length % slots or not isinstance(canvas.constraint, SequentialConstraint):
        raise UsageError(
            f"{problem.describe()} has {length} slots, but the {denoiser.name} denoiser reads {slots} at a time",
            hint=f"For a text, give the problem canvas_slots={slots}."
            if problem.grid() is None
            else "Take a model with a longer canvas; the relational one takes any.",
        )


def _unlocked(canvas: Canvas, vocabulary: Vocabulary) -> Canvas:
    """The canvas with its givens as first tokens only, every slot open to every value."""
    everything: Constraint = Unconstrained.begin(
        vocabulary.size, canvas.tokens.shape[1], getattr(vocabulary, "end_ids", ())
    )
    if isinstance(canvas.constraint, SlotDomains):
        everything = SlotDomains(torch.ones_like(canvas.constraint.allowed))
    return Canvas(canvas.tokens, torch.zeros_like(canvas.locked), everything)
