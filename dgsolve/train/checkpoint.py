"""How the checkpoint of a training run is written and read: its own weights, and what every run holds beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Protocol

import torch

from dgsolve.errors import ModelUnavailableError


class Resumable(Protocol):
    """A run that can go on where it was; `settings` is a dataclass."""

    step: int
    elapsed: float
    log: list[dict[str, float]]

    @property
    def settings(self) -> Any: ...
    @property
    def optimizers(self) -> Sequence[torch.optim.Optimizer]: ...


def write(path: Path, run: Resumable, **weights: Any) -> None:
    """Write a checkpoint with `weights`, state dicts by name; an interrupted write leaves the old one whole."""
    temporary = path.with_suffix(".tmp")
    torch.save(
        {
            "settings": asdict(run.settings),
            **weights,
            "optimizers": [optimizer.state_dict() for optimizer in run.optimizers],
            "step": run.step,
            "elapsed": run.elapsed,
            "log": run.log,
        },
        temporary,
    )
    temporary.replace(path)


@contextmanager
def reading(path: Path, of: str) -> Iterator[dict[str, Any]]:
    """What a checkpoint holds; ModelUnavailableError where it is none, or what is made of it meanwhile does not fit."""
    try:
        yield torch.load(path, weights_only=True)
    except (OSError, RuntimeError, UnpicklingError, EOFError, KeyError, TypeError, ValueError) as error:
        message = f"{path} is no checkpoint of {of}: {error}"
        raise ModelUnavailableError(message, hint="Give another folder, or remove the file.") from error


def resume(run: Resumable, saved: dict[str, Any]) -> None:
    """Put a fresh run, which has its weights, where the saved one was."""
    for optimizer, kept in zip(run.optimizers, saved["optimizers"], strict=True):
        optimizer.load_state_dict(kept)
    run.step, run.elapsed, run.log = saved["step"], saved["elapsed"], saved["log"]
