"""`dgsolve train diffusion-gemma` on a tiny model."""

import json

import pytest
import torch
from typer.testing import CliRunner

from dgsolve.cli import train_diffusion_gemma as command
from dgsolve.cli.train import train
from dgsolve.errors import UsageError

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script_method` is deprecated:DeprecationWarning")

SMALL = ["--hidden", "32", "--layers", "2", "--batch", "2"]


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "echo.jsonl"
    path.write_text("\n".join(json.dumps({"prompt": f"Say {n}", "answer": str(n)}) for n in range(10, 14)))
    return path


def run(*arguments):
    return CliRunner().invoke(train, ["diffusion-gemma", *map(str, arguments)])


def test_trains_on_given_pairs_and_goes_on(tmp_path, pairs) -> None:
    (tmp_path / "echo_held_out.jsonl").write_text(json.dumps({"prompt": "Say 15", "answer": "15"}) + "\n")
    folder = tmp_path / "runs" / "mine"
    result = run(folder, *SMALL, "--data", pairs, "--steps", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout == "" and "A model after 3 steps" in result.stderr
    assert "echo 0 of 1" in result.stderr and "step 3 · loss " in result.stderr
    assert {path.name for path in folder.iterdir()} == {"checkpoint.pt", "model"}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {
        path.name for path in (folder / "model").iterdir()
    }

    longer = run(folder, *SMALL, "--data", pairs, "--steps", "5")
    assert "A model after 5 steps" in longer.stderr
    assert torch.load(folder / "checkpoint.pt", weights_only=True)["step"] == 5

    refused = run(folder, "--hidden", "64", "--layers", "2", "--data", pairs)
    assert isinstance(refused.exception, UsageError)
    assert "holds a run with --hidden 32 --layers 2" in str(refused.exception)


def test_makes_its_own_sudokus(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(command, "PUZZLES", 4)
    monkeypatch.setattr(command, "TEST_PUZZLES", 1)
    result = run(tmp_path, *SMALL, "--steps", "1")
    assert result.exit_code == 0, result.output
    assert "sudoku_16char 0 of 1 · sudoku_36char 0 of 1" in result.stderr
    assert len((tmp_path / "sudoku_36char.jsonl").read_text().splitlines()) == 4


def test_a_missing_file_is_told_before_a_step(tmp_path) -> None:
    result = run(tmp_path / "mine", *SMALL, "--data", tmp_path / "none.jsonl")
    assert isinstance(result.exception, UsageError) and "none.jsonl cannot be read" in str(result.exception)
    assert not (tmp_path / "mine").exists()
