"""How many slots a causal denoiser looks at in one pass: as many as pay for themselves.

Milliseconds of a pass of SmolLM2-135M over w slots after 200 tokens, one thread of a busy two-core x86 machine, medians
of 44: w = 1: 77, 2: 86, 4: 122, 8: 168, 12: 200, 16: 144, 24: 161, 32: 196, 48: 236, 64: 286. So from 16 slots on it is
97 + 2.95 w, which makes the overhead 33 slots, and 5 to 15 slots cost more than 16.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from dgsolve.denoisers.base import RowState

NARROW, CHEAP = 4, 16  # between them no window is worth its cost
WIDTHS = (CHEAP, 24, 32, 48, 64)
OVERHEAD_CPU = 33.0  # what a pass costs before its first slot, in slots
OVERHEAD_DEVICE = 512.0  # an accelerator reads all weights for one slot as for hundreds
MEMORY = 0.8  # of what was seen at a pass, how much counts at the next
FIRST_HITS, FIRST_TRIALS = 3.0, 4.0  # what is believed before the first pass


@dataclass(frozen=True)
class Pace(RowState):
    """How often the slots of each row's last windows held what they were fed: hits of trials, Float [B] each."""

    hits: Tensor
    trials: Tensor

    @classmethod
    def start(cls, rows: int) -> Pace:
        return cls(torch.full((rows,), FIRST_HITS), torch.full((rows,), FIRST_TRIALS))

    def after(self, gained: Tensor, width: int) -> Pace:
        """After a pass over `width` slots that settled `gained`, Int [B], of them: the last one by itself."""
        hits = (gained - 1).clamp(min=0)
        return replace(
            self,
            hits=MEMORY * self.hits + hits,
            trials=MEMORY * self.trials + hits + (gained < width),
        )

    def width(self, overhead: float, known: int) -> int:
        """The window that settles most slots for its cost, in the mean over the rows; `known` slots have a guess.

        With p the share of hits, a window of w slots settles 1 + p + ... + p^(w-1) of them in the mean, and costs
        overhead + w. It need not go beyond the first slot without a guess, which settles by itself.
        """
        rate = float((self.hits / self.trials).mean().clamp(max=0.999))
        best = max(WIDTHS, key=lambda width: (1 - rate**width) / (overhead + width))
        return known + 1 if known < NARROW else max(CHEAP, min(best, known + 1))
