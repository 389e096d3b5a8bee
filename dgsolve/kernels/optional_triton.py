"""Triton where it is installed (on Linux), so that a file with a kernel can be imported everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import triton.language as tl
    from triton import jit
except ModuleNotFoundError as missing:
    if missing.name != "triton":
        raise
    tl = None

    def jit(function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is: without Triton it is never launched."""
        return function


__all__ = ["jit", "tl"]
