"""The law of a text over several blocks, each with the posterior of its own last step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from dgsolve.constraints.base import CanvasLaw, Window


class BlockLaws:
    """The blocks of one canvas as far as they are written, all of equally many slots.

    Each posterior is given the blocks before it, as they were written: the denoiser said nothing of any others.
    """

    def __init__(self, blocks: Sequence[CanvasLaw]) -> None:
        self._blocks, self._windows = tuple(blocks), [block.window(range(0)) for block in blocks]
        self._slots = len(self._windows[0].logits)

    def held(self, slot: int) -> bool:
        return self._blocks[slot // self._slots].held(slot % self._slots)

    def together(self, first: int, tokens: Sequence[int]) -> float:
        """P(x_i .. x_j): the product over the blocks that these slots lie in, each given those before it."""
        found, left = 1.0, list(tokens)
        while left:
            at = first % self._slots
            here, left = left[: self._slots - at], left[self._slots - at :]
            found *= self._blocks[first // self._slots].together(at, here)
            first += len(here)
        return found

    def window(self, part: range) -> Window:
        """The blocks that the slots `part` lie in; the proposals of each are those of its last step."""
        low, high = part.start // self._slots, max(part.start, part.stop - 1) // self._slots + 1
        logits = [window.logits for window in self._windows[low:high]]
        pinned = np.concatenate([window.pinned for window in self._windows[low:]])
        return Window(low * self._slots, torch.cat(logits) if len(logits) > 1 else logits[0], pinned)
