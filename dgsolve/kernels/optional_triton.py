"""Triton where it is of use, so that a file with a kernel can be imported everywhere.

That is on Linux where there is a GPU, or where TRITON_INTERPRET is set: Triton's own variable, by which its interpreter
runs kernels on a CPU. Elsewhere it is not imported, which alone takes a third of a second.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor


def _imported() -> tuple[Callable[..., Any], Any]:
    """Triton's decorator of kernels, and its language; where they are of no use, what changes nothing, and None."""
    if torch.cuda.is_available() or "TRITON_INTERPRET" in os.environ:
        try:
            from triton import jit, language
        except ModuleNotFoundError as missing:
            if missing.name != "triton":
                raise
        else:
            return jit, language
    return lambda function: function, None


jit, tl = _imported()


def on_triton(tensor: Tensor) -> bool:
    """Whether a kernel takes the tensor: it lies on a GPU, and Triton is installed. Where only that is missing, say so.

    What has kernels asks here each time, so that a test can answer for a tensor on a CPU.
    """
    if tensor.is_cuda and tl is None:
        _say_what_is_missing()
    return tensor.is_cuda and tl is not None


@cache
def _say_what_is_missing() -> None:
    warnings.warn(
        "Triton is not installed, so the denoising steps on this GPU take slower ways: pip install triton", stacklevel=3
    )


__all__ = ["jit", "on_triton", "tl"]
