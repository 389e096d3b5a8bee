"""The exact posterior of canvases whose tokens an automaton must accept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.base import LOGIT_FLOOR, Posterior, Window
from dgsolve.constraints.canvas_sums import CanvasSums, Layouts
from dgsolve.constraints.other_texts import log_weight
from dgsolve.constraints.token_chain import TokenChain, best_messages
from dgsolve.randomness import Stream

if TYPE_CHECKING:
    from dgsolve.language.token_table import TokenTable


class CanvasPosterior:
    """The posterior of one canvas, over the slots of its window: W slots."""

    def __init__(self, sums: CanvasSums) -> None:
        self.sums, self.steps = sums, sums.steps
        self.chain = TokenChain(sums.steps, sums.bundle_sums)

    @cached_property
    def log_z(self) -> float:
        """Log-probability that the denoiser's own independent draws fit."""
        return self.chain.log_total - self.sums.log_normaliser

    @cached_property
    def class_probability(self) -> list[np.ndarray]:
        """Per slot, Float64 [k]: the probability of each of the step's classes; exactly 1 where there is but one."""
        found = [self.sums.of_classes(slot, bundles) for slot, bundles in enumerate(self.chain.bundle_probability)]
        return [share / share.sum() for share in found]

    @cached_property
    def entropy(self) -> np.ndarray:
        """Float [W]: with M(c) the probability of class c and h(c) the entropy within it, sum of M (h - log M)."""
        found = np.zeros(len(self.steps))
        for slot, share in enumerate(self.class_probability):
            surprise = np.log(share, out=np.zeros_like(share), where=share > 0)
            found[slot] = (share * (self.sums.entropy[slot] - surprise)).sum()
        return np.maximum(found, 0.0)

    def sample(self, uniform: np.ndarray) -> list[int]:
        """A joint draw, Int [W], by two numbers in 0 .. 1 per slot, Float64 [W, 2]: which class, and which token."""

        def choose(slot: int, edges: slice) -> int:
            step = self.steps[slot]
            after = self.chain.messages[slot + 1].logs(step.target[edges])
            weights = self.sums.bundle_sums[slot][step.label[edges]] + after
            ends = np.cumsum(np.exp(weights - weights.max()))
            return min(int(np.searchsorted(ends, uniform[slot, 0] * ends[-1], side="right")), len(ends) - 1)

        return self.sums.draws(self._walk(choose), uniform[:, 1])

    def mode(self) -> list[int]:
        """The most probable tokens, Int [W]: those of the way of largest weight."""
        best = self.sums.bundle_best
        messages = best_messages(self.steps, best)

        def choose(slot: int, edges: slice) -> int:
            step = self.steps[slot]
            return int((best[slot][step.label[edges]] + messages[slot + 1][step.target[edges]]).argmax())

        return self.sums.best_tokens(self._walk(choose))

    def probability(self, tokens: np.ndarray) -> list[float]:
        """The marginal probability of each of the tokens, Int [W]."""
        logits = self.sums.logits_of(tokens)
        labels = [self.sums.label(slot, token) for slot, token in enumerate(tokens.tolist())]
        found = [0.0] * len(tokens)
        for slot, (label, share) in enumerate(zip(labels, self.class_probability, strict=True)):
            if label is not None:
                within = min(logits[slot] - self.sums.log_sums[slot][label], 0.0)  # the sum is rounded, maybe down
                found[slot] = float(np.exp(within) * share[label])
        return found

    def log_probability(self, tokens: np.ndarray) -> float:
        """Of the tokens, Int [W]; the floor where they do not fit."""
        state: int | None = int(self.steps[0].states[0]) if self.steps else None
        for slot, (step, token) in enumerate(zip(self.steps, tokens.tolist(), strict=True)):
            fits = state is not None and self.sums.label(slot, token) is not None
            state = self.sums.table.step(state, token) if fits and state is not None else None
            if state is None or state not in step.after:
                return LOGIT_FLOOR
        return min(float(self.sums.logits_of(tokens).sum()) - self.chain.log_total, 0.0)

    def held(self, slot: int) -> bool:
        return bool(self.sums.pinned[slot] >= 0)

    def together(self, first: int, tokens: Sequence[int]) -> float:
        """The joint probability that the slots from `first` on hold `tokens`, Z(locked so) / Z.

        With a(q), b(q) the messages, the sum over the states q before them of a(q) prod_k w_k(x_k) b(q') / b(q), where
        the tokens lead from q to q'.
        """
        if not tokens or any(self.sums.label(first + k, token) is None for k, token in enumerate(tokens)):
            return 0.0 if tokens else 1.0
        held = np.maximum(self.sums.pinned, 0)
        held[first : first + len(tokens)] = tokens
        weight = float(self.sums.logits_of(held)[first : first + len(tokens)].sum())
        total, before = 0.0, self.chain.messages[first].logs()
        behind = self.chain.messages[first + len(tokens)].logs()
        for place, share in enumerate(self.chain.state_probability[first].tolist()):
            after = self._reached(int(self.steps[first].states[place]), first, tokens)
            if share > 0 and after is not None:
                total += share * float(np.exp(min(weight + behind[after] - before[place], 0.0)))
        return min(total, 1.0)

    def _reached(self, state: int, first: int, tokens: Sequence[int]) -> int | None:
        """The place of the state after tokens among those behind the last of their slots."""
        place: int | None = None
        for slot, token in enumerate(tokens, first):
            to, after = self.sums.table.step(state, token), self.steps[slot].after
            place = None if to is None else int(np.searchsorted(after, to))
            if to is None or place == len(after) or after[place] != to:
                return None
            state = to
        return place

    def log_weight(self, table: TokenTable, first: int = 0, budget: int | None = None) -> float:
        """log Z of other texts under the same logits and pins, which begin in slot `first`; -inf where none fits.

        budget: slots of the canvas in which the text must be whole; all of them where None.
        """
        return log_weight(self.window(range(0)), table, first, budget)

    def window(self, part: range) -> Window:
        return Window(0, self.sums.logits, self.sums.pinned)

    def marginals(self) -> Tensor:
        """Float [W, V]: the probability of every token in every slot."""
        return self.sums.spread(self.class_probability)

    def _walk(self, choose: Callable[[int, slice], int]) -> list[int]:
        """The bundle of each slot, following the arc that `choose` names among a state's own."""
        place, bundles = 0, []
        for slot, step in enumerate(self.steps):
            low, high = int(step.starts[place]), int(step.starts[place + 1])
            edge = low + choose(slot, slice(low, high))
            bundles.append(int(step.label[edge]))
            place = int(step.target[edge])
        return bundles


