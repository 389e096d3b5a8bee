"""LoRA adapters: several at once, merged without harm to tied weights, and refused where they do not fit."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from dgsolve import weights
from dgsolve.denoisers import model_loading
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.loading import load
from tests.denoisers.tiny_causal import byte_level, network
from tests.denoisers.tiny_diffusion_gemma import BLOCK, SIZE, tiny_model

peft = pytest.importorskip("peft", reason="adapters need peft")
pytestmark = pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # peft's, in `adapter`
ATTENTION = r"model\.(decoder|encoder\.language_model)\.layers\.\d+\.self_attn\.(q|k|v|o)_proj"


def adapter(folder: Path, model: Any, seed: int, target: str = ATTENTION) -> Path:
    """An adapter with random changes, saved."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config = peft.LoraConfig(r=2, target_modules=target, init_lora_weights=False)
        peft.get_peft_model(copy.deepcopy(model), config).save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "base"
    copy.deepcopy(tiny_model(0.1)).float().save_pretrained(folder)
    byte_level(SIZE - 2, "Solve this Sudoku: 1234").save_pretrained(folder)
    return folder


def logits(folder: Path, **options: Any) -> torch.Tensor:
    model = load(folder, device="cpu", **options).denoiser.model
    generator = torch.Generator().manual_seed(1)
    prompt, canvas = (torch.randint(3, SIZE, (1, length), generator=generator) for length in (7, BLOCK))
    with torch.inference_mode():
        return model(input_ids=prompt, decoder_input_ids=canvas).logits


def test_adapters_change_the_model_together_and_merged_alike(base: Path, tmp_path: Path) -> None:
    bare = copy.deepcopy(tiny_model(0.1)).float()
    one, two = (adapter(tmp_path / name, bare, seed) for seed, name in enumerate(("one", "two")))
    plain, first, both = logits(base), logits(base, adapter=one), logits(base, adapter=[one, two])
    assert float((first - plain).abs().max()) > 1e-3 and float((both - first).abs().max()) > 1e-3
    assert torch.allclose(logits(base, adapter=[two, str(one)]), both, atol=1e-4)
    assert torch.allclose(logits(base, adapter=one, merge=True), first, atol=1e-4)
    assert torch.allclose(logits(base, adapter=[one, two], merge=True), both, atol=1e-4)


def test_an_adapter_that_ships_is_known_by_its_name(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = adapter(tmp_path / "shipped" / "one", copy.deepcopy(tiny_model(0.1)).float(), 0)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelUnavailableError, match="there is no folder one, and no adapter of this name ships"):
        load(base, device="cpu", adapter="one")
    monkeypatch.setattr(weights, "adapter_folders", lambda: [tmp_path / "nowhere", tmp_path / "shipped"])
    assert torch.equal(logits(base, adapter="one"), logits(base, adapter=one))


def test_adapters_lie_on_quantised_weights_or_in_them(base: Path, tmp_path: Path) -> None:
    one = adapter(tmp_path / "one", copy.deepcopy(tiny_model(0.1)).float(), 0)
    plain, changed = logits(base), logits(base, adapter=one)
    change = float((changed - plain).norm())
    for merge in (False, True):
        found = logits(base, adapter=one, merge=merge, quantize="8bit")
        assert float((found - changed).norm()) < 0.2 * change
    config = one / "adapter_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"target_parameters": ["experts.gate_up_proj"]}))
    with pytest.raises(UsageError, match="changes experts, which cannot be quantised beneath it") as raised:
        load(base, device="cpu", adapter=one, quantize="8bit")
    assert "merge=True" in raised.value.hint


