"""Denoisers and models by name, by folder, or around what is loaded already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import UsageError
from dgsolve.loop import load as load_denoiser
from dgsolve.model import Model
from dgsolve.registry import DENOISERS, find, names

CAUSAL = "causal"


def load(name: str | Path = "auto", **options: Any) -> Denoiser | Model:
    """An embedded denoiser ("relational", "random"), or a language model by name ("smollm2") or folder.

    What writes text comes as a `Model`; `solve` takes either. options go to the language model's loader. Raises
    UsageError for a name that is neither, ModelUnavailableError where a model is not there.
    """
    known = str(name) == "auto" or (str(name) in names(DENOISERS) and str(name) != CAUSAL)
    denoiser = load_denoiser(str(name)) if known or not _is_language_model(str(name)) else _causal(str(name), options)
    return Model(denoiser) if denoiser.text is not None else denoiser


def load_model(name: str | Path) -> Model:
    """A model that writes text; UsageError for a denoiser that writes none."""
    model = load(name)
    if not isinstance(model, Model):
        raise UsageError(f"{name} writes no text", hint='Name a language model, for instance "smollm2".')
    return model


def from_transformers(model: Any, tokenizer: Any) -> Model:
    """A causal language model of Transformers that is loaded already, with its tokenizer."""
    return Model(find(DENOISERS, CAUSAL).from_transformers(model, tokenizer))


def _is_language_model(name: str) -> bool:
    """By the catalogue, or by the model_type that Transformers writes into a model's folder."""
    from dgsolve.models import CATALOGUE

    config = Path(name) / "config.json"
    return name in CATALOGUE or (config.is_file() and '"model_type"' in config.read_text("utf-8", "replace"))


def _causal(name: str, options: dict[str, Any]) -> Denoiser:
    denoiser: Denoiser = find(DENOISERS, CAUSAL).load(name, **options)
    denoiser.name = Path(name).name
    return denoiser
