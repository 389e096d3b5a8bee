"""Random numbers that depend on the canvas's own seed and on nothing else in the batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

# SplitMix64's constants as signed 64-bit numbers
_GOLDEN = 0x9E3779B97F4A7C15 - 2**64
_MIX_1 = 0xBF58476D1CE4E5B9 - 2**64
_MIX_2 = 0x94D049BB133111EB - 2**64


@dataclass(frozen=True)
class Stream:
    """Counter-based random numbers, one seed per canvas: seeds Int64 [B].

    `fork` gives the independent stream of a step or a purpose; equal forks give equal numbers, in any batch.
    Source: SplitMix64 (Steele, Lea, Flood 2014) used as a hash of (seed, counter).
    """

    seeds: Tensor

    def fork(self, *labels: int) -> Stream:
        """The stream of a step or purpose named by small numbers."""
        stream = self
        for label in labels:
            stream = stream.fork_rows(torch.full_like(self.seeds, label))
        return stream

    def fork_rows(self, labels: Tensor) -> Stream:
        """The streams named by one number per canvas, Int [B]."""
        return Stream(_mix(self.seeds + (labels + 1) * _GOLDEN))

    def rows(self, index: Tensor) -> Stream:
        """The streams of the canvases at `index`, Int [b]."""
        return Stream(self.seeds[index])

    def bits(self, shape: Sequence[int]) -> Tensor:
        """53 random bits each, Int64 [B, *shape]."""
        counter = torch.arange(1, math.prod(shape) + 1, device=self.seeds.device) * _GOLDEN
        mixed = _mix(self.seeds[:, None] + counter)
        return ((mixed >> 11) & ((1 << 53) - 1)).view(-1, *shape)

    def uniform(self, shape: Sequence[int]) -> Tensor:
        """Float32 [B, *shape], strictly between 0 and 1."""
        return ((self.bits(shape) >> 30).float() + 0.5) * 2.0**-23

    def fine_uniform(self, shape: Sequence[int]) -> Tensor:
        """Float64 [B, *shape], strictly between 0 and 1, of all 53 bits."""
        return (self.bits(shape).double() + 0.5) * 2.0**-53

    def integers(self, high: int, shape: Sequence[int]) -> Tensor:
        """Int64 [B, *shape] in 0 .. high - 1."""
        return self.bits(shape) % high


def _mix(x: Tensor) -> Tensor:
    x = (x ^ _shift(x, 30)) * _MIX_1
    x = (x ^ _shift(x, 27)) * _MIX_2
    return x ^ _shift(x, 31)


def _shift(x: Tensor, bits: int) -> Tensor:
    """Logical right shift of a signed 64-bit tensor."""
    return (x >> bits) & ((1 << (64 - bits)) - 1)
