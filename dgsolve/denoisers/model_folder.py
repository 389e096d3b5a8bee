"""Whether a language model is whole and of the right kind, by its files alone: told before any weights are read."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.models import config_on_hub

CONFIG, INDEX = "config.json", "model.safetensors.index.json"
GENERATION = "generation_config.json"  # Transformers takes its own defaults for one that it cannot read
TOKENIZERS = ("tokenizer.json", "*.model", "vocab.*", "*.tiktoken")  # one file of these
DIFFUSION = "diffusion_gemma"  # the model_type of the published models
_HEADER = 8  # bytes of a safetensors file that say how long its header is
_CUT = "Copy it again: it is cut off, or another file under this name."


def require_whole(place: str, kind: Any) -> None:
    """Check a folder that `kind`, a class of Transformers, is to load, or the configuration of a name on the Hub.

    Raises UsageError for a model of another kind, ModelUnavailableError for a file that is missing or damaged.
    """
    folder = Path(place)
    config = _config(place)
    diffusion = getattr(getattr(kind, "config_class", None), "model_type", None) == DIFFUSION
    require_kind(place, config.get("model_type"), diffusion=diffusion)
    if not diffusion:
        _require_known(place, config)
    if folder.is_dir():
        _require_files(folder)


def context_of(place: str) -> int | None:
    """Tokens that a model reads and writes together, None where its configuration does not say."""
    config = _config(place)
    said = (config.get("text_config") or config).get("max_position_embeddings")
    return said if isinstance(said, int) else None


def _require_files(folder: Path) -> None:
    if (folder / GENERATION).exists():
        read_object(folder / GENERATION)
    for file in _weights(folder):
        require_tensors(file)
    if not any(any(folder.glob(name)) for name in TOKENIZERS):
        hint = "Copy its files there too: tokenizer.json and tokenizer_config.json, or those it was published with."
        raise ModelUnavailableError(f"the folder {folder} has no tokenizer", hint=hint)


def require_kind(place: str, model_type: str | None, *, diffusion: bool) -> None:
    """Raise UsageError where a causal language model is to be a DiffusionGemma, or the other way round."""
    hint = "dgsolve.load and dgsolve.from_transformers see which of the two it is."
    if diffusion and model_type != DIFFUSION:
        raise UsageError(f"{place} is no DiffusionGemma: its configuration says {model_type!r}", hint=hint)
    if not diffusion and model_type == DIFFUSION:
        raise UsageError(f"{place} is a DiffusionGemma, and no causal language model", hint=hint)


def _require_known(place: str, config: dict[str, Any]) -> None:
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    model_type = config.get("model_type")
    if model_type not in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and "auto_map" not in config:
        raise ModelUnavailableError(
            f"{place} is no causal language model that Transformers knows: its config.json says {model_type!r}",
            hint="Give a causal language model or a DiffusionGemma; a new one may need a newer transformers.",
        )


def require_all_read(report: dict[str, Any], place: str) -> None:
    """Raise ModelUnavailableError for weights that are missing, or of other shapes, in what Transformers reports.

    It would go on with random numbers in their place.
    """
    wrong = [
        *(f"{name} is not there" for name in sorted(report["missing_keys"])),
        *(f"{name} is {list(has)}, not {list(wants)}" for name, has, wants in sorted(report["mismatched_keys"])),
    ]
    if wrong:
        more = f", and {len(wrong) - 1} more like it" if len(wrong) > 1 else ""
        message = f"the weights of {place} are not those of its config.json: {wrong[0]}{more}"
        raise ModelUnavailableError(message, hint="Take config.json and the weights from one model.")


def _config(place: str) -> dict[str, Any]:
    folder = Path(place)
    if not folder.is_dir():
        return read_object(config_on_hub(place))
    if not (folder / CONFIG).is_file():
        hint = "Copy it there too, or write the model with save_pretrained."
        raise ModelUnavailableError(f"the folder {folder} has no {CONFIG}", hint=hint)
    return read_object(folder / CONFIG)


def _weights(folder: Path) -> list[Path]:
    """The safetensors files that Transformers would read."""
    if (folder / "model.safetensors").is_file():
        return [folder / "model.safetensors"]
    if not (folder / INDEX).is_file():
        if any(folder.glob("*.bin")):
            return []
        message = f"the weights in {folder} are in several files, and {INDEX} is not there"
        raise ModelUnavailableError(message, hint=f"Copy {INDEX} there too.")
    named = read_object(folder / INDEX).get("weight_map")
    if not isinstance(named, dict):
        raise ModelUnavailableError(f"{folder / INDEX} has no weight_map", hint=_CUT)
    files = [folder / str(name) for name in sorted(set(map(str, named.values())))]
    for file in files:
        if not file.is_file():
            message = f"the weights in {folder} are not all there: {INDEX} names {file.name}"
            raise ModelUnavailableError(message, hint=f"Copy {file.name} there too.")
    return files


def require_tensors(file: Path) -> None:
    """Raise ModelUnavailableError for a file that is no safetensors, or shorter than its header says."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        start = stream.read(_HEADER)
        length = struct.unpack("<Q", start)[0] if len(start) == _HEADER else size
        header = stream.read(length) if length <= size - _HEADER else b""
    try:
        ends = [entry["data_offsets"][1] for name, entry in json.loads(header).items() if name != "__metadata__"]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        what = "is empty" if not size else "is no safetensors file"
        raise ModelUnavailableError(f"{file} {what}", hint=_CUT) from error
    if size != (whole := _HEADER + length + max(ends, default=0)):
        raise ModelUnavailableError(f"{file} has {size:,} bytes, and should have {whole:,}", hint=_CUT)


def read_object(file: Path) -> dict[str, Any]:
    """The JSON object in a file of a model or an adapter; raises ModelUnavailableError where it has none."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as failed:
        said = failed.strerror if isinstance(failed, OSError) else failed
        raise ModelUnavailableError(f"{file} is not JSON: {said}", hint=_CUT) from failed
    if not isinstance(found, dict):
        raise ModelUnavailableError(f"{file} is no JSON object", hint=_CUT)
    return found
