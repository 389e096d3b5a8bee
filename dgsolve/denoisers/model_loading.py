"""Finding and loading the language model that a name or a folder means."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from dgsolve import models
from dgsolve.denoisers import device_choice, lora_adapters, model_folder
from dgsolve.denoisers.quantized_weights import Quantize, bits_of, quantize, quantized_bytes
from dgsolve.errors import DgsolveError, ModelUnavailableError, UsageError, first_line
from dgsolve.quiet_transformers import quiet_transformers
from dgsolve.shortened import shown
from dgsolve.switches import refuse_unswitched
from dgsolve.whole_numbers import is_whole

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True)
class Placement:
    """Where and how a model is kept.

    device: "cpu", "cuda", "mps"; "auto" takes an accelerator where there is one. dtype: of the weights, or its name, by
    default float32 on a CPU and their own elsewhere, or where they are quantised. adapter: the folder of a LoRA adapter
    of peft, or several, active at once; merge: their changes become part of the weights. quantize: "8bit" or "4bit".
    """

    device: str = "auto"
    dtype: torch.dtype | str | None = None
    adapter: lora_adapters.Adapters = None
    merge: bool = False
    quantize: Quantize | None = None


def load(
    kind: Any, source: str | Path, placement: Placement, progress: Callable[[str], None]
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase, Path | None]:
    """The model on its device, its tokenizer, and the file of its weights where there is one alone.

    kind: the class of Transformers that loads it. Raises UsageError for a name that cannot be one and for an adapter of
    another model, ModelUnavailableError where the model cannot be had.
    """
    bits = bits_of(placement.quantize)
    refuse_unswitched(merge=placement.merge)
    place = resolved(source, progress)
    chosen, dtype = device_choice.device(placement.device), device_choice.dtype(placement.dtype)
    numbers: Any = dtype or (torch.float32 if chosen == "cpu" and bits is None else "auto")
    require_weights(place)
    model_folder.require_whole(place, kind)
    adapters = lora_adapters.folders(placement.adapter)
    here = Path(place).is_dir()
    bare = _without_weights(kind, place) if adapters or bits or not here else None
    wants = _stored_bytes(place, numbers)
    if bare is not None and (bits or not here):
        wants, whole = quantized_bytes(bare, bits, None if numbers == "auto" else numbers)
    if bits:
        progress(f"Quantising to {placement.quantize}: {wants / 1e9:.1f} GB, of which {whole / 1e9:.1f} GB stay whole")
    require_memory(wants, place, chosen)
    for folder in adapters:
        lora_adapters.require_fitting(folder, bare, place, layers_alone=bits is not None and not placement.merge)
    try:
        with quiet_transformers():
            tokenizer = tokenizer_of(place)
            report: Any = {"output_loading_info": True, "ignore_mismatched_sizes": True}
            model, report = kind.from_pretrained(place, dtype=numbers, **report)
            model_folder.require_all_read(report, place)
            model = lora_adapters.attach(model, adapters, merge=placement.merge)
            model = model.to(chosen) if bits is None else quantize(model, bits, chosen)
    except Exception as error:  # whatever Transformers, the Hub's client, safetensors and the device raise
        if isinstance(error, MemoryError | DgsolveError):
            raise
        hint = "A folder needs config.json, the weights and the tokenizer's files, as save_pretrained writes them."
        raise ModelUnavailableError(f"{place} cannot be loaded on {chosen}: {first_line(error)}", hint=hint) from error
    weights = Path(place) / models.WEIGHTS_FILE
    return model, tokenizer, weights if weights.is_file() else None


def tokenizer_of(place: str) -> PreTrainedTokenizerBase:
    """Raises ModelUnavailableError where it cannot be read."""
    from transformers import AutoTokenizer

    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(place)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"the tokenizer of {place} cannot be read: {first_line(error)}"
        raise ModelUnavailableError(message, hint="Copy its files again, from where the model is.") from error
    return tokenizer


def _without_weights(kind: Any, place: str) -> PreTrainedModel:
    """The model by its configuration alone; raises ModelUnavailableError where Transformers makes none of it."""
    from transformers import AutoConfig

    made = getattr(kind, "from_config", None) or kind._from_config  # of an Auto class, or of the model's own
    try:
        config = AutoConfig.from_pretrained(place)
        with torch.device("meta"), quiet_transformers():
            bare: PreTrainedModel = made(config)
    except Exception as error:  # whatever Transformers and the Hub's client raise, and code that comes with a model
        message = f"no model can be made of the config.json of {place}: {first_line(error)}"
        hint = "Take it from where the model is; a new one may need a newer transformers."
        raise ModelUnavailableError(message, hint=hint) from error
    return bare


def require_weights(place: str) -> None:
    """Raise ModelUnavailableError for a folder that has a model's configuration and none of its weights."""
    folder = Path(place)
    if folder.is_dir() and not _weight_files(folder):
        message = f"the folder {place} has no weights: no *.safetensors, no *.bin"
        hint = "Copy them there too, or write the model with save_pretrained."
        raise ModelUnavailableError(message, hint=hint)


