"""What the loop itself carries: a job for every problem, and for every canvas a row."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.constraints.base import CanvasLaw
from dgsolve.constraints.block_laws import BlockLaws
from dgsolve.deadline import Deadline
from dgsolve.denoisers.base import RowState
from dgsolve.problem import Fault, Problem
from dgsolve.randomness import Stream
from dgsolve.solution import Blocks, Frame, Solution, Status


@dataclass
class Job:
    """One problem on its way: its fresh canvas, and what its canvases found out so far."""

    number: int
    problem: Problem
    canvas: Canvas
    given: Tensor  # Bool [1, L] slots that hold their tokens on the first step, open or not
    seed: int
    constrained: bool = True  # whether its canvases are kept to the rules
    prepared: float = 0.0  # seconds that its canvas took to lay out, which count
    deadline: Deadline = field(default_factory=Deadline)
    started: float = field(default_factory=time.monotonic)
    marginals: Tensor | None = None  # [L, V] what the first canvas believed when it gave up alone
    canvases: int = 1
    restarts: int = 0
    refused: list[tuple[Any, tuple[Fault, ...]]] = field(default_factory=list)  # whole drafts that were faulted
    blocks: list[CanvasLaw] = field(default_factory=list)  # of a text: those before the one in work
    solution: Solution | None = None

    def start(self, time_limit: float | None) -> None:
        """The clock starts now; `time_limit` in seconds."""
        self.started = time.monotonic() - self.prepared
        self.deadline = Deadline.after(None if time_limit is None else time_limit - self.prepared)

    @property
    def late(self) -> bool:
        return not self.deadline.left

    def refusal(self, draft: list[int]) -> tuple[Any, tuple[Fault, ...]]:
        """A whole draft, L values, that was faulted, as it is remembered in `refused`."""
        answer = self.problem.decode(draft)
        return answer, self.problem.check(answer).faults

    def law(self, last: CanvasLaw | None) -> CanvasLaw | None:
        """The posterior of the canvas as far as it is written, by that of the block that was written last."""
        return BlockLaws([*self.blocks, last]) if self.blocks and last is not None else last

    def repair(self, draft: list[int]) -> None:
        """Begin again from a draft that was faulted: what the problem pins of it stays, the rest is re-noised.

        Nothing is pinned where nothing is kept.
        """
        self.blocks = []
        if self.constrained:
            self.canvas = self.problem.repaired(self.canvas, draft, len(self.refused))

    def give_up(self, steps: int, draft: Sequence[int] = ()) -> Solution:
        """The solution of a problem whose steps or time ran out at `draft`, L values."""
        return replace(self._solution(Status.UNKNOWN, steps, timed_out=self.late), values=tuple(draft))

    def interrupt(self) -> Solution:
        """The solution of a problem that nobody waits for any more."""
        return replace(self._solution(Status.UNKNOWN, 0, timed_out=False), interrupted=True)

    def accept(
        self, draft: list[int], confidence: list[float], steps: int, posterior: CanvasLaw | None = None
    ) -> Solution | None:
        """The solution that the draft, L values, is; None where `Problem.check` finds a fault."""
        answer = self.problem.decode(draft)
        if not self.problem.check(answer).valid:
            return None
        found = self._solution(Status.FEASIBLE, steps, timed_out=False)
        return replace(
            found,
            answer=answer,
            found_by="diffusion",
            confidence=tuple(confidence),
            first_step_valid=steps == 1,
            values=tuple(draft),
            posterior=posterior,
        )

    def frame(self, rows: Rows, row: int) -> Frame:
        """What a row holds after a step, nothing said yet of entropy, acceptance and faults."""
        nothing = (False,) * rows.mode.shape[1]
        return Frame(
            self.problem,
            step=int(rows.step[row]),
            values=tuple(rows.mode[row].tolist()),
            probability=tuple(rows.probability[row].tolist()),
            entropy=(0.0,) * len(nothing),
            accepted=nothing,
            locked=tuple(self.canvas.locked[0].tolist()),
            faulty=nothing,
            canvas=int(rows.canvas[row]),
            canvases=self.canvases,
            restarts=self.restarts,
            seconds=time.monotonic() - self.started,
            seed=self.seed,
        )

    def _solution(self, status: Status, steps: int, *, timed_out: bool) -> Solution:
        return Solution(
            self.problem,
            status,
            steps=steps,
            canvases=self.canvases,
            restarts=self.restarts,
            seed=self.seed,
            seconds=time.monotonic() - self.started,
            timed_out=timed_out,
            refused=tuple(self.refused),
        )


@dataclass(frozen=True)
class Rows(RowState):
    """One row for each canvas that is being denoised."""

    job: Tensor  # [B] number of its problem
    canvas: Tensor  # [B] number among the problem's canvases
    step: Tensor  # [B] denoising steps so far
    age: Tensor  # [B] denoising steps since it was started, or started again
    clock: Tensor  # [B] denoising steps that count for its temperature and against max_denoising_steps
    starts: Tensor  # [B] how often it was started again
    stable: Tensor  # [B] steps for which the mode did not change
    mode: Tensor  # [B, L] most probable value of every slot
    probability: Tensor  # [B, L] of the mode's values
    pinned: Tensor  # [B, L] of values that a repair pinned, when they were written; 1 in all other slots
    settled: Tensor  # [B] leading slots that will not change any more
    tokens: Tensor  # [B, L] what the canvas holds
    keep: Tensor  # Bool [B, L] slots that the next step does not re-noise
    seeds: Tensor  # [B]
    spent: Tensor  # [B, N] denoising steps that each block of its canvas took so far

    @classmethod
    def fresh(
        cls,
        job: Tensor,
        canvas: Tensor,
        step: Tensor,
        starts: Tensor,
        seeds: Tensor,
        tokens: Tensor,
        given: Tensor,
        *,
        blocks: int = 1,
    ) -> Rows:
        """Rows of canvases that have not been denoised; Int [B] each, but tokens Int [B, L] and given Bool [B, L].

        Their clock starts at `step`; each has N = `blocks` blocks.
        """
        zero = torch.zeros_like(job)
        mode, probability = torch.full_like(tokens, -1), torch.zeros_like(tokens, dtype=torch.float)
        pinned = torch.ones_like(probability)
        spent = zero[:, None].repeat(1, blocks)
        return cls(
            job, canvas, step, zero, step, starts, zero, mode, probability, pinned, zero, tokens, given, seeds, spent
        )

    def spent_with(self, slots: int) -> Tensor:
        """Int [B, N]: `spent` after one more step of the block of `slots` slots that follows the settled ones."""
        block = (self.settled // slots).clamp(max=self.spent.shape[1] - 1)
        return self.spent.scatter_add(1, block[:, None], torch.ones_like(block)[:, None])

    def window(self, values: Tensor, width: int) -> Tensor:
        """[B, width]: of `values` [B, L], the slots that follow each row's settled ones."""
        return values.gather(1, self._slots(width))

    def put_window(self, values: Tensor, new: Tensor) -> Tensor:
        """`values` [B, L] with `new` [B, width] in the slots that follow each row's settled ones."""
        return values.scatter(1, self._slots(new.shape[1]), new)

    def stable_with(self, tokens: Tensor) -> Tensor:
        """Int [B]: for how many steps the window's draft did not change, now that it is `tokens`, Int [B, width]."""
        same = (tokens == self.window(self.mode, tokens.shape[1])).all(1)
        return torch.where(same, self.stable + 1, 0)

    def _slots(self, width: int) -> Tensor:
        return self.settled[:, None] + torch.arange(width)

    def blocks(self, row: int, most: int, *, ended: bool, clocked: bool) -> Blocks:
        """How far the blocks of a row are, each of at most `most` steps.

        ended: the one that its last step was about. clocked: a single block has the steps that its clock shows.
        """
        count = self.spent.shape[1]
        taken = (int(self.clock[row]),) if count == 1 and clocked else tuple(self.spent[row].tolist())
        return Blocks(tuple(steps for steps in taken if steps), most, count, ended)

    @property
    def stream(self) -> Stream:
        """The random numbers of each canvas's current start: of its problem's seed, its number and its starts."""
        return Stream(self.seeds).fork_rows(self.canvas).fork_rows(self.starts)
