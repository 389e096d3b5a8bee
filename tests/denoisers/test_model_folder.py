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


def said_in(folder: Path, file: str, **values: Any) -> None:
    """Write values into a file of JSON, those that are none of its own into its text_config, where it has one."""
    said = json.loads((folder / file).read_text("utf-8"))
    for name, value in values.items():
        (said if name in said else said.get("text_config", said))[name] = value
    (folder / file).write_text(json.dumps(said), "utf-8")


@pytest.mark.parametrize(
    "values",
    [
        {"canvas_length": None},
        {"canvas_length": 0},
        {"canvas_length": 1000},
        {"sliding_window": 0},
        {"top_k_experts": 9},
        {"final_logit_softcapping": None},
        {"final_logit_softcapping": 0},
    ],
)
def test_a_configuration_that_lets_no_pass_be_made_is_refused_with_its_place(folder: Path, values: Any) -> None:
    said_in(folder, "config.json", **values)
    error = refusal(folder)
    (name, value), *_ = values.items()
    assert f"the configuration of {folder} has {name}={value}: it must be" in error.message


@pytest.mark.parametrize("ends", [[], -1, SIZE, [1, SIZE], "1", [1, "x"], True])
def test_ends_of_a_text_that_are_no_tokens_are_refused_with_their_place(folder: Path, ends: Any) -> None:
    said_in(folder, "generation_config.json", eos_token_id=ends)
    error = refusal(folder)
    assert f"the generation config of {folder} has eos_token_id={ends!r}" in error.message
    assert f"of 0 to {SIZE - 1}" in error.hint


@pytest.mark.parametrize(("name", "value"), [("t_min", 0), ("t_min", 0.9), ("stability_threshold", 0)])
def test_what_no_sampler_can_follow_is_refused_with_its_place(folder: Path, name: str, value: float) -> None:
    said_in(folder, "generation_config.json", **{name: value})
    assert f"the generation config of {folder} cannot be followed: Sampling(" in refusal(folder).message


@pytest.mark.parametrize("text", ["", '{"eos', "[]", "\x00"])
@pytest.mark.usefixtures("unread")
def test_a_damaged_generation_config_is_not_passed_over(folder: Path, text: str) -> None:
    (folder / "generation_config.json").write_text(text)
    assert str(folder / "generation_config.json") in refusal(folder).message


@pytest.mark.usefixtures("unread")
def test_a_folder_in_the_place_of_a_file_is_told(folder: Path) -> None:
    (folder / "generation_config.json").unlink()
    (folder / "generation_config.json").mkdir()
    assert "Is a directory" in refusal(folder).message