def require_memory(wants: int, place: str, device: str) -> None:
    """Raise ModelUnavailableError where the weights of the model at `place`, in bytes, are more than what is free."""
    free = _free_bytes(device)
    if free is not None and wants > free:
        needs, has = (f"{number / 1e9:.1f} GB" for number in (wants, free))
        message = f"{place} needs {needs} for its weights, and {device} has {has} free"
        hint = "Give quantize='4bit' (about a quarter), dtype=torch.bfloat16 (half of float32), or a larger device."
        raise ModelUnavailableError(message, hint=hint)


def _stored_bytes(place: str, dtype: Any) -> int:
    """Of the weights in a folder, read in `dtype`; 0 for a name on the Hub."""
    stored = sum(file.stat().st_size for file in _weight_files(Path(place)))
    return stored * (2 if dtype == torch.float32 and stored and _stored_in_halves(Path(place)) else 1)


def _weight_files(folder: Path) -> list[Path]:
    return [file for kind in ("*.safetensors", "*.bin") for file in sorted(folder.glob(kind))]


def _stored_in_halves(folder: Path) -> bool:
    """Whether the weights' own numbers have 16 bits, by the model's configuration."""
    config = json.loads((folder / "config.json").read_text("utf-8"))
    return config.get("dtype", config.get("torch_dtype")) in ("bfloat16", "float16")


def _free_bytes(device: str) -> int | None:
    """What a device has free, None where nobody can say."""
    if device.startswith("cuda"):
        return torch.cuda.mem_get_info(device)[0] if torch.cuda.is_available() else None
    table = Path("/proc/meminfo")
    if device != "cpu" or not table.is_file():
        return None
    fields = dict(line.split(":", 1) for line in table.read_text().splitlines())
    return int(fields["MemAvailable"].split()[0]) * 1024


def end_ids(model: PreTrainedModel) -> list[int] | None:
    """What ends a text according to the model's generation config, None where that says nothing.

    Raises ModelUnavailableError where it is none of the model's tokens.
    """
    said: Any = getattr(model.generation_config, "eos_token_id", None)
    if said is None:
        return None
    ends, rows = said if isinstance(said, list | tuple) else [said], model.get_output_embeddings().weight.shape[0]
    if not ends or not all(is_whole(token) and 0 <= token < rows for token in ends):
        message = f"the generation config of {model.name_or_path or 'the model'} has eos_token_id={shown(said)}"
        hint = f"Write the tokens that end a text there, of 0 to {rows - 1}, or leave it out."
        raise ModelUnavailableError(message, hint=hint)
    return list(ends)


def resolved(source: str | Path, progress: Callable[[str], None]) -> str:
    """The folder, or the name on the Hub, that `source` means."""
    if str(source) in models.NAMES:
        return str(models.get(str(source), progress))
    if Path(source).is_dir() or str(source).count("/") == 1:
        return str(source)
    known = ", ".join(models.NAMES)
    raise UsageError(
        f"there is no language model called {str(source)!r}, and no such folder",
        hint=f"Known: {known}; or a folder with a language model of Transformers, or its name on the Hub.",
    )