def test_an_adapter_of_another_model_is_refused_before_any_weights_load(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import DiffusionGemmaForBlockDiffusion

    other = adapter(tmp_path / "other", network(0), 0, r".*(q|v)_proj")
    narrow = copy.deepcopy(tiny_model(0.1)).float()
    layer = narrow.model.decoder.layers[0].self_attn
    layer.q_proj = torch.nn.Linear(16, layer.q_proj.out_features, bias=False)
    thin = adapter(tmp_path / "thin", narrow, 0, r"model\.decoder\.layers\.0\.self_attn\.q_proj")
    monkeypatch.setattr(DiffusionGemmaForBlockDiffusion, "from_pretrained", lambda *_, **__: pytest.fail("it loads"))
    with pytest.raises(UsageError, match=r"other is not for .*base: it changes model\.layers\.\d+.* is not there"):
        load(base, device="cpu", adapter=other)
    with pytest.raises(UsageError, match=r"thin is not for .*base: .*q_proj its lora_A has size 16, and the model 32"):
        load(base, device="cpu", adapter=thin)
    with pytest.raises(ModelUnavailableError, match=r"there is no folder .*nowhere, and no adapter"):
        load(base, device="cpu", adapter=tmp_path / "nowhere")


def test_a_model_larger_than_the_memory_is_refused_before_it_loads(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_loading, "_free_bytes", lambda device: 1_000)
    with pytest.raises(ModelUnavailableError, match=r"base needs 1\.\d GB|base needs 0\.0 GB") as caught:
        load(base, device="cpu")
    assert "bfloat16" in caught.value.hint


def damaged(base: Path, folder: Path, **options: Any) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError, match=re.escape(str(folder))) as caught:
        load(base, device="cpu", adapter=folder, **options)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("quantize", [None, "4bit"])
@pytest.mark.parametrize("file", ["adapter_config.json", "adapter_model.safetensors"])
@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"\xff\xfe" * 50])
def test_a_damaged_file_of_an_adapter_is_named(
    base: Path, tmp_path: Path, file: str, content: bytes, quantize: Any
) -> None:
    folder = adapter(tmp_path / "adapter", copy.deepcopy(tiny_model(0.1)).float(), 0)
    (folder / file).write_bytes(content)
    assert file in damaged(base, folder, quantize=quantize).message


@pytest.mark.parametrize(("name", "value"), [("r", 3), ("r", 0), ("lora_alpha", "x"), ("peft_type", "NO")])
def test_a_configuration_that_peft_cannot_use_is_blamed_on_the_adapter(
    base: Path, tmp_path: Path, name: str, value: Any
) -> None:
    folder = adapter(tmp_path / "adapter", copy.deepcopy(tiny_model(0.1)).float(), 0)
    said = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    (folder / "adapter_config.json").write_text(json.dumps(said | {name: value}), "utf-8")
    assert f"the adapter {folder} cannot be used" in damaged(base, folder).message


def test_tensors_that_are_missing_or_not_finite_are_told(base: Path, tmp_path: Path) -> None:
    folder = adapter(tmp_path / "adapter", copy.deepcopy(tiny_model(0.1)).float(), 0)
    whole = load_file(folder / "adapter_model.safetensors")
    first = min(whole)
    save_file({key: tensor for key, tensor in whole.items() if key != first}, folder / "adapter_model.safetensors")
    assert f"{first} is not there" in damaged(base, folder).message
    save_file(whole | {first: whole[first] / 0}, folder / "adapter_model.safetensors")
    assert f"{first} has numbers that are not finite" in damaged(base, folder).message


def test_an_adapter_is_given_once_and_by_a_name_that_is_there(base: Path, tmp_path: Path) -> None:
    folder = adapter(tmp_path / "adapter", copy.deepcopy(tiny_model(0.1)).float(), 0)
    with pytest.raises(UsageError, match="is given twice"):
        load(base, device="cpu", adapter=[folder, tmp_path / "." / "adapter"])
    assert "there is no folder" in damaged(base, tmp_path / "nothing").message


@pytest.mark.parametrize("option", ["merge", "lines"])
@pytest.mark.parametrize("wrong", ["no", 1, None])
def test_switches_of_load_are_true_or_false(base: Path, option: str, wrong: Any) -> None:
    with pytest.raises(UsageError, match=f"{option}={wrong!r}: write True or False"):
        load(base, device="cpu", **{option: wrong})


def test_a_device_of_torch_is_a_device(base: Path) -> None:
    assert load(base, device=torch.device("cpu")).denoiser.device.type == "cpu"
