"""Finding and loading the causal language model that a name or a folder means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from dgsolve import models
from dgsolve.errors import ModelUnavailableError, UsageError, first_line
from dgsolve.quiet_transformers import quiet_transformers

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def load(
    source: str | Path, device: str, dtype: torch.dtype | None, progress: Callable[[str], None]
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase, Path | None]:
    """The model on its device, its tokenizer, and the file of its weights where there is one alone.

    Raises UsageError for a name that cannot be one, ModelUnavailableError where the model cannot be had.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = _place(source, progress)
    chosen = _device() if device == "auto" else device
    kind: Any = dtype or (torch.float32 if chosen == "cpu" else "auto")
    try:
        with quiet_transformers():
            tokenizer = AutoTokenizer.from_pretrained(place)
            model: Any = AutoModelForCausalLM.from_pretrained(place, dtype=kind)
            model.to(chosen)
    except Exception as error:  # whatever Transformers, the Hub's client, safetensors and the device raise
        if isinstance(error, MemoryError):
            raise
        hint = "A folder needs config.json, the weights and the tokenizer's files, as save_pretrained writes them."
        raise ModelUnavailableError(f"{place} cannot be loaded on {chosen}: {first_line(error)}", hint=hint) from error
    weights = Path(place) / models.WEIGHTS_FILE
    return model, tokenizer, weights if weights.is_file() else None


def end_ids(model: PreTrainedModel) -> list[int] | None:
    """What ends a text according to the model's generation config, None where that says nothing."""
    ends = getattr(model.generation_config, "eos_token_id", None)
    return None if ends is None else [ends] if isinstance(ends, int) else list(ends)


def _place(source: str | Path, progress: Callable[[str], None]) -> str:
    """The folder, or the name on the Hub, that `source` means."""
    if str(source) in models.CATALOGUE:
        return str(models.get(str(source), progress))
    if Path(source).is_dir() or str(source).count("/") == 1:
        return str(source)
    known = ", ".join(models.CATALOGUE)
    raise UsageError(
        f"there is no language model called {str(source)!r}, and no such folder",
        hint=f"Known: {known}; or a folder with a Transformers causal language model, or its name on the Hub.",
    )


def _device() -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
