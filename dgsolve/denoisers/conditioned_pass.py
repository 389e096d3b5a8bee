"""A pass of a DiffusionGemma's decoder that is told what the step before believed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor


@contextmanager
def conditioned(module: Any, signal: Tensor) -> Iterator[None]:
    """Meanwhile the self-conditioning gets `signal`, Float [B, S, D], for the zeros of a pass without logits."""
    hook = module.register_forward_pre_hook(lambda _, arguments: (arguments[0], signal))
    try:
        yield
    finally:
        hook.remove()
