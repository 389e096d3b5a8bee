"""Where the weights that ship with dgsolve lie, whether it is installed, editable or run from a checkout."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

from dgsolve.errors import ModelUnavailableError

WEIGHTS_FILE = "model.safetensors"
ADAPTER_FILE = "adapter_model.safetensors"  # of a LoRA adapter, as peft saves it


def adapter_folders() -> list[Path]:
    """The folders that may hold adapters: inside the installed package, then beside it in a checkout."""
    package = Path(str(files("dgsolve")))
    return [package / "adapters", package.parent / "adapters"]


def adapter_path(name: str) -> Path:
    """The folder of the adapter `name`, with its weights and card; raises ModelUnavailableError where there is none."""
    for folder in adapter_folders():
        if (folder / name / WEIGHTS_FILE).is_file():
            return folder / name
    looked = " and ".join(str(folder / name) for folder in adapter_folders())
    raise ModelUnavailableError(
        f"the weights of {name!r} are missing: no {WEIGHTS_FILE} in {looked}",
        hint="Install dgsolve again with pip, or train them (dgsolve train --help); the random denoiser needs none.",
    )


def lora_folder(named: str | Path) -> Path:
    """The folder of a LoRA adapter: the one of this path, else that of the adapter that ships under this name."""
    shipped = [folder / named for folder in adapter_folders() if (folder / named / ADAPTER_FILE).is_file()]
    folder = Path(named).expanduser()
    return shipped[0] if shipped and not folder.is_dir() else folder


def sha256(file: Path) -> str:
    """The file's SHA-256 in hex, as the adapter's card states it."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
