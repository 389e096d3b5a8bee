"""A folder that is not whole, or not what it is taken for, is refused before any weights are read."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, DiffusionGemmaForBlockDiffusion

from dgsolve.cli.exits import Exit, of_error
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.errors import DgsolveError, ModelUnavailableError, UsageError
from dgsolve.loading import from_transformers, load
from tests.denoisers.tiny_causal import byte_level, network
from tests.denoisers.tiny_diffusion_gemma import SIZE, tiny_model

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    copy.deepcopy(tiny_model()).float().save_pretrained(place / "diffusion")
    network(0).save_pretrained(place / "causal")
    for name in ("diffusion", "causal"):
        byte_level(SIZE - 2, "Solve this Sudoku: 1234").save_pretrained(place / name)
    return place


@pytest.fixture
def folder(models: Path, tmp_path: Path) -> Path:
    return shutil.copytree(models / "diffusion", tmp_path / "model")


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (AutoModelForCausalLM, DiffusionGemmaForBlockDiffusion):
        monkeypatch.setattr(kind, "from_pretrained", lambda *_, **__: pytest.fail("it reads the weights"))


def refusal(place: Path, **options: Any) -> DgsolveError:
    with pytest.raises(DgsolveError) as caught:
        load(place, device="cpu", **options)
    assert caught.value.hint
    return caught.value


def cut(folder: Path, share: float) -> None:
    data = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(data[: int(len(data) * share)])


def in_shards(folder: Path, *, index: bool = True) -> None:
    (folder / WEIGHTS).rename(folder / "model-00001-of-00002.safetensors")
    names = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    if index:
        (folder / INDEX).write_text(json.dumps({"weight_map": names}))


DAMAGES = {
    r"config\.json is not JSON: .* column": lambda f: (f / "config.json").write_text(
        '{"model_type": "diffusion_gemma",'
    ),
    r"model\.safetensors is empty": lambda f: cut(f, 0),
    r"model\.safetensors has [\d,]+ bytes, and should have": lambda f: cut(f, 0.9),
    r"model\.safetensors is no safetensors file": lambda f: (f / WEIGHTS).write_text("version https://git-lfs\noid 1"),
    r"index\.json names model-00002-of-00002\.safetensors": in_shards,
    r"in several files, and model\.safetensors\.index\.json is not there": lambda f: in_shards(f, index=False),
    r"has no weights": lambda f: (f / WEIGHTS).unlink(),
    r"has no tokenizer": lambda f: (f / "tokenizer.json").unlink(),
}


@pytest.mark.parametrize("said", DAMAGES)
def test_a_damaged_folder_is_told_by_the_file(said: str, folder: Path, unread: None) -> None:
    DAMAGES[said](folder)
    error = refusal(folder)
    assert of_error(error) is Exit.UNAVAILABLE and str(folder) in str(error)
    with pytest.raises(ModelUnavailableError, match=said):
        raise error


def test_a_tokenizer_that_cannot_be_read_is_named(folder: Path, unread: None) -> None:
    (folder / "tokenizer.json").write_text("{")
    assert "the tokenizer of" in str(refusal(folder))


def test_a_model_of_the_other_kind_is_refused_before_it_loads(models: Path, unread: None) -> None:
    with pytest.raises(UsageError, match=r"causal is no DiffusionGemma: its configuration says 'llama'"):
        DiffusionGemmaDenoiser.load(models / "causal", device="cpu")
    with pytest.raises(UsageError, match="diffusion is a DiffusionGemma, and no causal language model"):
        CausalDenoiser.load(models / "diffusion", device="cpu")
    config = models / "causal" / "config.json"
    said = config.read_text()
    config.write_text(said.replace('"llama"', '"t5"'))
    assert "no causal language model that Transformers knows: its config.json says 't5'" in str(refusal(config.parent))
    config.write_text(said)


def test_a_loaded_model_of_the_other_kind_is_refused() -> None:
    tokenizer = byte_level(SIZE - 2, "Solve this Sudoku: 1234")
    with pytest.raises(UsageError, match="LlamaForCausalLM is no DiffusionGemma"):
        DiffusionGemmaDenoiser.from_transformers(network(0), tokenizer)
    with pytest.raises(UsageError, match="is a DiffusionGemma, and no causal"):
        CausalDenoiser.from_transformers(tiny_model(), tokenizer)
    for pair in ((None, None), ("folder", tokenizer), (tiny_model(), None), (tokenizer, network(0))):
        with pytest.raises(UsageError, match="wants a loaded model and its tokenizer"):
            from_transformers(*pair)


def test_weights_of_another_model_are_no_random_numbers(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    left_out = next(name for name in tensors if name.endswith("layers.0.self_attn.q_proj.weight"))
    some = {name: tensor for name, tensor in tensors.items() if name != left_out}
    save_file(some, folder / WEIGHTS, metadata={"format": "pt"})
    assert "layers.0.self_attn.q_proj.weight is not there" in str(refusal(folder))
    config = json.loads((folder / "config.json").read_text())
    config["text_config"]["intermediate_size"] = 48
    (folder / "config.json").write_text(json.dumps(config))
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    assert "down_proj.weight is [32, 64], not [32, 48], and" in str(refusal(folder))
