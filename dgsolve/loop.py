"""The loop for everything: denoise, keep to the rules, accept, check, re-noise, until an answer passes the check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import replace
from pathlib import Path
from typing import Any

from dgsolve.batch import Batch
from dgsolve.beginning import begin, lay_out
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import UsageError
from dgsolve.problem import Problem
from dgsolve.registry import DENOISERS, find, names
from dgsolve.rows import Job
from dgsolve.sampling.settings import Sampling
from dgsolve.shortened import shown
from dgsolve.solution import Frame, Solution
from dgsolve.switches import refuse_unswitched
from dgsolve.unknown_options import keywords, refuse_unknown
from dgsolve.weights import WEIGHTS_FILE
from dgsolve.whole_numbers import is_number, is_whole

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
    progress: bool = False,
    **shorthand: Any,
) -> Iterator[Solution]:
    """Solve a stream of problems; solutions come in the order of the problems, as soon as they can.

    Problems of one shape are denoised together, about `batch_canvases` canvases at a time; `problems` is read no
    further ahead than that needs. `seed` (0 to 2**63 - 1) holds for every problem, so an answer does not depend on the
    others. `time_limit` is in seconds for each problem (looked at between the parts of a step: it cannot end a
    validator that never returns). Fields of `Sampling` can be given by name: `max_denoising_steps=64, attempts=4`.
    `on_frame` gets a frame of every problem at every step; `keep_trace` puts a problem's own frames into its Solution;
    `progress` draws a bar on stderr.
    After a KeyboardInterrupt the solutions found out of order still come, the unfinished before them as UNKNOWN.
    Raises UsageError for options that cannot mean anything.
    """
    if not is_whole(batch_canvases) or batch_canvases < 1:
        raise UsageError(f"batch_canvases={shown(batch_canvases)}: it must be at least 1")
    if time_limit is not None and not (is_number(time_limit) and time_limit > 0):
        raise UsageError(f"time_limit={shown(time_limit)}: write a number of seconds above 0, or None")
    if on_frame is not None and not callable(on_frame):
        raise UsageError(f"on_frame={shown(on_frame)}: write a function that takes a Frame")
    if not isinstance(problems, Iterable):
        raise UsageError(f"solve_many() wants many problems, not {shown(problems)}", hint="For one problem: solve().")
    refuse_unswitched(keep_trace=keep_trace, progress=progress)
    model = _denoiser(denoiser)
    refuse_unknown(shorthand, (*keywords(solve_many), *Sampling.names()))
    settings = _settings(model.sampling if sampling is None else sampling, shorthand, seed)
    run = _Run(model, settings, int(seed), on_frame, keep_trace)
    limit = None if time_limit is None else float(time_limit)
    solutions = run.solutions(problems, int(batch_canvases), limit)
    return _with_bar(solutions, len(problems) if isinstance(problems, Sized) else None) if progress else solutions


class _Run:
    """One call of `solve_many`: problems in, solutions out in the same order."""

    def __init__(
        self,
        denoiser: Denoiser,
        sampling: Sampling,
        seed: int,
        on_frame: Callable[[Frame], None] | None,
        keep_trace: bool,
    ) -> None:
        self.denoiser, self.sampling, self.seed = denoiser, sampling, seed
        self.on_frame, self.keep_trace = on_frame, keep_trace
        self._traces: defaultdict[int, list[Frame]] = defaultdict(list)
        self._done: dict[int, Solution] = {}
        self._open: dict[int, Job] = {}
        self._following = 0
        self._failed: Exception | None = None

    def solutions(self, problems: Iterable[Problem], size: int, time_limit: float | None) -> Iterator[Solution]:
        """Solutions in the order of the problems; `size` canvases at a time, `time_limit` in seconds a problem."""
        try:
            for batch in _batches(self._jobs(problems, time_limit), size, time_limit, self._batch):
                for job in batch.step():
                    self._finish(job)
                yield from self._in_order()
            yield from self._in_order()
            if self._failed is not None:
                raise self._failed
        except KeyboardInterrupt:
            for number in range(self._following, max(self._done, default=-1) + 1):
                yield self._done.get(number) or self._open[number].interrupt()
            raise

    def _jobs(self, problems: Iterable[Problem], time_limit: float | None) -> Iterator[Job]:
        """A job for every problem that needs denoising; the others are done at once.

        What the caller's iterator raises, or a problem that cannot begin, waits until those before it are solved.
        """
        for number, problem in enumerate(self._read(problems)):
            invalid = Solution.before_search(problem, self.seed)
            if invalid is not None:
                self._done[number] = invalid
                continue
            try:
                begun = begin(number, problem, self.denoiser, self.sampling, self.seed, time_limit)
            except Exception as error:
                self._failed = error
                return
            if isinstance(begun, Solution):
                self._done[number] = begun
                continue
            self._open[number] = begun
            yield begun

    def _read(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        try:
            yield from map(_checked, problems)
        except Exception as error:
            self._failed = error

    def _batch(self, problem: Problem) -> Batch:
        watched = self.keep_trace or self.on_frame is not None
        return Batch(problem, self.denoiser, self.sampling, self._show if watched else None)

    def _show(self, number: int, frame: Frame) -> None:
        if self.keep_trace:
            self._traces[number].append(frame)
        if self.on_frame is not None:
            self.on_frame(frame)

    def _finish(self, job: Job) -> None:
        if job.solution is None:
            raise RuntimeError(f"problem {job.number} left its batch without a solution")
        self._done[job.number] = replace(job.solution, trace=tuple(self._traces.pop(job.number, ())))
        del self._open[job.number]

    def _in_order(self) -> Iterator[Solution]:
        while self._following in self._done:
            self._following += 1
            yield self._done.pop(self._following - 1)


def _with_bar(solutions: Iterator[Solution], total: int | None) -> Iterator[Solution]:
    from rich.console import Console
    from rich.progress import track

    return iter(track(solutions, "solving", total=total, console=Console(stderr=True)))


def steps(
    problem: Problem,
    denoiser: str | Denoiser = "auto",
    *,
    sampling: Sampling | None = None,
    seed: int = 0,
    **shorthand: Any,
) -> Iterator[Frame]:
    """One denoising step at a time, in your own loop; `frame.solution()` is the draft with its verdict.

    The canvas with the fewest faulty slots is the one shown; the frames end when an answer passed the check, or with
    the steps. `sampling`, `seed` and fields of `Sampling` by name are those of `solve_many`; raises UsageError.
    """
    model = _denoiser(denoiser)
    refuse_unknown(shorthand, (*keywords(steps), *Sampling.names()))
    settings = _settings(model.sampling if sampling is None else sampling, shorthand, seed)
    for fault in _checked(problem).given_faults():
        raise UsageError(f"steps(): the givens already break a rule: {fault.message}")
    frames: list[Frame] = []
    batch = Batch(problem, model, settings, lambda _, frame: frames.append(frame))
    batch.add([lay_out(0, problem, model, settings, int(seed))])
    return _frames(batch, frames)


def _frames(batch: Batch, frames: list[Frame]) -> Iterator[Frame]:
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


def _checked(problem: Problem) -> Problem:
    if not isinstance(problem, Problem):
        raise UsageError(f"{shown(problem)} is not a problem", hint="Read one with dgsolve.Sudoku.parse(...).")
    return problem


def _denoiser(denoiser: str | Denoiser) -> Denoiser:
    denoiser = getattr(denoiser, "denoiser", denoiser)  # a Model's own
    if not isinstance(denoiser, str | Denoiser):
        raise UsageError(f"{shown(denoiser)} is not a denoiser", hint='Name one, for instance "relational".')
    if not isinstance(denoiser, str):
        return denoiser
    from dgsolve.loading import load_denoiser  # which knows folders of language models, and imports this module

    return load_denoiser(denoiser)


def _settings(sampling: Sampling, shorthand: dict[str, Any], seed: int) -> Sampling:
    if not is_whole(seed) or not 0 <= seed < 2**63:
        raise UsageError(f"seed={shown(seed)}: write a whole number from 0 to 2**63 - 1")
    if not isinstance(sampling, Sampling):
        raise UsageError(f"sampling={shown(sampling)}: write sampling=Sampling(...), or its fields by name")
    heat: Any = shorthand.get("t_max")
    if is_number(heat) and heat > 0:  # one that is given is the hottest: none lies above it
        shorthand = {"t_min": min(heat, sampling.t_min), **shorthand}
    return replace(sampling, **shorthand)
