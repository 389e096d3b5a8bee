"""What a DiffusionGemma denoiser carries from step to step."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from dgsolve.denoisers.base import RowState
from dgsolve.denoisers.encoded_prefix import EncodedPrefix
from dgsolve.denoisers.shown_prompt import ShownPrompt
from dgsolve.denoisers.written_canvas import WrittenCanvas


@dataclass(frozen=True)
class DiffusionState(RowState):
    """prompts: one a row. settled Int [B]: slots that will not change any more. committed Int [B]: those of them that
    the encoder has read, after the prompt, into `prefix`. signal Float [B, S, D]: soft embeddings of what
    the step before believed, zeros before the first step of a block. written: how slots are written into a canvas of
    the model's, the same for all rows.
    """

    prompts: tuple[ShownPrompt, ...]
    prefix: EncodedPrefix
    settled: Tensor
    committed: Tensor
    signal: Tensor
    written: WrittenCanvas

    @classmethod
    def start(cls, prompt: ShownPrompt, rows: int, written: WrittenCanvas, signal: Tensor,
              windows: tuple[int | None, ...]) -> DiffusionState:  # fmt: skip
        """`rows` canvases that answer one prompt, which is not read yet; signal Float [S, D], zeros."""
        zeros = torch.zeros(rows, dtype=torch.long)
        signal = signal.expand(rows, *signal.shape)
        return cls((prompt,) * rows, EncodedPrefix.empty(rows, windows), zeros, zeros, signal, written)

    def rows(self, index: Tensor) -> DiffusionState:
        prompts = tuple(self.prompts[row] for row in index.tolist())
        return replace(super().rows(index), prompts=prompts, prefix=self.prefix.rows(index))

    def append(self, other: DiffusionState) -> DiffusionState:
        prompts, prefix = self.prompts + other.prompts, self.prefix.append(other.prefix)
        return replace(super().append(other), prompts=prompts, prefix=prefix)

    def put(self, index: Tensor, other: DiffusionState) -> DiffusionState:
        rows = len(self.prompts)
        order = torch.arange(rows).index_copy(0, index, torch.arange(len(index)) + rows)
        return self.append(other).rows(order)

    def unread(self) -> list[tuple[ShownPrompt, list[int]]]:
        """Each prompt that rows have not read yet, and these rows."""
        found: dict[ShownPrompt, list[int]] = {}
        for row, (prompt, length) in enumerate(zip(self.prompts, self.prefix.lengths.tolist(), strict=True)):
            if not length:
                found.setdefault(prompt, []).append(row)
        return list(found.items())

    def reader(self, prompt: ShownPrompt) -> int | None:
        """A row that has read this prompt and nothing else."""
        lengths = self.prefix.lengths.tolist()
        known = (row for row, mine in enumerate(self.prompts) if mine == prompt and lengths[row] == len(prompt))
        return next(known, None)
