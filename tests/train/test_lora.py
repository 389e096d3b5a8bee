"""Training of LoRA adapters, on a tiny model."""

import dataclasses
import json

import pytest
import torch

from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.loading import load
from dgsolve.train.diffusion_gemma import CHECKPOINT, train
from dgsolve.train.lora import LoraSettings, LoraState, load_base
from dgsolve.train.small_model import SmallModel
from dgsolve.train.small_tokenizer import small_tokenizer
from dgsolve.train.text_pairs import PairTokens, TextPair

peft = pytest.importorskip("peft", reason="adapters need peft")

TINY = LoraSettings(batch=4, learning_rate=1e-2, warmup_steps=1, steps=6, rank=4)
ECHO = [TextPair(f"Say {number}", str(number)) for number in range(10, 20)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "base"
    dataclasses.replace(SmallModel.of_width(32, 3), canvas_length=6).create(0).save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    return folder


def trained(folder, settings=TINY, out=None, state=None):
    base, tokenizer, end = load_base(str(folder), "cpu")
    state = LoraState.create(base, settings) if state is None else state
    reports = []
    train(state, [PairTokens(ECHO, tokenizer, end, 6)], out, save_every=0.0, on_report=reports.append)
    return state, reports


def test_it_learns_in_the_adapter_alone_which_is_loaded_as_any_other(folder, tmp_path) -> None:
    base = load_base(str(folder), "cpu")[0]
    before = {name: weight.clone() for name, weight in base.named_parameters()}
    state, reports = trained(folder, dataclasses.replace(TINY, steps=120), tmp_path)
    losses = [report["loss"] for report in reports]
    assert sum(losses[-5:]) < sum(losses[:5]) - 0.5  # of a base that knows nothing
    learnt = {name for name, weight in state.wrapped.named_parameters() if weight.requires_grad}
    assert learnt and all("lora_" in name for name in learnt)
    assert {name.split(".lora_")[0].split(".")[-1] for name in learnt} == {
        *("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    }
    assert {name.split(".layers.")[0].split(".")[-1] for name in learnt} == {"decoder", "language_model"}
    for name, weight in state.model.named_parameters():
        if "lora_" not in name:
            assert torch.equal(weight, before[name.replace(".base_layer", "")])

    state.export(tmp_path / "adapter")
    asked = {"input_ids": torch.arange(5)[None], "decoder_input_ids": torch.arange(6)[None]}
    with torch.no_grad():
        expected, plain = state.model.eval()(**asked).logits, base(**asked).logits
        for merge in (False, True):
            model = load(folder, device="cpu", adapter=tmp_path / "adapter", merge=merge).denoiser.model
            torch.testing.assert_close(model(**asked).logits, expected, rtol=1e-3, atol=1e-3)
    assert (expected - plain).abs().max() > 0.1


def test_a_stopped_run_goes_on_to_the_same_adapter(folder, tmp_path) -> None:
    whole, _ = trained(folder, out=tmp_path)
    half = LoraState.create(load_base(str(folder), "cpu")[0], TINY)
    stop = iter(range(3))

    class Enough(Exception):
        pass

    def count(elapsed: float) -> None:
        LoraState.count_step(half, elapsed)
        if next(stop) == 2:
            raise Enough

    half.count_step = count
    with pytest.raises(Enough):
        trained(folder, out=tmp_path, state=half)
    resumed = LoraState.load(tmp_path / CHECKPOINT, load_base(str(folder), "cpu")[0])
    assert resumed.step == 3
    trained(folder, out=tmp_path, state=resumed)
    pairs = zip(whole.wrapped.named_parameters(), resumed.wrapped.parameters(), strict=True)
    assert resumed.step == 6
    for (name, expected), got in pairs:
        torch.testing.assert_close(got, expected, msg=name)


def test_a_file_that_is_no_checkpoint_is_told(folder, tmp_path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"none")
    with pytest.raises(ModelUnavailableError, match="is no checkpoint of an adapter of this model"):
        LoraState.load(tmp_path / CHECKPOINT, load_base(str(folder), "cpu")[0])


def test_an_adapter_goes_on_with_its_own_base_alone(folder, tmp_path) -> None:
    state, _ = trained(folder, dataclasses.replace(TINY, steps=1), tmp_path)
    assert LoraState.load(tmp_path / CHECKPOINT, load_base(str(folder), "cpu")[0]).base == state.base
    other = dataclasses.replace(SmallModel.of_width(32, 3), canvas_length=6).create(1)
    with pytest.raises(ModelUnavailableError, match="is of an adapter of another base"):
        LoraState.load(tmp_path / CHECKPOINT, other)


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_the_last_checkpoint(folder, tmp_path) -> None:
    state, _ = trained(folder, dataclasses.replace(TINY, steps=2), tmp_path)
    before = (tmp_path / CHECKPOINT).read_bytes()
    state.settings = dataclasses.replace(TINY, steps=4)
    with torch.no_grad():
        next(weight for weight in state.model.parameters() if weight.requires_grad).fill_(torch.nan)
    with pytest.raises(UsageError, match="the loss of step 3 is nan") as caught:
        trained(folder, out=tmp_path, state=state)
    assert "lower learning rate" in caught.value.hint
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_an_adapter_names_its_base_as_it_was_asked_for_and_nobody_asks_the_hub_of_it(tmp_path, monkeypatch) -> None:
    hub = "peft.utils.save_and_load.check_file_exists_on_hf_hub"
    monkeypatch.setattr(hub, lambda *_: pytest.fail("the Hub was asked"))
    base, _, _ = load_base("diffusion-gemma", "cpu")
    state = LoraState.create(base, TINY)
    state.export(tmp_path)
    state.save(tmp_path / CHECKPOINT)
    load("diffusion-gemma", adapter=tmp_path)
    said = json.loads((tmp_path / "adapter_config.json").read_text())
    assert said["base_model_name_or_path"] == "diffusion-gemma"
