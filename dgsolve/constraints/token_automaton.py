"""Canvases whose tokens, end of text and padding included, an automaton must accept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import SequentialConstraint
from dgsolve.constraints.bounded_logits import at_temperature
from dgsolve.constraints.canvas_sums import CanvasSums, Layouts
from dgsolve.constraints.gpu_lattice import GpuTables, small_enough
from dgsolve.constraints.gpu_posterior import GpuPosterior
from dgsolve.constraints.indexed_table import FREE, IndexedTable
from dgsolve.constraints.left_to_right import Greedy, greedy
from dgsolve.constraints.lookahead import Lookahead
from dgsolve.constraints.token_lattice import Step, StepCache
from dgsolve.constraints.token_posterior import CanvasPosterior, TokenPosterior
from dgsolve.errors import BudgetError, UsageError
from dgsolve.kernels import optional_triton

if TYPE_CHECKING:
    from dgsolve.language.token_table import TokenTable


CONTRADICTED = -2  # what a slot must hold that was locked on different tokens; -1 is any


class Shared:
    """What all canvases under one table share: the table, and the lattices and layouts that were needed so far.

    budget: slots in which a text must be whole, the token that ends it included; slots beyond it hold padding.
    thought: slots in which a thought before the text must be closed.
    """

    def __init__(self, table: IndexedTable, budget: int, thought: int) -> None:
        self.table, self.steps, self.layouts = table, StepCache(table), Layouts(table)
        self.budget, self.thought = budget, thought
        self.key = (id(table.source), budget, thought)
        self.tables = lru_cache(maxsize=None)(partial(GpuTables, table))  # by device


@dataclass(frozen=True, eq=False)
class TokenAutomaton(SequentialConstraint):
    """B canvases of L slots, each in its own automaton state; start with `TokenAutomaton.begin`.

    state Int [B]: before slot `first`. first Int [B]: slots before it are settled and play no part any more. pinned
    Bool [B, L]: slots that must hold their token of `tokens`, Int [B, L]; CONTRADICTED where locks contradict.
    A canvas fits when the automaton, led by the tokens from `first` on, is in the state `end` after the last slot.
    """

    shared: Shared
    state: Tensor
    first: Tensor
    tokens: Tensor
    pinned: Tensor

    @classmethod
    def begin(
        cls,
        table: TokenTable,
        length: int,
        rows: int = 1,
        pieces: Sequence[bytes | None] | None = None,
        *,
        budget: int | None = None,
        thought: int | None = None,
    ) -> TokenAutomaton:
        """`rows` empty canvases of `length` slots. pieces: every token's bytes, for `Lookahead.forced` alone.

        budget: slots in which the text must be whole; thought: slots in which its thought must be closed. Both are
        `length` where nothing is said.
        """
        zeros = torch.zeros(rows, length, dtype=torch.long)
        state = torch.full((rows,), int(table.start))
        limits = (length if limit is None else limit for limit in (budget, thought))
        shared = Shared(IndexedTable(table, pieces), *limits)
        return cls(shared, state, torch.zeros(rows, dtype=torch.long), zeros, zeros.bool())

    @property
    def length(self) -> int:
        """Slots of a canvas, L."""
        return self.tokens.shape[1]

    def posterior(self, logits: Tensor, temperature: Tensor | None = None) -> TokenPosterior | GpuPosterior:
        """Condition logits, Float [B, W, V], about slots first .. first + W - 1 of each canvas; all else is free."""
        window, rows = self._window(logits), range(len(logits))
        steps, pinned = [self._lattice(row, window) for row in rows], [self._pinned(row)[:window] for row in rows]
        if optional_triton.on_triton(logits) and small_enough(steps):
            tables = self.shared.tables(logits.device)
            return GpuPosterior(tables, steps, np.stack(pinned), logits, temperature)
        parts = zip(steps, pinned, at_temperature(logits, temperature), strict=True)
        sums = [CanvasSums(self.shared.layouts, *canvas) for canvas in parts]
        return TokenPosterior([CanvasPosterior(canvas) for canvas in sums], logits.device)

    def left_to_right(self, logits: Tensor, noise: Tensor | None = None) -> Greedy:
        window, walks = self._window(logits), []
        for row, state in enumerate(self.state.tolist()):
            pinned, noisy = self._pinned(row)[:window], None if noise is None else noise[row]
            walks.append(greedy(self.shared.table, state, self._completable[row], pinned, logits[row], noisy))
        return Greedy(logits, walks)

    def settle(self, tokens: Tensor, settled: Tensor) -> TokenAutomaton:
        """With `first` moved on to `settled`, Int [B], over `tokens`, Int [B, L]."""
        states = []
        for row, (low, high) in enumerate(zip(self.first.tolist(), settled.tolist(), strict=True)):
            if not low <= high <= self.length:
                raise UsageError(f"canvas {row}: settled must be between {low} and {self.length}, not {high}")
            place, written = self.lookahead(row), tokens[row, low:high].tolist()
            if (fitting := place.fitting(written)) < len(written):
                raise UsageError(
                    f"canvas {row}: token {written[fitting]} does not fit in slot {low + fitting}",
                    hint="Settle only what the posterior, or left_to_right, proposed.",
                )
            states.append(place.state)
        return replace(self, state=torch.tensor(states), first=settled.to(self.first))

    def complete(self) -> Tensor:
        """Bool [B]: whether the settled slots hold a whole text, its end included."""
        return self.state == int(self.shared.table.source.end)

    def lock(self, tokens: Tensor, slots: Tensor) -> TokenAutomaton:
        tokens = tokens.to(self.tokens)
        slots = slots.to(self.pinned.device)
        merged = torch.where(slots & self.pinned & (tokens != self.tokens), CONTRADICTED, tokens)
        return replace(self, tokens=torch.where(slots, merged, self.tokens), pinned=self.pinned | slots)

    def lookahead(self, row: int) -> Lookahead:
        """From the first slot of a canvas that is not settled."""
        return Lookahead(self.shared.table, int(self.state[row]), self._pinned(row).tolist())

    def rows(self, index: Tensor) -> TokenAutomaton:
        parts = (self.state[index], self.first[index], self.tokens[index], self.pinned[index])
        return TokenAutomaton(self.shared, *parts)

    def put(self, index: Tensor, other: TokenAutomaton) -> TokenAutomaton:
        pairs = zip(self._tensors(), other._tensors(), strict=True)
        return TokenAutomaton(self.shared, *(mine.index_copy(0, index, new) for mine, new in pairs))

    def domain(self) -> Tensor:
        """Bool [B, L, V]: what each slot can still hold; a settled slot anything. Large, so only on demand."""
        table, found = self.shared.table, torch.ones(*self.tokens.shape, len(self.shared.table.token_class)).bool()
        for row, (first, fits) in enumerate(zip(self.first.tolist(), self.satisfiable().tolist(), strict=True)):
            found[row, first:] = False
            if fits:
                pinned = self._pinned(row)
                steps = self._lattice(row, len(pinned), exact=True)
                for slot, step in enumerate(steps):
                    held = np.isin(table.token_class, step.classes)
                    if pinned[slot] >= 0:
                        held &= np.arange(len(held)) == pinned[slot]
                    found[row, first + slot] = torch.from_numpy(held)
        return found

    def satisfiable(self) -> Tensor:
        """Bool [B]: whether the text can be completed within the slots that are left, around the pinned ones."""
        both = zip(self._completable, self.state.tolist(), strict=True)
        return torch.tensor([bool(masks[0][state]) for masks, state in both])

    @classmethod
    def stack(cls, constraints: Sequence[TokenAutomaton]) -> TokenAutomaton:
        shared = constraints[0].shared
        if any(constraint.shared.key != shared.key for constraint in constraints):
            raise UsageError("canvases under different token tables or budgets cannot share a batch")
        columns = zip(*(constraint._tensors() for constraint in constraints), strict=True)
        return cls(shared, *(torch.cat(column) for column in columns))

    def _tensors(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.state, self.first, self.tokens, self.pinned

    def _window(self, logits: Tensor) -> int:
        """The slots that logits are about; they must lie within every canvas, and every canvas be completable."""
        rows, window, size = logits.shape
        left = self.length - int(self.first.max())
        if rows != len(self.state) or size != len(self.shared.table.token_class) or window > left:
            raise UsageError(
                f"logits must be [{len(self.state)}, at most {left}, {len(self.shared.table.token_class)}] for these "
                f"canvases, not {list(logits.shape)}"
            )
        for row in (~self.satisfiable()).nonzero().flatten().tolist():
            needed, left = int(self.shared.table.distance[self.state[row]]), self.shared.budget - int(self.first[row])
            if needed > left:
                raise BudgetError(needed, left)
            raise UsageError(f"canvas {row}: no text fits around its locked slots", hint="Ask `satisfiable` first.")
        return window

    def _pinned(self, row: int) -> np.ndarray:
        """Int [L - first]: the token of each slot that is left, -1 for any."""
        first = int(self.first[row])
        tokens, pinned = self.tokens[row, first:].cpu().numpy(), self.pinned[row, first:].cpu().numpy()
        return np.where(pinned, tokens, -1)

    @cached_property
    def _pinned_classes(self) -> np.ndarray:
        """Int64 [B, L]: the class that each slot must have, FREE for any."""
        table, tokens = self.shared.table, self.tokens.cpu().numpy()
        known = (tokens >= 0) & (tokens < len(table.token_class))
        classes = np.where(known, table.token_class[np.where(known, tokens, 0)], -1)
        return np.where(self.pinned.cpu().numpy(), classes, FREE).astype(np.int64)

    @cached_property
    def _completable(self) -> list[Sequence[np.ndarray]]:
        """Of each canvas, Bool [Q] before each slot that is left and after the last: whence the rest can be filled.

        What can be filled from a slot on does not depend on what is settled before it: one look at the whole canvas
        serves all its steps.
        """
        shared, both = self.shared, zip(self._pinned_classes, self.first.tolist(), strict=True)
        return [shared.table.completable(pins.tobytes(), shared.budget, shared.thought)[first:] for pins, first in both]

    def _lattice(self, row: int, window: int, *, exact: bool = False) -> list[Step]:
        pins, state = self._pinned_classes[row, int(self.first[row]) :], int(self.state[row])
        return self.shared.steps.lattice(state, pins, window, self._completable[row], exact=exact)
