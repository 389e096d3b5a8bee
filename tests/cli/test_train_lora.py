"""`dgsolve train lora` on a tiny model."""

import json

import pytest
from typer.testing import CliRunner

from dgsolve.cli.train import train
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.train.denoising_loss import denoising_losses
from dgsolve.train.small_model import SmallModel
from dgsolve.train.small_tokenizer import small_tokenizer

pytest.importorskip("peft", reason="adapters need peft")


def run(*arguments):
    return CliRunner().invoke(train, ["lora", *map(str, arguments)])


def test_trains_an_adapter_and_goes_on(tmp_path) -> None:
    base, folder, pairs = tmp_path / "base", tmp_path / "runs" / "mine", tmp_path / "echo.jsonl"
    SmallModel.of_width(32, 2).create(0).save_pretrained(base)
    small_tokenizer().save_pretrained(base)
    pairs.write_text(json.dumps({"prompt": "Say 1", "answer": "1"}))
    asked = (base, folder, "--data", pairs, "--batch", 2, "--device", "cpu")
    result = run(*asked, "--steps", 2, "--rank", 2)
    assert result.exit_code == 0, result.output
    assert result.stdout == "" and "An adapter after 2 steps" in result.stderr
    config = json.loads((folder / "adapter" / "adapter_config.json").read_text())
    assert (config["r"], config["lora_alpha"]) == (2, 4)
    assert "An adapter after 3 steps" in run(*asked, "--steps", 3, "--rank", 2).stderr

    (folder / "adapter").rename(tmp_path / "elsewhere")
    (folder / "adapter").write_text("a file")
    refused = run(*asked, "--steps", 4, "--rank", 2)
    assert isinstance(refused.exception, UsageError)
    assert "adapter is a file, and adapter of this run is a folder" in str(refused.exception)

    refused = run(*asked, "--rank", 3)
    assert isinstance(refused.exception, UsageError)
    assert "holds a run with --rank 2" in str(refused.exception)


def test_whole_share_says_how_many_canvases_are_as_long_as_in_use(tmp_path, monkeypatch) -> None:
    base, pairs = tmp_path / "base", tmp_path / "echo.jsonl"
    SmallModel.of_width(32, 2).create(0).save_pretrained(base)
    small_tokenizer().save_pretrained(base)
    pairs.write_text(json.dumps({"prompt": "Say 1", "answer": "1"}))
    slots = []

    def seen(model, batch, *rest):
        slots.append(batch.canvas.shape[1])
        return denoising_losses(model, batch, *rest)

    monkeypatch.setattr("dgsolve.train.diffusion_gemma.denoising_losses", seen)
    for share in (0, 1):
        run(base, tmp_path / f"{share}", "--data", pairs, "--steps", 1, "--device", "cpu", "--whole-share", share)
    assert slots == [2, SmallModel().canvas_length]


def test_a_folder_without_a_model_is_told(tmp_path) -> None:
    (tmp_path / "echo.jsonl").write_text(json.dumps({"prompt": "Say 1", "answer": "1"}))
    result = run(tmp_path, tmp_path / "mine", "--data", tmp_path / "echo.jsonl")
    assert isinstance(result.exception, ModelUnavailableError)
    assert not (tmp_path / "mine").exists()


def test_pairs_that_do_not_fit_are_told_before_a_step(tmp_path) -> None:
    base, pairs = tmp_path / "base", tmp_path / "long.jsonl"
    SmallModel.of_width(32, 2).create(0).save_pretrained(base)
    small_tokenizer().save_pretrained(base)
    rows = [{"prompt": "Say 1", "answer": "1"}, {"prompt": "Say " + "1" * 3000, "answer": "1"}]
    pairs.write_text("\n".join(map(json.dumps, rows)))
    result = run(base, tmp_path / "mine", "--data", pairs, "--device", "cpu")
    assert isinstance(result.exception, UsageError)
    assert "long.jsonl:2: the prompt has 3," in str(result.exception) and "2,048 tokens" in str(result.exception)
    assert not (tmp_path / "mine").exists()
