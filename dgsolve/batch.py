"""Canvases that are denoised together: each row is one canvas of one problem, and leaves when its problem is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.deadline import OutOfTime, within
from dgsolve.denoisers.base import Denoiser, RowState
from dgsolve.problem import Problem
from dgsolve.randomness import Stream
from dgsolve.rows import Job, Rows
from dgsolve.sampling.drafting import Draft, mean_where
from dgsolve.sampling.settings import Sampling
from dgsolve.sampling.supposition import open_ended, suppose
from dgsolve.solution import Frame, Solution

MOST_SUPPOSED = 32  # slots of one supposition
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
        """One denoising step of every canvas; returns the problems that are done, each with its solution.

        It ends in the middle, and all problems with it, when the time of the last one is over.
        """
        try:
            with within(max((job.deadline for job in self.jobs.values()), key=lambda one: one.moment)):
                return self._step()
        except OutOfTime:
            return self._give_up()

    def _give_up(self) -> list[Job]:
        """All problems, those without a solution given up."""
        for number, job in self.jobs.items():
            job.solution = job.solution or self._unsettled(number, job)
        done = list(self.jobs.values())
        self.jobs = {}
        self._keep(torch.zeros(0, dtype=torch.long))
        return done

    def _unsettled(self, number: int, job: Job) -> Solution:
        return job.give_up(self._steps(number), self.rows.mode[self.rows.job == number][0].tolist())

    def _step(self) -> list[Job]:
        rows, sampling, constraint = self.rows, self.sampling, self.canvas.constraint
        noise = self.denoiser.noise(self.canvas, self.vocabulary, rows.stream.fork_rows(rows.age))
        tokens = self.denoiser.guess(torch.where(rows.keep, rows.tokens, noise), self.canvas, self.state)
        if not sampling.carry:
            self.state = self.denoiser.start(self.problem, self.canvas)
        logits, self.state = self.denoiser.denoise(tokens, self.state)

        width = logits.shape[1]  # W slots that follow the settled ones
        fed, locked = rows.window(tokens, width), rows.window(self.canvas.locked, width)
        draft = self.denoiser.drafting.draft(constraint, logits, fed, locked, rows, sampling)
        mode = rows.put_window(rows.mode, draft.tokens)
        settled = rows.settled + draft.settled
        self.canvas = replace(self.canvas, constraint=constraint.settle(mode, settled))
        self.state = self.denoiser.condition(self.state, draft, sampling.self_conditioning)
        self.state = self.denoiser.settle(self.state, settled)
        whole = self._whole(settled)
        begins = self._begins(settled) & ~whole
        spent = (rows.clock + 1 >= sampling.max_denoising_steps) & ~begins
        ended = whole | (spent & (mode >= 0).all(1))
        faulty = self._faulty(mode, ended | self.problem.any_answer)
        held = begins[:, None] | (rows.settled > 0)[:, None]
        held = held & (torch.arange(mode.shape[1]) < settled[:, None])  # what earlier blocks hold
        placed = rows.put_window(mode, draft.placed)
        self.rows = replace(
            rows,
            step=rows.step + 1,
            age=rows.age + 1,
            clock=torch.where(begins, 0, rows.clock + 1),
            stable=rows.stable_with(draft.tokens),
            spent=rows.spent_with(self._block_slots),
            mode=mode,
            probability=rows.put_window(rows.probability, draft.probability * rows.window(rows.pinned, width)),
            settled=settled,
            tokens=torch.where(held, mode, tokens if sampling.renoise == "none" else placed),
            keep=self._kept(rows.put_window(self.canvas.locked, draft.accepted), faulty) | held,
        )
        self._show(draft, faulty, ended)
        for row in begins.nonzero().flatten().tolist():
            law = draft.law(row, mode.shape[1])
            self.jobs[int(rows.job[row])].blocks += [] if law is None else [law]
        return self._settle(draft, spent, ended, faulty)

    def _whole(self, settled: Tensor) -> Tensor:
        """Bool [B]: the canvases whose draft will not change any more."""
        complete = self.canvas.constraint.complete()
        full = settled >= self.rows.mode.shape[1]
        return full if complete is None else full | complete

    def _begins(self, settled: Tensor) -> Tensor:
        """Bool [B]: the canvases on which a block came to its end; settled Int [B]."""
        return settled // self._block_slots > self.rows.settled // self._block_slots

    @property
    def _block_slots(self) -> int:
        return self.denoiser.canvas_slots or self.canvas.tokens.shape[1]

    def _faulty(self, mode: Tensor, judged: Tensor) -> Tensor:
        """Bool [B, L]: the slots that each draft's own problem faults, in the rows `judged`, Bool [B]."""
        drafts, owners, faulty = mode.numpy(), self.rows.job.numpy(), np.zeros(mode.shape, dtype=bool)
        for number, job in self.jobs.items():
            mine = np.flatnonzero((owners == number) & judged.numpy())
            faulty[mine] = job.problem.faulty_slots(drafts[mine])
        return torch.from_numpy(faulty)

    def _kept(self, accepted: Tensor, faulty: Tensor) -> Tensor:
        """Bool [B, L]: the slots whose tokens stay on the canvas for the next step."""
        if self.sampling.renoise == "rejected":
            return accepted & ~faulty if self.sampling.feedback else accepted
        return torch.full_like(accepted, self.sampling.renoise in ("none", "draft"))

    def _settle(self, draft: Draft, spent: Tensor, ended: Tensor, faulty: Tensor) -> list[Job]:
        """Finish the problems that are answered or out of steps, and start canvases again that lead nowhere.

        All Bool [B]: `spent` canvases are out of steps, `ended` drafts will not change any more.
        """
        rows, sampling = self.rows, self.sampling
        candidates = (ended | self.problem.any_answer) & ~faulty.any(1)
        if not sampling.feedback:  # without the validator a canvas ends where it settles, right or wrong
            spent = spent | ended
            candidates &= spent
        for row in candidates.nonzero().flatten().tolist():
            self._answer(row, draft)
        again = self._again(ended, spent, faulty)
        spent = (spent | ended) & ~again
        going_on = set(rows.job[~spent].tolist())
        for number, job in self.jobs.items():
            if job.solution is None and (job.late or number not in going_on):
                job.solution = self._unsettled(number, job)
        done = [job for job in self.jobs.values() if job.solution is not None]
        finished = torch.isin(rows.job, torch.tensor([job.number for job in done], dtype=torch.long))
        self.jobs = {number: job for number, job in self.jobs.items() if job.solution is None}

        leave = finished | spent
        self._restart(again & ~leave, draft)
        joined = torch.zeros(len(self) - len(leave), dtype=torch.bool)
        self._keep((~torch.cat([leave, joined])).nonzero().flatten())
        return done

    def _again(self, ended: Tensor, spent: Tensor, faulty: Tensor) -> Tensor:
        """Bool [B]: the canvases to start again, had their problems no answer."""
        rows, sampling = self.rows, self.sampling
        if not sampling.feedback:
            return torch.zeros_like(spent)
        if self.problem.any_answer:
            limit = torch.where(rows.starts == 0, sampling.scout_steps, sampling.patience)
            return (ended | (rows.age >= limit)) & ~spent
        faulted = ended & faulty.any(1)
        for row in faulted.nonzero().flatten().tolist():
            job = self.jobs[int(rows.job[row])]
            job.refused.append(job.refusal(rows.mode[row].tolist()))
        return faulted & (rows.starts + 1 < sampling.attempts)

    def _answer(self, row: int, made: Draft) -> None:
        """Give the row's problem its solution, if it has none yet and the draft passes the check."""
        job = self.jobs[int(self.rows.job[row])]
        if job.solution is None:
            draft, confidence = self.rows.mode[row].tolist(), self.rows.probability[row].tolist()
            job.solution = job.accept(draft, confidence, self._steps(job.number), job.law(made.law(row, len(draft))))

    def _restart(self, due: Tensor, draft: Draft) -> None:
        """Start the rows in `due`, Bool [B], again; where it is a problem's first canvas, let the others join it."""
        index = due.nonzero().flatten()
        for row in index.tolist():
            job = self.jobs[int(self.rows.job[row])]
            if not self.problem.any_answer:
                job.repair(self.rows.mode[row].tolist())
            elif self.rows.starts[row] == 0 and draft.posterior is not None:
                job.marginals, job.canvases = draft.posterior.marginals[row], self.sampling.attempts
                self._join(job, self.rows.step[row])
        joined = torch.arange(len(due), len(self))
        if len(index):
            self._start(torch.cat([index, joined]), REDRAWS)

    def _join(self, job: Job, step: Tensor) -> None:
        """Let all other canvases of a problem begin, `step` [] steps late."""
        others = torch.arange(1, self.sampling.attempts)
        if len(others):
            numbers = torch.full_like(others, job.number)
            self._append(Canvas.stack([job.canvas] * len(others)), numbers, others, step.expand_as(others))

    def _start(self, index: Tensor, redraws: int) -> None:
        """Fresh noise, fresh run state and the next supposition for the rows at `index`, Int [b]."""
        rows = self.rows.rows(index)
        jobs = [self.jobs[number] for number in rows.job.tolist()]
        canvas = Canvas.stack([job.canvas for job in jobs])
        if self.sampling.suppose and self.problem.any_answer:
            canvas = self._supposed(canvas, rows, jobs)
        if redraws == REDRAWS:
            for job, joins in zip(jobs, ((rows.starts == 0) & (rows.canvas > 0)).tolist(), strict=True):
                job.restarts += not joins
        given = torch.cat([job.given for job in jobs])
        starts, blocks = rows.starts + 1, rows.spent.shape[1]
        fresh = Rows.fresh(rows.job, rows.canvas, rows.step, starts, rows.seeds, canvas.tokens, given, blocks=blocks)
        if not self.problem.any_answer:  # each of its texts has all steps
            pinned = torch.where(canvas.locked & ~given, rows.probability, 1.0)
            fresh = replace(fresh, clock=torch.zeros_like(rows.step), pinned=pinned)
        self.rows = self.rows.put(index, fresh)
        self.canvas = self.canvas.put(index, canvas)
        self.state = self.state.put(index, self._fresh_state(jobs, canvas))
        empty = index[~canvas.constraint.satisfiable()]
        if len(empty) and redraws:
            self._start(empty, redraws - 1)

    def _supposed(self, canvas: Canvas, rows: Rows, jobs: Sequence[Job]) -> Canvas:
        """Each canvas with its own supposition: canvases and starts together count through all combinations."""
        sampling = self.sampling
        turn = rows.starts * sampling.attempts + rows.canvas
        marginals = torch.stack([job.marginals for job in jobs if job.marginals is not None])
        extra = open_ended(marginals, canvas.locked) * (1 + rows.starts // 2)  # more where that was not enough
        slots = (sampling.suppose_slots + rows.starts // sampling.suppose_more + extra).clamp(max=MOST_SUPPOSED)
        return suppose(canvas, marginals, turn, Stream(rows.seeds), slots)

    def _append(self, canvas: Canvas, job: Tensor, number: Tensor, step: Tensor) -> None:
        jobs = [self.jobs[j] for j in job.tolist()]
        seeds, given = torch.tensor([j.seed for j in jobs]), torch.cat([j.given for j in jobs])
        length = canvas.tokens.shape[1]
        blocks, zeros = -(-length // (self.denoiser.canvas_slots or length)), torch.zeros_like(job)
        rows = Rows.fresh(job, number, step, zeros, seeds, canvas.tokens, given, blocks=blocks)
        state = self._fresh_state(jobs, canvas)
        if self._started:
            rows, state = self.rows.append(rows), self.state.append(state)
            canvas = Canvas.stack([self.canvas, canvas])
        self.rows, self.canvas, self.state, self._started = rows, canvas, state, True

    def _fresh_state(self, jobs: Sequence[Job], canvas: Canvas) -> RowState:
        """Fresh run state, for all rows at once where the denoiser is asked nothing of a problem's own."""
        if self.denoiser.text is None or self.problem.question() is None:
            return self.denoiser.start(self.problem, canvas)
        states = [self.denoiser.start(job.problem, canvas.rows(torch.tensor([k]))) for k, job in enumerate(jobs)]
        return reduce(lambda these, those: these.append(those), states)

    def _keep(self, index: Tensor) -> None:
        if len(index) < len(self):
            self.rows, self.canvas, self.state = self.rows.rows(index), self.canvas.rows(index), self.state.rows(index)

    def _steps(self, number: int) -> int:
        return int(self.rows.step[self.rows.job == number].max())

    def _show(self, draft: Draft, faulty: Tensor, ended: Tensor) -> None:
        """Hand each problem's canvas with the fewest faulty slots, with the problem's number, to whoever watches."""
        if self.show is None:
            return
        rows, locked = self.rows, self.canvas.locked
        before = replace(rows, settled=rows.settled - draft.settled)  # the window that the draft is about
        entropy = before.put_window(torch.zeros_like(rows.probability), draft.entropy)
        accepted = before.put_window(locked, draft.accepted) | (torch.arange(locked.shape[1]) < rows.settled[:, None])
        if self.problem.any_answer:  # a draft that breaks no rule is the answer, however unsure it was
            accepted |= ~faulty.any(1, keepdim=True)
        stopped = ~faulty.any(1) if self.problem.any_answer else draft.settled > 0
        distance = faulty.sum(1) + mean_where(entropy, ~locked).tanh()  # below 1: it breaks ties
        left_to_right, clocked = self.denoiser.drafting.left_to_right, self.problem.any_answer
        most = self.sampling.max_denoising_steps
        for number, job in self.jobs.items():
            row = int(distance.masked_fill(rows.job != number, torch.inf).argmin())
            over = not self.problem.any_answer and bool(ended[row] & faulty[row].any())
            refused = [job.refusal(rows.mode[row].tolist())] if over else []
            frame = replace(
                job.frame(rows, row),
                entropy=tuple(entropy[row].tolist()),
                accepted=tuple(accepted[row].tolist()),
                faulty=tuple(faulty[row].tolist()),
                refused=(*job.refused, *refused),
                posterior=job.law(draft.law(row, locked.shape[1])) if ended[row] else None,
                blocks=None if left_to_right else rows.blocks(row, most, ended=bool(stopped[row]), clocked=clocked),
            )
            self.show(number, frame)
