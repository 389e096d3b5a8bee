"""Everything that the figures depend on, so that a table can be trusted and a run continued."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dgsolve import __version__
from dgsolve.bench.plan import Plan
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import PuzzleError
from dgsolve.weights import ADAPTER_FILE, lora_folder, sha256

PACKAGES = ("torch", "numpy", "ortools")


def settings_of(plan: Plan, denoiser: Denoiser) -> dict[str, Any]:
    """Plain values: the plan, the whole sampling, the denoiser and its weights, files, threads, versions, machine."""
    import torch

    return {
        "plan": plan.to_json(),
        "sampling": asdict(plan.sampling(denoiser.sampling)),
        "denoiser": denoiser.name,
        "weights": {name: sha256(file) for name, file in denoiser.weight_files.items()},
        **({"adapters": _adapters(plan)} if plan.adapter else {}),
        "threads": torch.get_num_threads(),
        "files": {file: _file_sha256(file) for file in plan.files},
        "versions": {"dgsolve": __version__, "python": platform.python_version()} | {p: version(p) for p in PACKAGES},
        "machine": {"platform": platform.platform(), "processor": processor(), "cores": os.cpu_count()},
    }


def processor() -> str:
    """The processor's name as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _adapters(plan: Plan) -> dict[str, str]:
    """The sha256 of the weights of each adapter, by what it was called."""
    return {name: sha256(lora_folder(name) / ADAPTER_FILE) for name in plan.adapter}


def _file_sha256(file: str) -> str:
    try:
        return sha256(Path(file))
    except OSError as error:
        raise PuzzleError(f"the file cannot be read: {error.strerror}", file=file, hint="Check the path.") from error
