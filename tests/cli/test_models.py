"""`dgsolve models` and `dgsolve models get`."""

import json

import pytest
from typer.testing import CliRunner

from dgsolve import models as catalogue
from dgsolve.cli.models import models
from dgsolve.errors import UsageError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    def write(source, folder):
        (folder / "model.safetensors").write_bytes(b"x" * 2_000_000)

    monkeypatch.setenv("DGSOLVE_CACHE", str(tmp_path))
    monkeypatch.setattr(catalogue, "_load_and_save", write)
    monkeypatch.setattr(catalogue, "_require_readers", lambda file: None)
    monkeypatch.setattr(catalogue, "_packaged", lambda wanted: catalogue.Path("/where/weights.gguf"))
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(models, arguments)


def test_lists_what_there_is_and_how_to_get_it(cache):
    listed = run()
    assert listed.exit_code == 0
    assert " ".join(listed.stdout.split()[:6]) == "smollm2 SmolLM2-135M-Instruct, 135 M parameters, Apache-2.0"
    assert "not here yet: dgsolve models get smollm2" in listed.stdout
    told = json.loads(run("--json").stdout)
    assert told["cache"] == str(cache)
    assert told["models"][0]["parameters"] == 134_515_008 and told["models"][0]["folder"] is None


def test_gets_a_model_and_prints_its_folder_alone(cache):
    got = run("get", "smollm2")
    assert got.exit_code == 0, got.output
    assert got.stdout.strip() == str(cache / "models" / "smollm2")
    assert "converting weights.gguf" in got.stderr
    assert f"{cache / 'models' / 'smollm2'} (2 MB)" in run().stdout
    again = run("get", "smollm2", "--json", "-q")
    told = json.loads(again.stdout)
    assert (told["name"], told["bytes"], told["folder"]) == ("smollm2", 2_000_000, str(cache / "models" / "smollm2"))
    assert again.stderr == ""


def test_an_unknown_name_is_refused():
    refused = run("get", "gpt")
    assert isinstance(refused.exception, UsageError)
    assert refused.exception.hint == "Known: smollm2, diffusion-gemma, diffusion-gemma-9x9."


def test_the_small_diffusion_gemma_is_here_and_says_what_it_can():
    line, place = run().stdout.splitlines()[2:4]
    assert line.startswith("diffusion-gemma a small DiffusionGemma, knows 4x4 and 6x6 Sudokus, ")
    folder = run("get", "diffusion-gemma").stdout.strip()
    assert folder.endswith("diffusion-gemma") and place.split()[0] == folder
    told = json.loads(run("--json").stdout)["models"][1]
    config = json.loads((catalogue.Path(folder) / "config.json").read_text())
    assert told["get"] is None and told["bytes"] > 4 * told["parameters"] > 1_000_000
    assert config["model_type"] == "diffusion_gemma"
