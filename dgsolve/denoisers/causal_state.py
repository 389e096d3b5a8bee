"""What a causal denoiser carries from pass to pass."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from dgsolve.denoisers.base import RowState
from dgsolve.denoisers.causal_cache import KeyValues
from dgsolve.denoisers.causal_window import Pace


@dataclass(frozen=True)
class PromptText:
    """A prompt as the model reads it, and the bytes in it that an answer may repeat."""

    ids: tuple[int, ...]
    source: bytes


@dataclass(frozen=True)
class CausalState(RowState):
    """prompts: one a row. settled Int [B]: slots that will not change any more. fed Int [B, L]: the tokens that the
    cache was computed on, after the prompt. width: slots of the last window.

    What was computed holds wherever prompt and tokens are the same, so rows that join or begin again with a prompt that
    is already here go on with its keys and values.
    """

    prompts: tuple[PromptText, ...]
    cache: KeyValues
    fed: Tensor
    settled: Tensor
    pace: Pace
    width: int = 0

    @classmethod
    def start(cls, prompt: PromptText, canvas_tokens: Tensor, device: torch.device) -> CausalState:
        """Before the first pass over canvases with `canvas_tokens`, Int [B, L], that answer one prompt."""
        rows = len(canvas_tokens)
        settled = torch.zeros(rows, dtype=torch.long)
        return cls((prompt,) * rows, KeyValues.empty(rows, device), canvas_tokens, settled, Pace.start(rows))

    @property
    def lengths(self) -> Tensor:
        """Int [B]: tokens of each prompt."""
        return torch.tensor([len(prompt.ids) for prompt in self.prompts])

    def rows(self, index: Tensor) -> CausalState:
        return CausalState(
            tuple(self.prompts[row] for row in index.tolist()),
            self.cache.rows(index),
            self.fed[index],
            self.settled[index],
            self.pace.rows(index),
            self.width,
        )

    def append(self, other: CausalState) -> CausalState:
        both = CausalState(
            self.prompts + other.prompts,
            self.cache.append(other.cache),
            torch.cat([self.fed, other.fed]),
            torch.cat([self.settled, other.settled]),
            self.pace.append(other.pace),
            self.width,
        )
        return both._sharing()

    def put(self, index: Tensor, other: CausalState) -> CausalState:
        joined = self.append(other)
        order = torch.arange(len(self.prompts)).index_copy(0, index, torch.arange(len(index)) + len(self.prompts))
        return joined.rows(order)

    def _sharing(self) -> CausalState:
        """Rows that know nothing yet take what the first row of the same prompt knows."""
        known = self.cache.lengths.tolist()
        first: dict[PromptText, int] = {}
        for row, prompt in enumerate(self.prompts):
            if known[row]:
                first.setdefault(prompt, row)
        donors = [row if known[row] else first.get(prompt, row) for row, prompt in enumerate(self.prompts)]
        if donors == list(range(len(donors))):
            return self
        index = torch.tensor(donors)
        return replace(self, cache=self.cache.rows(index), fed=self.fed[index])
