"""`dgsolve env`: what is installed, which device, which weights, and what to do about what is missing."""

from __future__ import annotations

import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from typing import Any

import typer

from dgsolve import __version__
from dgsolve.cache_folder import cache_folder
from dgsolve.cli import options
from dgsolve.cli.exits import Exit
from dgsolve.errors import ModelUnavailableError
from dgsolve.models import CATALOGUE, find
from dgsolve.plural import counted
from dgsolve.registry import DENOISERS, PROBLEMS, names
from dgsolve.weights import WEIGHTS_FILE, adapter_path, sha256

REQUIRED = (
    *("torch", "transformers", "numpy", "numba", "ortools", "pydantic", "jsonschema-rs", "safetensors"),
    *("rich", "typer"),
)
OPTIONAL = {"peft": "LoRA adapters need it: pip install peft"}
ADAPTERS = {  # whether `dgsolve sudoku` and `dgsolve grid` need it
    "relational": True,
    "relational-factors": True,
    "diffusion-gemma": False,
}


def env(
    as_json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    """Say what is installed, and what to do about what is missing.

    Devices, weights and models too.
    Exit code 4 when something that `dgsolve sudoku` needs is missing.
    """
    report = survey()
    print(json.dumps(report) if as_json else _text(report))
    raise typer.Exit(Exit.UNAVAILABLE if any(item["needed"] for item in report["missing"]) else Exit.SOLVED)


def survey() -> dict[str, Any]:
    """Everything the command shows, as plain values."""
    packages = {name: _version(name) for name in (*REQUIRED, *OPTIONAL)}
    weights, missing = {}, []
    for name in REQUIRED:
        if packages[name] is None:
            missing.append({"what": f"package {name}", "needed": True, "do": f"pip install {name}"})
    for name, hint in OPTIONAL.items():
        if packages[name] is None:
            missing.append({"what": f"package {name}", "needed": False, "do": hint})
    for name, needed in ADAPTERS.items():
        try:
            file = adapter_path(name) / WEIGHTS_FILE
            weights[name] = {"file": str(file), "bytes": file.stat().st_size, "sha256": sha256(file)}
        except ModelUnavailableError as error:
            missing.append({"what": f"weights {name}", "needed": needed, "do": error.hint})
    models = {name: str(folder) for name in CATALOGUE if (folder := find(name))}
    for name in CATALOGUE.keys() - models:
        missing.append({"what": f"model {name}", "needed": False, "do": f"dgsolve models get {name}"})
    if not names(DENOISERS):
        missing.append({"what": "dgsolve's entry points", "needed": True, "do": "pip install -e . in the checkout"})
    return {
        "dgsolve": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "executable": sys.executable,
        "packages": packages,
        "devices": _devices() if packages["torch"] else [],
        "problems": names(PROBLEMS),
        "denoisers": names(DENOISERS),
        "weights": weights,
        "models": models,
        "cache": str(cache_folder() or "none"),
        "missing": missing,
    }


def _version(package: str) -> str | None:
    try:
        return installed_version(package)
    except PackageNotFoundError:
        return None


def _devices() -> list[str]:
    import torch

    found = [f"cpu: {counted(os.cpu_count() or 1, 'core')}, torch uses {counted(torch.get_num_threads(), 'thread')}"]
    found += [f"cuda:{i}: {torch.cuda.get_device_name(i)}" for i in range(torch.cuda.device_count())]
    return found + (["mps: Apple GPU"] if torch.backends.mps.is_available() else [])


def _text(report: dict[str, Any]) -> str:
    rows = [
        ("dgsolve", report["dgsolve"]),
        ("python", f"{report['python']} at {report['executable']}"),
        ("platform", report["platform"]),
        *((name, version or "not installed") for name, version in report["packages"].items()),
        *(("device", device) for device in report["devices"]),
        ("problems", ", ".join(report["problems"]) or "none"),
        ("denoisers", ", ".join(report["denoisers"]) or "none"),
    ]
    for name, weights in report["weights"].items():
        rows.append(("weights", f"{name}, {weights['bytes'] / 1e6:.2f} MB, {weights['file']}"))
        rows.append(("", f"sha256 {weights['sha256']}"))
    rows += [("model", f"{name}, {folder}") for name, folder in report["models"].items()]
    rows.append(("cache", report["cache"]))
    lines = [f"{label:<13} {value}".rstrip() for label, value in rows]
    for item in report["missing"]:
        lines.append(f"{'missing' if item['needed'] else 'optional':<13} {item['what']}: {item['do']}")
    if not any(item["needed"] for item in report["missing"]):
        lines.append("ready: dgsolve sudoku can run")
    return "\n".join(lines)
