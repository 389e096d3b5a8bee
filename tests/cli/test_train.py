"""`dgsolve train relational` on a tiny pool."""

import json

import pytest
import torch
from typer.testing import CliRunner

import dgsolve
from dgsolve.cli.train import train
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.train import pools

SMALL = ["--hidden", "8", "--message", "6", "--minutes", "0.02"]


@pytest.fixture(autouse=True)
def tiny_plans(monkeypatch):
    plans = (pools.PoolPlan(0.7, 2, 2, minimal=20), pools.PoolPlan(0.3, 2, 3, minimal=4, blanks=(0.5, 0.6)))
    monkeypatch.setattr(pools, "PLANS", plans)


def run(*arguments):
    return CliRunner().invoke(train, ["relational", *map(str, arguments)])


def test_trains_writes_weights_and_goes_on(tmp_path):
    folder = tmp_path / "runs" / "mine"
    result = run(folder, *SMALL)
    assert result.exit_code == 0, result.output
    assert "Weights after" in result.stderr and result.stdout == ""
    assert {path.name for path in folder.iterdir()} == {"puzzles", "checkpoint.pt", "model.safetensors", "config.json"}
    assert json.loads((folder / "config.json").read_text()) == {"hidden": 8, "message": 6, "iterations": 10}

    denoiser = dgsolve.load(str(folder))
    assert (denoiser.network.hidden, denoiser.network.message) == (8, 6)
    puzzle = dgsolve.Sudoku.parse(".3....4.....1..2")
    assert dgsolve.solve(puzzle, denoiser).status in (dgsolve.Status.FEASIBLE, dgsolve.Status.UNKNOWN)

    weights = [parameter.clone() for parameter in denoiser.network.parameters()]
    first = torch.load(folder / "checkpoint.pt", weights_only=True)
    longer = first["elapsed"] / 60 + 0.01  # all runs together: a slow machine's first step may take long
    again = run(folder, *SMALL[:-1], longer)
    assert again.exit_code == 0, again.output
    assert torch.load(folder / "checkpoint.pt", weights_only=True)["step"] > first["step"] > 0
    trained = dgsolve.load(str(folder)).network.parameters()
    assert not all(torch.equal(old, new) for old, new in zip(weights, trained, strict=True))

    refused = run(folder, "--hidden", "16", "--message", "6", "--minutes", "1")
    assert isinstance(refused.exception, UsageError)
    assert "holds a run with --hidden 8 --message 6" in str(refused.exception)
    assert refused.exception.hint == "Give these widths, or another folder."


def test_a_broken_checkpoint_is_told_before_anything_is_generated(tmp_path):
    (tmp_path / "checkpoint.pt").write_bytes(b"no checkpoint")
    result = run(tmp_path, *SMALL)
    assert isinstance(result.exception, ModelUnavailableError)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]
