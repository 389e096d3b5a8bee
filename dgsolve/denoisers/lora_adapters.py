"""LoRA adapters on a language model: checked against its shapes first, several at once, merged on request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import torch

from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.shortened import shown
from dgsolve.weights import ADAPTER_FILE, lora_folder

Adapters: TypeAlias = str | Path | Sequence[str | Path] | None

CONFIG = "adapter_config.json"
ROOT = "base_model.model."  # what peft puts before the names of the model's own modules


def folders(adapter: Adapters) -> list[Path]:
    """The folders that `adapter` names, or the names of adapters that ship.

    Raises UsageError for what is neither, ModelUnavailableError for a folder without an adapter.
    """
    named: Any = [] if adapter is None else [adapter] if isinstance(adapter, str | Path) else adapter
    if not isinstance(named, Sequence) or not all(isinstance(folder, str | Path) for folder in named):
        raise UsageError(f"adapter={shown(adapter)}: write a folder, or a list of folders")
    found = [lora_folder(folder) for folder in named]
    for folder in found:
        for file in (CONFIG, ADAPTER_FILE):
            if not (folder / file).is_file():
                hint = f"An adapter is a folder with {CONFIG} and {ADAPTER_FILE}, as peft saves it."
                raise ModelUnavailableError(f"{folder} has no adapter: no {file}", hint=hint)
    if found and find_spec("peft") is None:
        raise ModelUnavailableError("adapters need the package peft", hint="Do: pip install peft")
    return found


def require_fitting(folder: Path, model: Any, place: str, *, layers_alone: bool = False) -> None:
    """Raise UsageError where an adapter was trained on another base than `model`, which may lie on the meta device.

    layers_alone: it may change linear layers and nothing else, as beside quantised weights.
    """
    if layers_alone and json.loads((folder / CONFIG).read_text("utf-8")).get("target_parameters"):
        message = f"the adapter {folder} changes experts, which cannot be quantised beneath it"
        raise UsageError(message, hint="Give merge=True too: its changes become part of the weights first.")
    modules = dict(model.named_modules())
    for name, part, shape in _tensors(folder):
        layer = modules.get(name)
        if layer is None:
            raise _misfit(folder, place, f"it changes {name}, which is not there")
        width = {"lora_A": "in_features", "lora_B": "out_features"}.get(part)
        mine = getattr(layer, width or "", None)
        size = shape[1] if part == "lora_A" else shape[0]
        if mine is not None and mine != size:
            raise _misfit(folder, place, f"for {name} its {part} has size {size}, and the model {mine}")


def attach(model: Any, adapters: Sequence[Path], *, merge: bool = False) -> Any:
    """The model with all of the adapters active at once; merged, their changes are part of its own weights."""
    if not adapters:
        return model
    from peft import PeftModel

    names = [f"adapter{number}" for number in range(len(adapters))]
    wrapped: Any = PeftModel.from_pretrained(model, str(adapters[0]), adapter_name=names[0])
    for name, folder in zip(names[1:], adapters[1:], strict=True):
        wrapped.load_adapter(str(folder), adapter_name=name)
    wrapped.base_model.set_adapter(names)
    if not merge:
        return wrapped.base_model.model
    _untie(wrapped)
    return wrapped.merge_and_unload(adapter_names=names)


def _untie(model: torch.nn.Module) -> None:
    """Give layers that share their weights, as encoder and decoder do, each its own: each gets its own change."""
    from peft.tuners.lora import LoraLayer

    seen: set[int] = set()
    for layer in model.modules():
        if isinstance(layer, LoraLayer):
            base: Any = layer.get_base_layer()
            if id(base.weight) in seen:
                base.weight = torch.nn.Parameter(base.weight.detach().clone(), requires_grad=False)
            seen.add(id(base.weight))


def _tensors(folder: Path) -> list[tuple[str, str, list[int]]]:
    """Of each tensor of an adapter: its module, "lora_A" or "lora_B" or what it is called, and its shape."""
    from safetensors import safe_open

    found = []
    with safe_open(folder / ADAPTER_FILE, "pt") as file:
        for key in file.keys():  # noqa: SIM118  it is no mapping
            name, _, rest = key.removeprefix(ROOT).partition(".lora_")
            found.append((name, f"lora_{rest[:1]}", list(file.get_slice(key).get_shape())))
    return found


def _misfit(folder: Path, place: str, what: str) -> UsageError:
    said = json.loads((folder / CONFIG).read_text("utf-8")).get("base_model_name_or_path")
    hint = f"It was trained on {said}: load that." if said else "Load the model that it was trained on."
    return UsageError(f"the adapter {folder} is not for {place}: {what}", hint=hint)
