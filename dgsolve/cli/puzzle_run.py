"""One run of `dgsolve sudoku` or `dgsolve grid`: puzzles in, verdicts out, in order and as they are found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dgsolve.cli import verdict_words as words
from dgsolve.cli.completion import Completion
from dgsolve.cli.exits import Exit, worst
from dgsolve.cli.results import Results, exit_code
from dgsolve.cli.talk import Talk
from dgsolve.deadline import Deadline, OutOfTime, within
from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problem import CellProblem, Problem
from dgsolve.solution import Frame, Solution, Status
from dgsolve.ui.live import live_canvas
from dgsolve.ui.progress import progress_line
from dgsolve.ui.still import save_still
from dgsolve.ui.trace import TraceWriter
from dgsolve.verdicts import Entry, Verdict, before_search, in_order

if TYPE_CHECKING:
    from dgsolve.denoisers.base import Denoiser

LEAST = 1e-3  # seconds: a limit is above 0
GLANCE = 2.0  # seconds that a person at a terminal waits, after the answer, for the check whether it is the only one


@dataclass(frozen=True)
class Request:
    """What the person asked for.

    read: the puzzles of `sources`, as they come. count: how many there are, None where only reading would tell.
    """

    sources: Sequence[str]
    read: Callable[[], Iterator[Entry]]
    count: Callable[[], int | None] = lambda: None
    denoiser: str = "auto"
    sampling: Mapping[str, Any] = field(default_factory=dict)  # what was said of it, by the names of its fields
    seed: int = 0
    threads: int = 1
    completion: Completion = field(default_factory=Completion)
    trace: Path | None = None
    placement: Mapping[str, Any] = field(default_factory=dict)  # options of loading the denoiser
    svg: Path | None = None


def completion_of(*, no_fallback: bool, unique: bool, every: int | None, time_limit: float | None) -> Completion:
    """What exact search may do, by the options of the command line; raises UsageError."""
    if time_limit is not None and not time_limit > 0:
        raise UsageError(f"--time-limit {time_limit}: give a number of seconds above 0")
    return Completion(not no_fallback, unique or every is not None, every or 1, time_limit)


class PuzzleRun:
    """Solves the puzzles of a request; `run` returns the exit code."""

    def __init__(self, request: Request, talk: Talk, results: Results) -> None:
        self.request, self.talk, self.results = request, talk, results
        self._codes: Counter[Exit] = Counter()
        self._outcomes: Counter[str] = Counter()

    def run(self) -> Exit:
        """Solve everything; Ctrl-C ends the run with what is done already printed."""
        entries = self.request.read()
        try:
            first = list(islice(entries, 2))
            if not first:
                raise PuzzleError(f"no puzzle found in {', '.join(self.request.sources)}", hint="Is the folder empty?")
            if len(first) == 1:
                self._solve_one(first[0])
            else:
                self._solve_stream(chain(first, entries))
        except KeyboardInterrupt:
            self._codes[Exit.INTERRUPTED] += 1
            self.talk.error("Interrupted; what is printed is done.")
        return worst(self._codes)

    def _solve_one(self, entry: Entry) -> None:
        if before_search(entry) is None:
            with self.talk.busy("Loading the denoiser"):
                self._denoiser  # noqa: B018 - before the canvas opens
        with self._watched() as on_frame:
            verdicts = self._verdicts([entry], lambda problems: self._solve(problems, on_frame))
            finished = [self._finished(verdict) for verdict in verdicts]
        for verdict in finished:
            self._report(verdict)
            self._tell_one(verdict)
            if self.request.trace and isinstance(verdict.result, Solution) and verdict.result.steps:
                self.talk.steps_saved(self.request.trace)
            if self.request.svg and isinstance(verdict.result, Solution):
                save_still(self.request.svg, verdict.puzzle, verdict.result.answer)
                self.talk.note(f"Drew {self.request.svg}; open it in a web browser.")

    @contextmanager
    def _watched(self) -> Iterator[Callable[[Frame], None]]:
        """Frames go to the live canvas, and into the trace that was asked for."""
        with ExitStack() as stack:
            canvas = stack.enter_context(live_canvas(self.talk.console, quiet=self.talk.quiet))
            trace = stack.enter_context(TraceWriter(self.request.trace)) if self.request.trace else None

            def on_frame(frame: Frame) -> None:
                canvas.on_frame(frame)
                if trace is not None:
                    trace.on_frame(frame)

            yield on_frame

    def _solve_stream(self, entries: Iterator[Entry]) -> None:
        asked, started = self.request, time.monotonic()
        if asked.trace:
            raise UsageError("--save-trace keeps the steps of one puzzle, and here are more", hint="Name one puzzle.")
        if asked.svg:
            raise UsageError("--svg draws one puzzle, and here are more", hint="Name one puzzle.")
        total = asked.count() if self.talk.watched else None
        with progress_line(self.talk.console, total, quiet=self.talk.quiet) as progress:
            for verdict in self._verdicts(entries, self._solve):
                finished = self._finished(verdict)
                with progress.aside() if self.results.at_terminal else nullcontext():
                    self._report(finished, label=words.place(finished.entry))
                    self._tell_of_many(finished)
                progress.add(solved=exit_code(finished) is Exit.SOLVED)
        self.talk.note(words.summary(self._outcomes, time.monotonic() - started, asked.seed))

    def _verdicts(
        self, entries: Iterable[Entry], solve: Callable[[Iterator[Problem]], Iterator[Solution]]
    ) -> Iterator[Verdict]:
        return in_order(entries, solve, seed=self.request.seed, reads=self._reads)

    def _reads(self, problem: Problem) -> bool:
        """Whether the denoiser reads it; rules that take all of diffusion's time to read are left to exact search."""
        denoiser = self._denoiser
        try:
            with within(Deadline.after(self.request.completion.diffusion_limit)):
                return denoiser.reads(problem)
        except OutOfTime:
            return False

    @cached_property
    def _denoiser(self) -> Denoiser:
        """Loaded, with torch, only when a puzzle needs it."""
        import torch

        from dgsolve.loading import load_denoiser

        torch.set_num_threads(self.request.threads)
        return load_denoiser(self.request.denoiser, **self.request.placement)

    def _solve(
        self, problems: Iterator[Problem], on_frame: Callable[[Frame], None] | None = None
    ) -> Iterator[Solution]:
        """Diffusion on those puzzles that need it.

        What the denoiser needs to read the rules counts where one puzzle is watched.
        """
        started = time.monotonic()
        waiting = list(islice(problems, 1))
        if not waiting:
            return
        spent = time.monotonic() - started if on_frame is not None else 0.0
        from dgsolve.loop import solve_many

        asked, limit = self.request, self.request.completion.diffusion_limit
        solutions = solve_many(
            chain(waiting, problems),
            self._denoiser,
            seed=asked.seed,
            time_limit=None if limit is None else max(limit - spent, LEAST),
            on_frame=on_frame,
            **asked.sampling,
        )
        yield from (replace(solution, seconds=solution.seconds + spent) for solution in solutions)

    def _finished(self, verdict: Verdict) -> Verdict:
        result = verdict.result
        if isinstance(result, PuzzleError) or result.status is Status.MODEL_INVALID or result.interrupted:
            return verdict
        return replace(verdict, result=self.request.completion.finish(verdict.puzzle, result))

    def _report(self, verdict: Verdict, label: str = "") -> None:
        self._codes[exit_code(verdict)] += 1
        self._outcomes[words.outcome(verdict)] += 1
        self.results.write(verdict, label)

    def _tell_one(self, verdict: Verdict) -> None:
        if isinstance(verdict.result, Solution) and verdict.result.status is Status.FEASIBLE:
            self.talk.note("\n".join([*words.sentences(verdict.result), *self._shown(verdict.result)]))
            self._glance_for_others(verdict.puzzle, verdict.result)
        else:
            self._tell_of_many(verdict)

    def _tell_of_many(self, verdict: Verdict) -> None:
        result, place = verdict.result, words.place(verdict.entry)
        if isinstance(result, PuzzleError):
            self.talk.error(words.error_text(verdict.entry, result), result.hint)
            return
        start = f"{place}: " if place else ""
        sentence = start + " ".join([*words.sentences(result), *self._shown(result)])
        if result.status is not Status.FEASIBLE:
            self.talk.error(sentence, words.next_step(result, self.request.completion))
        elif self.talk.verbose:
            self.talk.detail(sentence)
        else:
            exact = ["found by exact search, not by diffusion."] if result.found_by == "exact" else []
            for said in [*exact, *self._shown(result)]:
                self.talk.note(start + said)

    def _shown(self, solution: Solution) -> list[str]:
        """How many solutions --all printed."""
        most = self.request.completion.shown
        return [words.shown_solutions(solution, most)] if most > 1 and solution.answer is not None else []

    def _glance_for_others(self, puzzle: CellProblem, solution: Solution) -> None:
        """A person who watches is told when the answer is not the only one; programs ask with --unique."""
        if not self.talk.watched or self.results.as_json:  # JSON says what was proven before it was printed
            return
        if self.request.completion.fallback and solution.solutions == "unknown":
            glance = Completion(count=True, time_limit=solution.seconds + GLANCE).finish(puzzle, solution)
            if glance.solutions == "many":
                self.talk.note("The puzzle has more than one solution; --all 2 shows another.")
