"""Canvases that are denoised together: each row is one canvas of one problem, and leaves when its problem is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.constraints.base import Posterior
from dgsolve.denoisers.base import Denoiser, RowState
from dgsolve.problem import Problem
from dgsolve.randomness import Stream
from dgsolve.sampling import entropy_bound, stopping
from dgsolve.sampling.schedule import temperature
from dgsolve.sampling.settings import Sampling
from dgsolve.sampling.supposition import suppose
from dgsolve.solution import Frame, Solution, Status

RESTART, NOISE, SLOTS = 1, 2, 3  # purposes of a canvas's random numbers


@dataclass
class Job:
    """One problem on its way: its fresh canvas, and what its canvases found out so far."""

    number: int
    problem: Problem
    canvas: Canvas
    seed: int
    deadline: float | None = None
    started: float = field(default_factory=time.monotonic)
    marginals: Tensor | None = None  # [L, V], what the first canvas believed when the others joined it
    canvases: int = 1
    restarts: int = 0
    first_step_valid: bool = False
    solution: Solution | None = None


@dataclass(frozen=True)
class Rows(RowState):
    """What the loop itself carries for every row."""

    job: Tensor  # [B] position in the batch's jobs
    canvas: Tensor  # [B] number among the problem's canvases
    step: Tensor  # [B] denoising steps so far
    age: Tensor  # [B] denoising steps since the canvas was started or restarted
    starts: Tensor  # [B] how often it was started with a supposition
    stable: Tensor  # [B] steps for which the mode did not change
    mode: Tensor  # [B, L]
    tokens: Tensor  # [B, L] what the denoiser read
    keep: Tensor  # [B, L] tokens that are not re-noised next
    seeds: Tensor  # [B]

    @classmethod
    def fresh(cls, job: Tensor, canvas: Tensor, step: Tensor, seeds: Tensor, tokens: Tensor) -> Rows:
        """Rows of canvases that have not been denoised."""
        zero, blank = torch.zeros_like(job), torch.zeros_like(tokens)
        return cls(job, canvas, step, zero, zero, zero, blank - 1, tokens, blank.bool(), seeds)


class Batch:
    """A batch of canvases of problems of one shape; `step` advances all of them by one denoising step."""

    def __init__(self, denoiser: Denoiser, sampling: Sampling, on_frame: Callable[[Frame], None] | None = None) -> None:
        self.denoiser, self.sampling, self.on_frame = denoiser, sampling, on_frame
        self.jobs: list[Job] = []
        self.rows: Rows | None = None
        self.canvas: Canvas
        self.state: RowState

    def __len__(self) -> int:
        return 0 if self.rows is None else len(self.rows.job)

    def add(self, jobs: Sequence[Job]) -> None:
        """Start the first canvas of each problem."""
        base = len(self.jobs)
        self.jobs += jobs
        index = torch.arange(base, base + len(jobs))
        zero = torch.zeros_like(index)
        self._append(Canvas.stack([job.canvas for job in jobs]), index, zero, zero)

    def step(self) -> list[Job]:
        """One denoising step of every canvas; returns the problems that are done, in no order."""
        rows, sampling = self._rows(), self.sampling
        tokens = self._noised(rows)
        if not sampling.carry:
            self.state = self.denoiser.start(self.jobs[0].problem, self.canvas)
        logits, self.state = self.denoiser.denoise(tokens, self.state)
        heat = temperature(rows.step, sampling.max_denoising_steps, sampling.t_max, sampling.t_min)
        posterior = self.canvas.constraint.posterior(logits / heat[:, None, None])
        mode = posterior.mode()
        accepted = entropy_bound.accept(posterior.entropy, self.canvas.locked, sampling.entropy_bound)
        faulty = torch.from_numpy(self.jobs[0].problem.faulty_slots(mode.numpy()))
        draft = mode if sampling.renoise == "rejected" else tokens
        self.rows = Rows(
            rows.job,
            rows.canvas,
            rows.step + 1,
            rows.age + 1,
            rows.starts,
            torch.where((mode == rows.mode).all(1), rows.stable + 1, 0),
            mode,
            draft,
            self._kept(accepted, faulty),
            rows.seeds,
        )
        self._show(posterior, accepted, faulty)
        return self._finish(posterior, faulty)

    def _kept(self, accepted: Tensor, faulty: Tensor) -> Tensor:
        """Bool [B, L]: the tokens that stay on the canvas for the next step."""
        if self.sampling.renoise == "none":
            return torch.ones_like(accepted)
        if self.sampling.renoise == "all":
            return torch.zeros_like(accepted)
        return accepted & ~faulty if self.sampling.feedback else accepted

    def _noised(self, rows: Rows) -> Tensor:
        """Int [B, L]: what the denoiser reads, open slots filled with fresh uniform noise unless they are kept."""
        vocabulary = self.denoiser.vocabulary(self.jobs[0].problem)
        stream = Stream(rows.seeds).fork(NOISE).fork_rows(rows.step)
        return torch.where(rows.keep, rows.tokens, self.denoiser.noise(self.canvas, vocabulary, stream))

    def _finish(self, posterior: Posterior, faulty: Tensor) -> list[Job]:
        """Retire solved and exhausted rows, let canvases join and start again, and return the problems that are done."""
        rows, sampling = self._rows(), self.sampling
        mean_entropy = _mean(posterior.entropy, ~self.canvas.locked)
        settled = stopping.stable_and_confident(mean_entropy, rows.stable, sampling.stop_entropy, sampling.stable_steps)
        if sampling.confidence is not None:
            surest = posterior.marginals.amax(-1)
            settled |= stopping.confident(surest, self.canvas.locked, sampling.confidence)
        valid = ~faulty.any(1) & (settled | sampling.feedback)
        done = [job for row in valid.nonzero().flatten().tolist() if (job := self._answer(row, posterior))]
        spent = rows.step >= sampling.max_denoising_steps
        if not sampling.feedback:
            spent |= settled
        now = time.monotonic()
        for number in set(rows.job.tolist()):
            job = self.jobs[number]
            late = job.deadline is not None and now > job.deadline
            if job.solution is None and (late or bool(spent[rows.job == number].all())):
                job.solution = self._solution(job, Status.UNKNOWN, timed_out=late)
                done.append(job)
        gone = torch.tensor([self.jobs[number].solution is not None for number in rows.job.tolist()], dtype=torch.bool)
        if sampling.feedback:
            self._widen(posterior, gone)
            self._restart(settled, gone | spent)
        stay = torch.cat([~(gone | spent), torch.ones(len(self) - len(gone), dtype=torch.bool)])
        self._keep(stay.nonzero().flatten())
        return done

    def _widen(self, posterior: Posterior, gone: Tensor) -> None:
        """Where the first canvas did not answer within its steps, let the others join, each with its own supposition."""
        rows, attempts = self._rows(), self.sampling.attempts
        wait = (rows.age == self.sampling.scout_steps) & (rows.starts == 0) & (rows.canvas == 0) & ~gone
        for row in wait.nonzero().flatten().tolist():
            job = self.jobs[int(rows.job[row])]
            job.marginals, job.canvases = posterior.marginals[row], attempts
            if attempts > 1:
                others = torch.arange(1, attempts)
                count = torch.full_like(others, 1)
                fresh = Canvas.stack([job.canvas] * len(others))
                self._append(fresh, count * rows.job[row], others, count * rows.step[row])

    def _restart(self, settled: Tensor, gone: Tensor) -> None:
        """Start canvases again that settled on a faulty draft or lost patience; new ones start here too."""
        rows, sampling = self._rows(), self.sampling
        extra = len(rows.job) - len(gone)
        first = torch.cat([settled | (rows.age[: len(gone)] >= sampling.patience), torch.ones(extra, dtype=torch.bool)])
        scout = (rows.starts == 0) & (rows.canvas == 0)
        first = torch.where(scout, rows.age >= sampling.scout_steps, first)
        index = (first & ~torch.cat([gone, torch.zeros(extra, dtype=torch.bool)])).nonzero().flatten()
        if len(index):
            self._start(index)

    def _start(self, index: Tensor) -> None:
        """Fresh noise, fresh run state and the next supposition for the rows at `index`."""
        rows, sampling = self._rows().rows(index), self.sampling
        jobs = [self.jobs[number] for number in rows.job.tolist()]
        canvas = Canvas.stack([job.canvas for job in jobs])
        for job, starts in zip(jobs, rows.starts.tolist(), strict=True):
            job.restarts += starts > 0
        if sampling.suppose:
            turn = rows.starts * sampling.attempts + rows.canvas
            seeds = torch.tensor([job.seed for job in jobs])
            stream = Stream(seeds).fork(SLOTS).fork_rows(turn >> sampling.suppose_slots)
            marginals = torch.stack([job.marginals for job in jobs if job.marginals is not None])
            combination = turn & ((1 << sampling.suppose_slots) - 1)
            canvas = suppose(canvas, marginals, combination, stream, sampling.suppose_slots)
        fresh = Rows.fresh(rows.job, rows.canvas, rows.step, rows.seeds, canvas.tokens)
        fresh = Rows(**{**fresh.__dict__, "starts": rows.starts + 1, "seeds": Stream(rows.seeds).fork(RESTART).seeds})
        self.rows = self._rows().put(index, fresh)
        self.canvas = self.canvas.put(index, canvas)
        self.state = self.state.put(index, self.denoiser.start(self.jobs[0].problem, canvas))

    def _append(self, canvas: Canvas, job: Tensor, number: Tensor, step: Tensor) -> None:
        seeds = Stream(torch.tensor([self.jobs[j].seed for j in job.tolist()])).fork_rows(number).seeds
        rows = Rows.fresh(job, number, step, seeds, canvas.tokens)
        state = self.denoiser.start(self.jobs[0].problem, canvas)
        if self.rows is None:
            self.rows, self.canvas, self.state = rows, canvas, state
        else:
            self.rows, self.state = self.rows.append(rows), self.state.append(state)
            self.canvas = Canvas.stack([self.canvas, canvas])

    def _keep(self, index: Tensor) -> None:
        if len(index) == len(self):
            return
        self.rows = self._rows().rows(index)
        self.canvas, self.state = self.canvas.rows(index), self.state.rows(index)

    def _answer(self, row: int, posterior: Posterior) -> Job | None:
        """Finish the row's problem if its draft passes the check; None where it does not, or was finished already."""
        rows = self._rows()
        job = self.jobs[int(rows.job[row])]
        if job.solution is not None:
            return None
        answer = job.problem.decode(rows.mode[row].tolist())
        if not job.problem.check(answer).valid:
            return None
        job.first_step_valid = int(rows.step[row]) == 1
        confidence = posterior.marginals[row].gather(-1, rows.mode[row][:, None]).squeeze(-1)
        job.solution = self._solution(job, Status.FEASIBLE, answer=answer, confidence=tuple(confidence.tolist()))
        return job

    def _solution(self, job: Job, status: Status, **found: object) -> Solution:
        rows = self._rows()
        steps = int(rows.step[rows.job == self.jobs.index(job)].max())
        return Solution(
            job.problem,
            status,
            found_by="diffusion" if status is Status.FEASIBLE else None,
            steps=steps,
            canvases=job.canvases,
            restarts=job.restarts,
            first_step_valid=job.first_step_valid,
            seed=job.seed,
            seconds=time.monotonic() - job.started,
            **found,  # type: ignore[arg-type]
        )

    def _show(self, posterior: Posterior, accepted: Tensor, faulty: Tensor) -> None:
        """Hand the canvas with the fewest faulty slots to whoever watches."""
        if self.on_frame is None:
            return
        rows = self._rows()
        row = int((faulty.sum(1) + _mean(posterior.entropy, ~self.canvas.locked)).argmin())
        job = self.jobs[int(rows.job[row])]
        confidence = posterior.marginals[row].gather(-1, rows.mode[row][:, None]).squeeze(-1)
        self.on_frame(
            Frame(
                job.problem,
                step=int(rows.step[row]),
                values=tuple(rows.mode[row].tolist()),
                confidence=tuple(confidence.tolist()),
                entropy=tuple(posterior.entropy[row].tolist()),
                accepted=tuple(accepted[row].tolist()),
                locked=tuple(self.canvas.locked[row].tolist()),
                faulty=tuple(faulty[row].tolist()),
                canvas=int(rows.canvas[row]),
                canvases=job.canvases,
                restarts=job.restarts,
                seconds=time.monotonic() - job.started,
            )
        )

    def _rows(self) -> Rows:
        if self.rows is None:
            raise RuntimeError("an empty batch has no step")
        return self.rows


def _mean(values: Tensor, where: Tensor) -> Tensor:
    return (values * where).sum(1) / where.sum(1).clamp(min=1)
