"""The loop for everything: denoise, keep to the rules, accept, check, re-noise, until an answer passes the check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from dgsolve.batch import Batch
from dgsolve.canvas import Canvas
from dgsolve.constraints.slot_domains import SlotDomains
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import UsageError
from dgsolve.problem import Problem
from dgsolve.registry import DENOISERS, find, names
from dgsolve.rows import Job
from dgsolve.sampling.settings import Sampling
from dgsolve.solution import Frame, Solution
from dgsolve.weights import WEIGHTS_FILE

AUTO = "relational"


def load(name: str = "auto") -> Denoiser:
    """An embedded denoiser by name ("relational", "random"; "auto" is the relational one), or a folder of its weights.

    A folder is what `dgsolve train relational` writes. Raises UsageError for a name that is neither.
    """
    name = AUTO if name == "auto" else name
    if name not in names(DENOISERS) and (Path(name) / WEIGHTS_FILE).is_file():
        trained: Denoiser = find(DENOISERS, AUTO).load(name)
        return trained
    found = find(DENOISERS, name)
    denoiser: Denoiser = found.load() if hasattr(found, "load") else found()
    return denoiser


def solve(problem: Problem, denoiser: str | Denoiser = "auto", **options: Any) -> Solution:
    """Solve one problem; takes the options of `solve_many`.

    >>> import dgsolve
    >>> dgsolve.solve(dgsolve.Sudoku.parse("1...\\n..1.\\n.4..\\n...3")).status.value
    'FEASIBLE'
    """
    return next(iter(solve_many([problem], denoiser, **options)))


def solve_many(
    problems: Iterable[Problem],
    denoiser: str | Denoiser = "auto",
    *,
    sampling: Sampling | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    batch_canvases: int = 32,
    on_frame: Callable[[Frame], None] | None = None,
    keep_trace: bool = False,
    **shorthand: Any,
) -> Iterator[Solution]:
    """Solve a stream of problems; solutions come in the order of the problems, as soon as they can.

    Problems of one shape are denoised together, about `batch_canvases` canvases at a time; `problems` is read no
    further ahead than that needs. `seed` holds for every problem, so an answer does not depend on the others.
    `time_limit` is in seconds for each problem. Fields of `Sampling` can be given by name:
    `max_denoising_steps=64, attempts=4`. `on_frame` gets a frame of every problem at every step; `keep_trace` puts a
    problem's own frames into its Solution.
    Raises UsageError for options that cannot mean anything.
    """
    settings = _settings(sampling, shorthand)
    if batch_canvases < 1:
        raise UsageError(f"batch_canvases={batch_canvases!r}: it must be at least 1")
    model = load(denoiser) if isinstance(denoiser, str) else denoiser
    traces: defaultdict[int, list[Frame]] = defaultdict(list)
    jobs = (_job(number, problem, model, settings, seed) for number, problem in enumerate(problems))
    done: dict[int, Solution] = {}
    following = 0

    def show(number: int, frame: Frame) -> None:
        if keep_trace:
            traces[number].append(frame)
        if on_frame is not None:
            on_frame(frame)

    def create(problem: Problem) -> Batch:
        return Batch(problem, model, settings, show if keep_trace or on_frame else None)

    for batch in _batches(jobs, batch_canvases, time_limit, create):
        for job in batch.step():
            done[job.number] = replace(_solution(job), trace=tuple(traces.pop(job.number, ())))
        while following in done:
            yield done.pop(following)
            following += 1


def steps(problem: Problem, denoiser: str | Denoiser = "auto", **options: Any) -> Iterator[Frame]:
    """One denoising step at a time, in your own loop; `frame.solution()` is the draft with its verdict.

    The canvas with the fewest faulty slots is the one shown; the frames end when an answer passed the check, or with
    the steps. Takes the options of `solve_many`.
    """
    settings = _settings(options.pop("sampling", None), {k: options.pop(k) for k in Sampling.names() if k in options})
    model = load(denoiser) if isinstance(denoiser, str) else denoiser
    seed = options.pop("seed", 0)
    if options:
        raise UsageError(f"steps() does not take {', '.join(options)}")
    frames: list[Frame] = []
    batch = Batch(problem, model, settings, lambda _, frame: frames.append(frame))
    batch.add([_job(0, problem, model, settings, seed)])
    while len(batch):
        batch.step()
        yield frames.pop()


def _batches(
    jobs: Iterator[Job], size: int, time_limit: float | None, create: Callable[[Problem], Batch]
) -> Iterator[Batch]:
    """The batch to advance, once for every step: filled up with jobs of its shape, of a new shape when empty."""
    waiting = next(jobs, None)
    while waiting is not None:
        batch = create(waiting.problem)
        shape = waiting.problem.shape()
        while True:
            started: list[Job] = []
            while waiting is not None and len(batch) + len(started) < size and waiting.problem.shape() == shape:
                waiting.start(time_limit)
                started.append(waiting)
                waiting = next(jobs, None)
            if started:
                batch.add(started)
            if not len(batch):
                break
            yield batch


def _solution(job: Job) -> Solution:
    if job.solution is None:
        raise RuntimeError(f"problem {job.number} left its batch without a solution")
    return job.solution


def _job(number: int, problem: Problem, denoiser: Denoiser, sampling: Sampling, seed: int) -> Job:
    canvas = problem.canvas(denoiser.vocabulary(problem), propagate=sampling.propagate)
    return Job(number, problem, canvas if sampling.locks else _unlocked(canvas), canvas.locked, seed)


def _unlocked(canvas: Canvas) -> Canvas:
    """The canvas with its givens as first tokens only, every slot open to every value."""
    if not isinstance(canvas.constraint, SlotDomains):
        raise UsageError("Sampling(locks=False) needs a canvas of per-slot domains")
    everything = SlotDomains(torch.ones_like(canvas.constraint.allowed))
    return Canvas(canvas.tokens, torch.zeros_like(canvas.locked), everything)


def _settings(sampling: Sampling | None, shorthand: dict[str, Any]) -> Sampling:
    unknown = sorted(set(shorthand) - set(Sampling.names()))
    if unknown:
        raise UsageError(f"unknown option {unknown[0]!r}", hint=f"Known: {', '.join(Sampling.names())}.")
    return replace(sampling or Sampling(), **shorthand)
