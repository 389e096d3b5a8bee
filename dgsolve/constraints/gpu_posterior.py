"""The exact posterior of canvases whose logits lie on a GPU: computed there, all canvases and slots at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import Posterior
from dgsolve.constraints.bounded_logits import at_temperature
from dgsolve.constraints.canvas_sums import CanvasSums, Layouts
from dgsolve.constraints.gpu_lattice import GpuTables
from dgsolve.constraints.token_lattice import Step
from dgsolve.constraints.token_posterior import CanvasPosterior
from dgsolve.kernels.chain import ChainResult, chain
from dgsolve.kernels.class_reduction import class_reduction
from dgsolve.kernels.slot_reduction import slot_reduction
from dgsolve.kernels.slot_values import bounded, pick
from dgsolve.randomness import Stream

TOGETHER = 1 << 24  # marginals that are computed at a time


class GpuPosterior(Posterior):
    """B canvases of W slots by the kernels: one pass over the logits, then one launch for the chains of all.

    Formulas and draws are those of `CanvasPosterior`, which does one canvas at a time on a CPU. What both need of the
    host, random numbers and pinned tokens, is copied there once. logits Float [B, W, V] at one temperature a canvas,
    Float [B]; pinned Int [B, W], -1 for any.
    """

    def __init__(
        self,
        tables: GpuTables,
        steps: Sequence[Sequence[Step]],
        pinned: np.ndarray,
        logits: Tensor,
        temperature: Tensor | None,
    ) -> None:
        self._tables, self._steps, self._pins, self._logits = tables, steps, pinned, logits
        heat = torch.ones(len(logits)) if temperature is None else temperature.float()
        self._heat = heat.to(logits.device)
        self._pinned = torch.from_numpy(pinned).to(logits.device)
        self._held = self._pinned >= 0
        self._lattice = tables.lattice(steps)
        self._sums = class_reduction(logits, self._heat, tables.runs)
        own = self._logits_of(self._pinned)[..., None]  # a slot that is held has its token's weight and no other
        self._log_sum = torch.where(self._held[..., None], own, self._sums.log_sum)  # Float64 [B, W, C]
        self._best = torch.where(self._held[..., None], own, self._sums.best.double())
        self._chained: ChainResult | None = None

    @cached_property
    def _member_sums(self) -> Tensor:
        """Float64 [P]: the log-sum of each membership."""
        return self._log_sum.flatten().index_select(0, self._lattice.cell)

    @cached_property
    def _weights(self) -> Tensor:
        """Float64 [N, M]: log W of each bundle; 0 behind the last of a step."""
        sizes, most = self._lattice.sizes, self._largest(self._member_sums)
        below = (self._member_sums - most.flatten().index_select(0, self._lattice.bundle)).exp_()
        total = torch.segment_reduce(below, "sum", lengths=sizes.flatten(), unsafe=True).view(sizes.shape)
        return most + torch.where(sizes > 0, total, 1.0).log()

    @cached_property
    def _bundle_best(self) -> Tensor:
        """Float64 [N, M]: the largest logit of each bundle."""
        return self._largest(self._best.flatten().index_select(0, self._lattice.cell))

    def _largest(self, x: Tensor) -> Tensor:
        """Float64 [N, M]: the largest in each bundle, of Float64 [P]; 0 behind the last of a step."""
        sizes = self._lattice.sizes
        most = torch.segment_reduce(x, "max", lengths=sizes.flatten(), initial=-torch.inf, unsafe=True)
        return torch.where(sizes > 0, most.view(sizes.shape), 0.0)

    def _chain(self, uniform: Tensor | None = None) -> ChainResult:
        """The chain, launched once for all that is asked; again for each draw, Float64 [B, W]."""
        if self._chained is None or uniform is not None:
            shape = (*self._held.shape, -1)
            numbers = torch.zeros_like(self._held, dtype=torch.double) if uniform is None else uniform
            weights, best = self._weights.view(shape), self._bundle_best.view(shape)
            self._chained = chain(self._lattice.chain, weights, best, numbers)
        return self._chained

    @cached_property
    def log_z(self) -> Tensor:  # type: ignore[override]
        free = slot_reduction(self._logits, self._heat).log_z.double().sum(1)
        return (self._chain().log_total - free).float()

    @cached_property
    def _share(self) -> Tensor:
        """Float64 [B, W, K]: the probability of each of a slot's classes; 0 behind the last of a step."""
        lattice, taken = self._lattice, self._chain().probability.double().flatten()
        within = (self._member_sums - self._weights.flatten().index_select(0, lattice.bundle)).exp_()
        parts = (within * taken.index_select(0, lattice.bundle)).index_select(0, lattice.by_class)
        share = torch.segment_reduce(parts, "sum", lengths=lattice.class_sizes.flatten(), unsafe=True)
        share = share.view(*self._held.shape, -1)
        return share / share.sum(-1, keepdim=True)

    @property
    def _classes(self) -> Tensor:
        """Int64 [B, W, K]: the classes that a slot may hold; C behind the last of a step."""
        return self._lattice.classes.view(*self._held.shape, -1)

    @cached_property
    def entropy(self) -> Tensor:  # type: ignore[override]
        within = self._sums.entropy.masked_fill(self._held[..., None], 0.0)
        within = within.gather(2, self._classes.clamp(max=self._tables.count - 1))
        share = self._share
        surprise = torch.where(share > 0, share, 1.0).log()
        return (share * (within - surprise)).sum(-1).clamp(min=0.0).float()

    @cached_property
    def marginals(self) -> Tensor:  # type: ignore[override]
        share = self._share
        log_sum = self._log_sum.gather(2, self._classes.clamp(max=self._tables.count - 1))
        shift = share.new_full((*self._held.shape, self._tables.count + 1), -torch.inf)
        shift.scatter_(2, self._classes, share.log() - log_sum)  # what fits nowhere keeps -inf: its share is 0
        shift.masked_fill_(self._held[..., None], -torch.inf)
        found = torch.empty(self._logits.shape, dtype=torch.float32, device=self._logits.device)
        rows, heat = max(1, TOGETHER // found.shape[2]), self._heat.repeat_interleave(found.shape[1])[:, None]
        flat, shift, out = self._logits.flatten(0, 1), shift.flatten(0, 1), found.flatten(0, 1)
        for low in range(0, len(flat), rows):
            some = slice(low, low + rows)
            x = bounded(flat[some], heat[some]).double()
            out[some] = x.add_(shift[some].index_select(1, self._tables.token_class)).exp_()
        return found.scatter_add_(2, self._pinned.clamp(min=0)[..., None], self._held[..., None].float())

    def sample(self, stream: Stream) -> Tensor:
        """A joint draw, Int [B, W]: two numbers for each slot, for its arc, and for class and token."""
        uniform = stream.fine_uniform((self._held.shape[1], 2)).to(self._logits.device)
        place, there = self._members(self._chain(uniform[..., 0]).draw)
        x = self._member_sums.take(place).masked_fill_(~there, -torch.inf)
        chosen, rest = pick((x - x.amax(1, keepdim=True)).exp_(), uniform[..., 1].flatten())
        classes = self._lattice.cell.take(place.gather(1, chosen[:, None])) % self._tables.count
        drawn = self._sums.draws(classes.long().view(self._held.shape), rest.view(self._held.shape))
        return torch.where(self._held, self._pinned, drawn)

    def mode(self) -> Tensor:
        place, there = self._members(self._chain().mode)
        x = self._best.flatten().take(self._lattice.cell.take(place).long()).masked_fill_(~there, -torch.inf)
        cell = self._lattice.cell.take(place.gather(1, x.argmax(1, keepdim=True))).long()
        tokens = self._sums.token.take(cell).view(self._held.shape)
        return torch.where(self._held, self._pinned, tokens.long())

    def _members(self, bundle: Tensor) -> tuple[Tensor, Tensor]:
        """Int64 [N, m], the memberships of one bundle in each slot, Int [B, W]; and which of the m places have one."""
        bundle = bundle.flatten()[:, None]
        start, size = self._lattice.starts.gather(1, bundle), self._lattice.sizes.gather(1, bundle)
        number = torch.arange(self._lattice.largest, device=bundle.device)
        return start + number.minimum(size - 1), number < size

    def probability(self, tokens: Tensor) -> Tensor:
        tokens = tokens.to(self._logits.device)
        known = (tokens >= 0) & (tokens < self._logits.shape[2])
        known &= ~self._held | (tokens == self._pinned)
        token_class = self._tables.token_class[tokens.where(known, 0)].where(known, self._tables.count)
        share = torch.where(self._classes == token_class[..., None], self._share, 0.0).sum(-1)
        log_sum = self._log_sum.gather(2, token_class.clamp(max=self._tables.count - 1)[..., None])[..., 0]
        fits = token_class < self._tables.count
        inside = (self._logits_of(tokens) - log_sum).exp().clamp(max=1.0)  # also where its class's sum is rounded down
        return torch.where(fits, inside * share, 0.0).float()

    def log_probability(self, tokens: Tensor) -> Tensor:
        rows = enumerate(tokens.cpu().numpy())
        found = [self.row(row).log_probability(line) for row, line in rows]
        return torch.tensor(found, dtype=torch.float32, device=self._logits.device)

    def row(self, row: int) -> CanvasPosterior:
        """Of one canvas, with its own copy of the logits: what a settled text is asked for, on the CPU."""
        only = slice(row, row + 1)
        logits = at_temperature(self._logits[only], self._heat[only])[0]
        return CanvasPosterior(CanvasSums(Layouts(self._tables.table), self._steps[row], self._pins[row], logits))

    def _logits_of(self, tokens: Tensor) -> Tensor:
        """Float64 [B, W]: the logit of one token in each slot, over the temperature."""
        index = tokens.clamp(0, self._logits.shape[2] - 1)[..., None]
        return bounded(self._logits.gather(2, index)[..., 0], self._heat[:, None]).double()