class TokenPosterior(Posterior):
    """B canvases, each with its own posterior; every attribute is computed when it is first asked for."""

    def __init__(self, canvases: Sequence[CanvasPosterior], device: torch.device) -> None:
        self._canvases, self._device = canvases, device

    @cached_property
    def log_z(self) -> Tensor:  # type: ignore[override]
        return self._floats([canvas.log_z for canvas in self._canvases])

    @cached_property
    def entropy(self) -> Tensor:  # type: ignore[override]
        return self._floats(np.stack([canvas.entropy for canvas in self._canvases]))

    @cached_property
    def marginals(self) -> Tensor:  # type: ignore[override]
        return torch.stack([canvas.marginals() for canvas in self._canvases])

    def sample(self, stream: Stream) -> Tensor:
        width = len(self._canvases[0].steps)
        uniform = (stream.bits((width, 2)).double().cpu().numpy() + 0.5) * 2.0**-53
        return self._tokens([canvas.sample(row) for canvas, row in zip(self._canvases, uniform, strict=True)])

    def mode(self) -> Tensor:
        return self._tokens([canvas.mode() for canvas in self._canvases])

    def probability(self, tokens: Tensor) -> Tensor:
        rows = zip(self._canvases, tokens.cpu().numpy(), strict=True)
        return self._floats([canvas.probability(row) for canvas, row in rows])

    def log_probability(self, tokens: Tensor) -> Tensor:
        rows = zip(self._canvases, tokens.cpu().numpy(), strict=True)
        return self._floats([canvas.log_probability(row) for canvas, row in rows])

    def row(self, row: int) -> CanvasPosterior:
        canvas = self._canvases[row]
        if len(self._canvases) == 1:
            return canvas
        sums = canvas.sums  # what is kept must not keep the logits of the other canvases
        return CanvasPosterior(CanvasSums(Layouts(sums.table), sums.steps, sums.pinned, sums.logits.clone()))

    def _floats(self, values: object) -> Tensor:
        return torch.as_tensor(values, dtype=torch.float32, device=self._device)

    def _tokens(self, values: list[list[int]]) -> Tensor:
        return torch.tensor(values, dtype=torch.long, device=self._device)
