"""LoRA adapters on a language model: checked against its shapes first, several at once, merged on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import torch

from dgsolve.denoisers.model_folder import read_object, require_tensors
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.shortened import shown
from dgsolve.weights import ADAPTER_FILE, lora_folder

Adapters: TypeAlias = str | Path | Sequence[str | Path] | None

CONFIG = "adapter_config.json"
ROOT = "base_model.model."  # what peft puts before the names of the model's own modules


def folders(adapter: Adapters) -> list[Path]:
    """The folders that `adapter` names, or the names of adapters that ship.

    Raises UsageError for what is neither, ModelUnavailableError for a folder without a whole adapter.
    """
    named: Any = [] if adapter is None else [adapter] if isinstance(adapter, str | Path) else adapter
    if not isinstance(named, Sequence) or not all(isinstance(folder, str | Path) for folder in named):
        raise UsageError(f"adapter={shown(adapter)}: write a folder, or a list of folders")
    found = [lora_folder(folder) for folder in named]
    for folder in found:
        _require_whole(folder)
    twice = [folder for number, folder in enumerate(found) if folder.resolve() in map(Path.resolve, found[:number])]
    if twice:
        raise UsageError(f"the adapter {twice[0]} is given twice", hint="Its changes would count double: give it once.")
    if found and find_spec("peft") is None:
        raise ModelUnavailableError("adapters need the package peft", hint="Do: pip install peft")
    return found


def _require_whole(folder: Path) -> None:
    hint = f"An adapter is a folder with {CONFIG} and {ADAPTER_FILE}, as peft saves it."
    if not folder.is_dir():
        raise ModelUnavailableError(f"there is no folder {folder}, and no adapter of this name ships", hint=hint)
    for file in (CONFIG, ADAPTER_FILE):
        if not (folder / file).is_file():
            raise ModelUnavailableError(f"{folder} has no adapter: no {file}", hint=hint)
    read_object(folder / CONFIG)
    require_tensors(folder / ADAPTER_FILE)


def require_fitting(folder: Path, model: Any, place: str, *, layers_alone: bool = False) -> None:
    """Raise UsageError where an adapter was trained on another base than `model`, which may lie on the meta device.

    layers_alone: it may change linear layers and nothing else, as beside quantised weights.
    """
    if layers_alone and read_object(folder / CONFIG).get("target_parameters"):
        message = f"the adapter {folder} changes experts, which cannot be quantised beneath it"
        raise UsageError(message, hint="Give merge=True too: its changes become part of the weights first.")
    modules = dict(model.named_modules())
    for _, name, part, shape in _tensors(folder):
        layer = modules.get(name)
        if layer is None:
            raise _misfit(folder, place, f"it changes {name}, which is not there")
        width = {"lora_A": "in_features", "lora_B": "out_features"}.get(part)
        mine = getattr(layer, width or "", None)
        size = shape[-1] if part == "lora_A" else shape[0]
        if mine is not None and mine != size:
            raise _misfit(folder, place, f"for {name} its {part} has size {size}, and the model {mine}")


def attach(model: Any, adapters: Sequence[Path], *, merge: bool = False) -> Any:
    """The model with all of the adapters active at once; merged, their changes are part of its own weights."""
    if not adapters:
        return model
    from peft import PeftModel

    names = [f"adapter{number}" for number in range(len(adapters))]
    wrapped: Any = None
    for name, folder in zip(names, adapters, strict=True):
        with _blamed(folder):
            if wrapped is None:
                wrapped = PeftModel.from_pretrained(model, str(folder), adapter_name=name)
            else:
                wrapped.load_adapter(str(folder), adapter_name=name)
        _require_all_read(wrapped, name, folder)
    wrapped.base_model.set_adapter(names)
    if not merge:
        return wrapped.base_model.model
    _untie(wrapped)
    return wrapped.merge_and_unload(adapter_names=names)


@contextmanager
def _blamed(folder: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # whatever peft raises over a configuration and tensors that it cannot use
        message = f"the adapter {folder} cannot be used: {' '.join(str(error).split())[:200] or type(error).__name__}"
        raise ModelUnavailableError(message, hint=f"Take {CONFIG} and {ADAPTER_FILE} from one adapter.") from error


def _require_all_read(wrapped: Any, name: str, folder: Path) -> None:
    """Raise ModelUnavailableError for tensors that are not finite, or missing: peft would leave those untrained."""
    from peft import get_peft_model_state_dict

    # without embeddings, about which peft would ask the Hub
    wanted = get_peft_model_state_dict(wrapped, adapter_name=name, save_embedding_layers=False)
    there = {key for key, *_ in _tensors(folder)}
    faults = [
        *(f"{key} is not there" for key in sorted(wanted) if key not in there),
        *(f"{key} has numbers that are not finite" for key, tensor in wanted.items() if not tensor.isfinite().all()),
    ]
    if faults:
        more = f", and {len(faults) - 1} more like it" if len(faults) > 1 else ""
        message = f"the weights of the adapter {folder} are not whole: {faults[0]}{more}"
        raise ModelUnavailableError(message, hint=f"Copy {ADAPTER_FILE} again, or train it again.")


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


def _tensors(folder: Path) -> list[tuple[str, str, str, list[int]]]:
    """Of each tensor of an adapter: its key and module, "lora_A" or "lora_B" or what it is called, and its shape."""
    from safetensors import safe_open

    found = []
    with safe_open(folder / ADAPTER_FILE, "pt") as file:
        for key in file.keys():  # noqa: SIM118  it is no mapping
            name, _, rest = key.removeprefix(ROOT).partition(".lora_")
            found.append((key, name, f"lora_{rest[:1]}", list(file.get_slice(key).get_shape())))
    return found


def _misfit(folder: Path, place: str, what: str) -> UsageError:
    said = read_object(folder / CONFIG).get("base_model_name_or_path")
    hint = f"It was trained on {said}: load that." if said else "Load the model that it was trained on."
    return UsageError(f"the adapter {folder} is not for {place}: {what}", hint=hint)
