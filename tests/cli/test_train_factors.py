"""`dgsolve train factors` on a few puzzles."""

import pytest
import torch
from typer.testing import CliRunner

import dgsolve
from dgsolve.cli.train import train
from dgsolve.errors import UsageError
from dgsolve.train import grid_pool


@pytest.fixture(autouse=True)
def few_puzzles(monkeypatch):
    monkeypatch.setattr(grid_pool, "COUNTS", {"kakuro": 2, "n_queens": 1})
    monkeypatch.setattr(grid_pool, "EASY", 1.0)


def run(*arguments):
    return CliRunner().invoke(train, ["factors", *map(str, arguments)])


def test_trains_writes_weights_and_goes_on(tmp_path):
    folder = tmp_path / "runs" / "factors"
    small = ["--message", "4", "--batch", "2"]
    result = run(folder, *small, "--minutes", "0.02")
    assert result.exit_code == 0, result.output
    assert "Weights after" in result.stderr and result.stdout == ""
    written = {"puzzles.jsonl", "checkpoint.pt", "model.safetensors", "config.json"}
    assert {path.name for path in folder.iterdir()} == written
    assert dgsolve.load(str(folder)).factor_network.factor_message == 4

    first = torch.load(folder / "checkpoint.pt", weights_only=True)
    longer = first["elapsed"] / 60 + 0.01  # all runs together: a slow machine's first step may take long
    assert run(folder, *small, "--minutes", longer).exit_code == 0
    assert torch.load(folder / "checkpoint.pt", weights_only=True)["step"] > first["step"] > 0
    refused = run(folder, "--minutes", "1")
    assert isinstance(refused.exception, UsageError)
    assert "holds a run with --message 4" in str(refused.exception)
