"""Denoisers and models by name, by folder, or around what is loaded already."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from dgsolve import chat
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import UsageError
from dgsolve.loop import load as load_embedded
from dgsolve.model import Model
from dgsolve.models import KINDS, SHIPPED, Progress, config_on_hub
from dgsolve.models import NAMES as MODELS
from dgsolve.registry import DENOISERS, find, names
from dgsolve.shortened import shown
from dgsolve.unknown_options import keywords, refuse_unknown
from dgsolve.weights import WEIGHTS_FILE

CAUSAL = "causal"
_ON_HUB = re.compile(r"\w[\w.-]*/\w[\w.-]*")


def load(name: str | Path = "auto", *, progress: Progress = lambda _: None, **options: Any) -> Denoiser | Model:
    """A language model by name ("smollm2"), folder or name on the Hub, or a denoiser ("relational", "random").

    What writes text comes as a `Model`; `solve` takes either. `progress` is told what takes long. options go to the
    language model's loader: `device`, `dtype`, `quantize`, `adapter`, `merge`, ... Raises UsageError for a name that
    can be none, ModelUnavailableError where a model is not there.
    """
    if not isinstance(name, (str, Path)):
        raise UsageError(f"a model is loaded by name or folder, not by {shown(name)}", hint=KINDS)
    chosen = str(Path(name).expanduser()) if str(name).startswith("~") else str(name)
    if _is_language_model(chosen):
        denoiser = _language_denoiser(chosen, progress, options)
    elif chosen not in ("auto", *names(DENOISERS)) and not (Path(chosen) / WEIGHTS_FILE).is_file():
        raise UsageError(_tried(chosen), hint=KINDS)
    elif options:
        denoiser = _with_options(chosen, options)
    else:
        denoiser = load_embedded(chosen)
    return Model(denoiser) if denoiser.text is not None else denoiser


def _with_options(name: str, options: dict[str, Any]) -> Denoiser:
    """An embedded denoiser whose loader knows the options; raises UsageError where one does not."""
    loader = getattr(find(DENOISERS, name), "load", None) if name in names(DENOISERS) else None
    unknown = [option for option in options if loader is None or option not in keywords(loader)]
    if unknown or loader is None:
        raise UsageError(f"{name} has no option {unknown[0]!r}", hint="Leave it out.")
    denoiser: Denoiser = loader(**options)
    return denoiser


def load_denoiser(name: str | Path, progress: Progress = lambda _: None, **options: Any) -> Denoiser:
    """The denoiser of anything that `load` takes, whether it writes texts or not."""
    found = load(name, progress=progress, **options)
    return found.denoiser if isinstance(found, Model) else found


def load_model(
    name: str | Path,
    progress: Progress = lambda _: None,
    *,
    sees: bool = False,
    prompt: str = "",
    new_tokens: int = 0,
    **options: Any,
) -> Model:
    """A model that writes text, with the options of `load`; UsageError for a denoiser that writes none.

    What it will be asked, so that a model which cannot is told before its weights are read: sees: it must read images
    too. prompt, new_tokens: what it reads, and how many tokens its answer may have.
    """
    if (sees or prompt) and _is_language_model(str(name)):
        reader = _reader_of(str(name), progress)
        if sees:
            reader.require_sight_of(str(name))
        _require_room(str(name), progress, prompt, new_tokens)
    model = load(name, progress=progress, **options)
    if not isinstance(model, Model):
        raise UsageError(f"{name} writes no text", hint='Name a language model, for instance "smollm2".')
    if sees:
        model.denoiser.require_sight()
    return model


def _require_room(name: str, progress: Progress, prompt: str, new_tokens: int) -> None:
    """Raise UsageError for a prompt that is too long for the model's context, images and thoughts left aside."""
    from dgsolve.denoisers import model_folder, model_loading

    place = model_loading.resolved(name, progress)
    context = model_folder.context_of(place)
    if context is not None and len(prompt.encode()) + new_tokens > context:  # a token has a byte or more
        chat.require_room(len(chat.encode(model_loading.tokenizer_of(place), prompt)), new_tokens, context)


def from_transformers(model: Any, tokenizer: Any) -> Model:
    """A causal language model or a DiffusionGemma of Transformers that is loaded already, with its tokenizer."""
    kind = getattr(getattr(model, "config", None), "model_type", None)
    if not isinstance(kind, str) or not callable(tokenizer):
        wanted = "from_transformers(model, tokenizer) wants a loaded model and its tokenizer"
        raise UsageError(f"{wanted}, not {shown(model)} and {shown(tokenizer)}", hint="A folder is loaded by load().")
    return Model(find(DENOISERS, _reader(kind)).from_transformers(model, tokenizer))


def _reader(model_type: str) -> str:
    """The denoiser for models of a type of Transformers: the one that is called like it, else the causal one."""
    own = model_type.replace("_", "-")
    return own if own in names(DENOISERS) else CAUSAL


def _is_language_model(name: str) -> bool:
    return name in MODELS or _is_folder(name) or _is_on_hub(name)


def _is_folder(name: str) -> bool:
    """Whether it is the folder of a language model, by the model_type that Transformers writes into it."""
    return _model_type(Path(name) / "config.json") is not None


def _model_type(config: Path) -> str | None:
    """What a configuration of Transformers says of its model, None where there is none; "" where it is damaged."""
    if not config.is_file():
        return None
    text = config.read_text("utf-8", "replace")
    try:
        said = json.loads(text)
    except ValueError:
        return "" if '"model_type"' in text else None
    return str(said["model_type"]) if isinstance(said, dict) and "model_type" in said else None


def _is_on_hub(name: str) -> bool:
    """Whether it may be a name on the Hub: two words and a slash, and nothing of this machine."""
    return _ON_HUB.fullmatch(name) is not None and not Path(name).exists()


def _tried(name: str) -> str:
    """What a name was looked for as."""
    path = Path(name)
    if path.is_dir():
        return f"the folder {name} has no model: no config.json with a model_type, no {WEIGHTS_FILE} of dgsolve train"
    if path.is_file():
        return f"{name} is a file; a model is a folder, with config.json, safetensors and the tokenizer's files"
    if path.is_absolute() or name.startswith(".") or "/" in name:
        return f"there is no folder {name}"
    known = [*MODELS, *(denoiser for denoiser in names(DENOISERS) if denoiser not in (CAUSAL, *MODELS))]
    near = get_close_matches(name, known, 1)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    return f"there is no model called {name!r}{meant}: no known name ({', '.join(known)}) and no folder here"


def _language_denoiser(name: str, progress: Progress, options: dict[str, Any]) -> Denoiser:
    found = _reader_of(name, progress)
    refuse_unknown(options, [option for option in keywords(found.load) if option != "progress"])
    denoiser: Denoiser = found.load(name, progress=progress, **options)
    denoiser.name = Path(name).name
    return denoiser


def _reader_of(name: str, progress: Progress) -> Any:
    """The class of denoisers for a model that ships, in a folder, or of a name on the Hub."""
    folder = SHIPPED[name].folder if name in SHIPPED else Path(name)
    kind = _model_type(folder / "config.json")
    if _is_on_hub(name):
        progress(f"Fetching {name} from the Hugging Face Hub")
        kind = _model_type(config_on_hub(name))
    return find(DENOISERS, _reader(kind or ""))
