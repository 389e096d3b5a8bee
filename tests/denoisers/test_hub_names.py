"""A name on the Hub is judged by its configuration, before any of its weights are fetched or read."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from huggingface_hub import constants
from transformers import AutoModelForCausalLM, DiffusionGemmaForBlockDiffusion

from dgsolve import models
from dgsolve.denoisers import model_loading
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.denoisers.quantized_weights import quantized_bytes
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.loading import load
from dgsolve.model import Model
from tests.denoisers.tiny_causal import byte_level, network
from tests.denoisers.tiny_diffusion_gemma import SIZE, tiny_model

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Hub client's cache with two models, as if they had been fetched."""
    cache = tmp_path_factory.mktemp("hub")
    for name, model in (("diffusion", copy.deepcopy(tiny_model(0.1)).bfloat16()), ("causal", network(0))):
        folder = cache / f"models--some--{name}"
        model.save_pretrained(folder / "snapshots" / COMMIT)
        byte_level(SIZE - 2, "Solve this Sudoku: 1234").save_pretrained(folder / "snapshots" / COMMIT)
        (folder / "refs").mkdir()
        (folder / "refs" / "main").write_text(COMMIT)
    return cache


@pytest.fixture
def hub(cached: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cached))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return cached


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (AutoModelForCausalLM, DiffusionGemmaForBlockDiffusion):
        monkeypatch.setattr(kind, "from_pretrained", lambda *_, **__: pytest.fail("it fetches the weights"))


def test_one_that_fits_is_loaded(hub: Path) -> None:
    model = load("some/diffusion", device="cpu")
    assert isinstance(model, Model) and isinstance(model.denoiser, DiffusionGemmaDenoiser)


def test_a_model_of_the_other_kind_is_refused(hub: Path, unread: None) -> None:
    with pytest.raises(UsageError, match="some/causal is no DiffusionGemma: its configuration says 'llama'"):
        DiffusionGemmaDenoiser.load("some/causal", device="cpu")
    with pytest.raises(UsageError, match="some/diffusion is a DiffusionGemma, and no causal language model"):
        CausalDenoiser.load("some/diffusion", device="cpu")


@pytest.mark.parametrize(
    ("options", "bits", "dtype"),
    [({}, None, torch.float32), ({"dtype": "bfloat16"}, None, torch.bfloat16), ({"quantize": "8bit"}, 8, None)],
)
def test_one_that_is_too_large_is_refused(
    hub: Path, unread: None, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], bits: int | None, dtype: Any
) -> None:
    takes, _ = quantized_bytes(copy.deepcopy(tiny_model(0.1)).bfloat16(), bits, dtype)  # it is stored in bfloat16
    monkeypatch.setattr(model_loading, "_free_bytes", lambda device: takes - 1)
    with pytest.raises(ModelUnavailableError, match=r"some/diffusion needs 0\.0 GB for its weights, and cpu has 0\.0"):
        load("some/diffusion", device="cpu", **options)
    monkeypatch.setattr(model_loading, "_free_bytes", lambda device: takes)
    with pytest.raises(pytest.fail.Exception, match="it fetches the weights"):
        load("some/diffusion", device="cpu", **options)


def test_a_configuration_that_is_none_is_named(hub: Path, unread: None, tmp_path: Path, monkeypatch: Any) -> None:
    shutil.copytree(hub, tmp_path / "hub")
    config = tmp_path / "hub" / "models--some--causal" / "snapshots" / COMMIT / "config.json"
    said = json.loads(config.read_text())
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    config.write_text(json.dumps(said | {"model_type": "no_such_kind"}))
    with pytest.raises(ModelUnavailableError, match=r"knows: its config\.json says 'no_such_kind'"):
        load("some/causal", device="cpu")
    config.write_text(json.dumps(said | {"hidden_act": "no_such_function"}))
    with pytest.raises(ModelUnavailableError, match=r"no model can be made of the config\.json of some/causal"):
        load("some/causal", device="cpu")


def test_without_the_hub_a_training_says_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from dgsolve.train.lora import load_base

    def unreachable(name: str) -> None:
        raise OSError("no network")

    monkeypatch.setattr(models, "reach_hub", unreachable)
    with pytest.raises(ModelUnavailableError, match="the Hugging Face Hub cannot be asked for it: no network"):
        load_base("some/model", "cpu")
