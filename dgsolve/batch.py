"""Canvases that are denoised together: each row is one canvas of one problem, and leaves when its problem is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.constraints.base import Posterior
from dgsolve.denoisers.base import Denoiser, RowState
from dgsolve.problem import Problem
from dgsolve.randomness import Stream
from dgsolve.rows import Job, Rows
from dgsolve.sampling import entropy_bound, stopping
from dgsolve.sampling.schedule import temperature
from dgsolve.sampling.settings import Sampling
from dgsolve.sampling.supposition import open_ended, suppose
from dgsolve.solution import Frame

REDRAWS = 4  # suppositions tried at once when one leaves some slot without a value


class Batch:
    """Canvases of problems of one shape; `step` advances all of them by one denoising step."""

    def __init__(
        self, problem: Problem, denoiser: Denoiser, sampling: Sampling, show: Callable[[int, Frame], None] | None = None
    ) -> None:
        self.problem, self.denoiser, self.sampling, self.show = problem, denoiser, sampling, show
        self.vocabulary = denoiser.vocabulary(problem)
        self.jobs: dict[int, Job] = {}
        self._started = False
        self.rows: Rows
        self.canvas: Canvas
        self.state: RowState

    def __len__(self) -> int:
        return len(self.rows.job) if self._started else 0

    def add(self, jobs: Sequence[Job]) -> None:
        """Start the first canvas of each problem."""
        self.jobs |= {job.number: job for job in jobs}
        number = torch.tensor([job.number for job in jobs])
        zero = torch.zeros_like(number)
        self._append(Canvas.stack([job.canvas for job in jobs]), number, zero, zero)

    def step(self) -> list[Job]:
        """One denoising step of every canvas; returns the problems that are done, each with its solution."""
        rows, sampling = self.rows, self.sampling
        noise = self.denoiser.noise(self.canvas, self.vocabulary, rows.stream.fork_rows(rows.age))
        tokens = torch.where(rows.keep, rows.tokens, noise)
        if not sampling.carry:
            self.state = self.denoiser.start(self.problem, self.canvas)
        logits, self.state = self.denoiser.denoise(tokens, self.state)

        heat = temperature(rows.step, sampling.max_denoising_steps, sampling.t_max, sampling.t_min)
        posterior = self.canvas.constraint.posterior(logits / heat[:, None, None])
        mode = posterior.mode()
        accepted = entropy_bound.accept(posterior.entropy, self.canvas.locked, sampling.entropy_bound)
        faulty = self._faulty(mode)
        self.rows = replace(
            rows,
            step=rows.step + 1,
            age=rows.age + 1,
            stable=torch.where((mode == rows.mode).all(1), rows.stable + 1, 0),
            mode=mode,
            tokens=tokens if sampling.renoise == "none" else mode,
            keep=self._kept(accepted, faulty),
        )
        self._show(posterior, accepted, faulty)
        return self._settle(posterior, faulty)

    def _faulty(self, mode: Tensor) -> Tensor:
        """Bool [B, L]: the slots that each draft's own problem faults."""
        drafts, owners, faulty = mode.numpy(), self.rows.job.numpy(), np.zeros(mode.shape, dtype=bool)
        for number, job in self.jobs.items():
            mine = np.flatnonzero(owners == number)
            faulty[mine] = job.problem.faulty_slots(drafts[mine])
        return torch.from_numpy(faulty)

    def _kept(self, accepted: Tensor, faulty: Tensor) -> Tensor:
        """Bool [B, L]: the slots whose tokens stay on the canvas for the next step."""
        if self.sampling.renoise == "rejected":
            return accepted & ~faulty if self.sampling.feedback else accepted
        return torch.full_like(accepted, self.sampling.renoise == "none")

    def _settle(self, posterior: Posterior, faulty: Tensor) -> list[Job]:
        """Finish the problems that are answered or out of steps, and start canvases again that lead nowhere."""
        rows, sampling = self.rows, self.sampling
        settled = self._settled(posterior)
        spent = rows.step >= sampling.max_denoising_steps
        candidates = ~faulty.any(1)
        if not sampling.feedback:  # without the validator a canvas ends where it settles, right or wrong
            spent |= settled
            candidates &= spent
        for row in candidates.nonzero().flatten().tolist():
            self._answer(row, posterior)
        going_on = set(rows.job[~spent].tolist())
        for number, job in self.jobs.items():
            if job.solution is None and (job.late or number not in going_on):
                job.solution = job.give_up(self._steps(number))
        done = [job for job in self.jobs.values() if job.solution is not None]
        finished = torch.isin(rows.job, torch.tensor([job.number for job in done], dtype=torch.long))
        self.jobs = {number: job for number, job in self.jobs.items() if job.solution is None}

        leave = finished | spent
        if sampling.feedback:
            limit = torch.where(rows.starts == 0, sampling.scout_steps, sampling.patience)
            self._restart((settled | (rows.age >= limit)) & ~leave, posterior)
        joined = torch.zeros(len(self) - len(leave), dtype=torch.bool)
        self._keep((~torch.cat([leave, joined])).nonzero().flatten())
        return done

    def _settled(self, posterior: Posterior) -> Tensor:
        """Bool [B]: the canvases whose draft will not change any more."""
        sampling, locked = self.sampling, self.canvas.locked
        mean = _mean(posterior.entropy, ~locked)
        settled = stopping.stable_and_confident(mean, self.rows.stable, sampling.stop_entropy, sampling.stable_steps)
        if sampling.confidence is not None:
            settled |= stopping.confident(posterior.marginals.amax(-1), locked, sampling.confidence)
        return settled

    def _answer(self, row: int, posterior: Posterior) -> None:
        """Give the row's problem its solution, if it has none yet and the draft passes the check."""
        job = self.jobs[int(self.rows.job[row])]
        if job.solution is None:
            draft, confidence = self.rows.mode[row].tolist(), self._confidence(row, posterior)
            job.solution = job.accept(draft, confidence, self._steps(job.number))

    def _restart(self, due: Tensor, posterior: Posterior) -> None:
        """Start the rows in `due`, Bool [B], again; where it is a problem's first canvas, let the others join it."""
        index = due.nonzero().flatten()
        first = index[self.rows.starts[index] == 0]
        for row in first.tolist():
            job = self.jobs[int(self.rows.job[row])]
            job.marginals, job.canvases = posterior.marginals[row], self.sampling.attempts
            others = torch.arange(1, self.sampling.attempts)
            if len(others):
                numbers = torch.full_like(others, job.number)
                self._append(
                    Canvas.stack([job.canvas] * len(others)), numbers, others, self.rows.step[row].expand_as(others)
                )
        joined = torch.arange(len(due), len(self))
        if len(index):
            self._start(torch.cat([index, joined]), REDRAWS)

    def _start(self, index: Tensor, redraws: int) -> None:
        """Fresh noise, fresh run state and the next supposition for the rows at `index`, Int [b]."""
        rows = self.rows.rows(index)
        jobs = [self.jobs[number] for number in rows.job.tolist()]
        canvas = Canvas.stack([job.canvas for job in jobs])
        if self.sampling.suppose:
            canvas = self._supposed(canvas, rows, jobs)
        if redraws == REDRAWS:
            for job, joins in zip(jobs, ((rows.starts == 0) & (rows.canvas > 0)).tolist(), strict=True):
                job.restarts += not joins
        given = torch.cat([job.given for job in jobs])
        fresh = Rows.fresh(rows.job, rows.canvas, rows.step, rows.starts + 1, rows.seeds, canvas.tokens, given)
        self.rows = self.rows.put(index, fresh)
        self.canvas = self.canvas.put(index, canvas)
        self.state = self.state.put(index, self.denoiser.start(self.problem, canvas))
        empty = index[~canvas.constraint.satisfiable()]
        if len(empty) and redraws:
            self._start(empty, redraws - 1)

    def _supposed(self, canvas: Canvas, rows: Rows, jobs: Sequence[Job]) -> Canvas:
        """Each canvas with its own supposition: canvases and starts together count through all combinations."""
        sampling = self.sampling
        turn = rows.starts * sampling.attempts + rows.canvas
        marginals = torch.stack([job.marginals for job in jobs if job.marginals is not None])
        slots = sampling.suppose_slots + rows.starts // sampling.suppose_more + open_ended(marginals, canvas.locked)
        return suppose(canvas, marginals, turn, Stream(rows.seeds), slots)

    def _append(self, canvas: Canvas, job: Tensor, number: Tensor, step: Tensor) -> None:
        jobs = [self.jobs[j] for j in job.tolist()]
        seeds, given = torch.tensor([j.seed for j in jobs]), torch.cat([j.given for j in jobs])
        rows = Rows.fresh(job, number, step, torch.zeros_like(job), seeds, canvas.tokens, given)
        state = self.denoiser.start(self.problem, canvas)
        if self._started:
            rows, state = self.rows.append(rows), self.state.append(state)
            canvas = Canvas.stack([self.canvas, canvas])
        self.rows, self.canvas, self.state, self._started = rows, canvas, state, True

    def _keep(self, index: Tensor) -> None:
        if len(index) < len(self):
            self.rows, self.canvas, self.state = self.rows.rows(index), self.canvas.rows(index), self.state.rows(index)

    def _steps(self, number: int) -> int:
        return int(self.rows.step[self.rows.job == number].max())

    def _confidence(self, row: int, posterior: Posterior) -> list[float]:
        chosen: list[float] = posterior.marginals[row].gather(-1, self.rows.mode[row][:, None]).squeeze(-1).tolist()
        return chosen

    def _show(self, posterior: Posterior, accepted: Tensor, faulty: Tensor) -> None:
        """Hand each problem's canvas with the fewest faulty slots, with the problem's number, to whoever watches."""
        if self.show is None:
            return
        rows = self.rows
        distance = faulty.sum(1) + _mean(posterior.entropy, ~self.canvas.locked).tanh()  # below 1: it breaks ties
        for number, job in self.jobs.items():
            row = int(distance.masked_fill(rows.job != number, torch.inf).argmin())
            frame = Frame(
                job.problem,
                step=int(rows.step[row]),
                values=tuple(rows.mode[row].tolist()),
                probability=tuple(self._confidence(row, posterior)),
                entropy=tuple(posterior.entropy[row].tolist()),
                accepted=tuple(accepted[row].tolist()),
                locked=tuple(job.canvas.locked[0].tolist()),
                faulty=tuple(faulty[row].tolist()),
                canvas=int(rows.canvas[row]),
                canvases=job.canvases,
                restarts=job.restarts,
                seconds=time.monotonic() - job.started,
            )
            self.show(number, frame)


def _mean(values: Tensor, where: Tensor) -> Tensor:
    return (values * where).sum(1) / where.sum(1).clamp(min=1)
