"""Which device and which numbers a model's weights get, from what a person wrote."""

from __future__ import annotations

from typing import Any

import torch

from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.shortened import shown

KINDS = ("cpu", "cuda", "mps")
_WRITE = 'Write "auto", "cpu", "cuda", "cuda:1" (the second of several) or "mps".'


def device(name: str | torch.device) -> str:
    """The device that `name` means; "auto" is an accelerator where there is one.

    Raises UsageError for what is no device, ModelUnavailableError for one that is not here.
    """
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        wanted = torch.device(name) if isinstance(name, str | torch.device) else None
    except RuntimeError:
        wanted = None
    if wanted is None or wanted.type not in KINDS:
        raise UsageError(f"device={shown(name)}: there is no such device", hint=_WRITE)
    number = wanted.index or 0
    many = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}[wanted.type]
    if number >= many:
        has = "no such device" if not many else f"{wanted.type}:0 alone" if many == 1 else f"{many} of them, from 0"
        message = f"device={shown(name)}: torch {torch.__version__} sees {has} here"
        raise ModelUnavailableError(message, hint="dgsolve env lists the devices; device='cpu' is always there.")
    return str(name)


def dtype(wanted: torch.dtype | str | None) -> torch.dtype | None:
    """Floating-point numbers by their torch.dtype or its name ("bfloat16"); None: left to the device.

    Raises UsageError for anything else.
    """
    found: Any = getattr(torch, wanted, None) if isinstance(wanted, str) else wanted
    if found is not None and isinstance(found, torch.dtype) and found.is_floating_point and found.itemsize > 1:
        return found
    if wanted is None:
        return None
    raise UsageError(
        f"dtype={shown(wanted)}: a model's weights cannot be such numbers",
        hint='Write "bfloat16", "float16" or "float32", or leave it out.',
    )
