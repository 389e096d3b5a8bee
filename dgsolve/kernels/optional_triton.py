"""Triton where it is installed (on Linux), so that a file with a kernel can be imported everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from triton import jit
    from triton import language as tl
except ModuleNotFoundError as missing:
    if missing.name != "triton":
        raise
    tl = None

    def jit(function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is: without Triton it is never launched."""
        return function


__all__ = ["jit", "tl"]
