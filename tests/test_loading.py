"""Models by name: what a name was looked for as, and what kinds of models there are."""

import json

import pytest

from dgsolve import models
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.loading import load, load_model


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt2", "no model called 'gpt2': no known name (smollm2, diffusion-gemma, diffusion-gemma-9x9, "),
        ("smolm2", "no model called 'smolm2' (did you mean 'smollm2'?)"),
        ("/no/such/folder", "there is no folder /no/such/folder"),
        ("./here", "there is no folder ./here"),
        ("~/no/such/folder", "/no/such/folder"),
        (__file__, "is a file; a model is a folder"),
        (None, "a model is loaded by name or folder, not by None"),
        (3, "a model is loaded by name or folder, not by 3"),
    ],
)
def test_a_name_that_can_be_none_is_told_what_it_was_taken_for(name, said):
    with pytest.raises(UsageError) as caught:
        load(name)
    assert said in str(caught.value) and "dgsolve models" in caught.value.hint
    assert "Transformers causal language model" in caught.value.hint and "owner/name" in caught.value.hint


def test_a_folder_without_a_model_is_told_what_it_lacks(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UsageError, match="has no model: no config"):
        load(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "no_such_kind"}))
    with pytest.raises(ModelUnavailableError, match="has no weights: no") as caught:
        load(tmp_path, device="cpu")
    assert "save_pretrained" in caught.value.hint
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelUnavailableError, match=r"knows: its config\.json says 'no_such_kind'") as caught:
        load(tmp_path, device="cpu")
    assert "newer transformers" in caught.value.hint


def test_a_name_on_the_hub_is_asked_for_there(monkeypatch):
    said, asked = [], []

    def unreachable(name):
        asked.append(name)
        raise OSError("no network")

    monkeypatch.setattr(models, "reach_hub", unreachable)
    with pytest.raises(ModelUnavailableError, match=r"no folder some/hub-id is here, .* no network\n") as caught:
        load_model("some/hub-id", said.append)
    assert asked == ["some/hub-id"] and said == ["Fetching some/hub-id from the Hugging Face Hub"]
    assert "https://huggingface.co/some/hub-id" in caught.value.hint and "dgsolve models" in caught.value.hint


def test_a_model_that_the_hub_does_not_have_is_told_so(monkeypatch):
    from huggingface_hub.errors import RepositoryNotFoundError

    class Missing(RepositoryNotFoundError):
        def __init__(self):
            Exception.__init__(self, "404")

    def missing(name):
        raise Missing

    monkeypatch.setattr(models, "reach_hub", missing)
    with pytest.raises(ModelUnavailableError, match="the Hugging Face Hub has no model of that name"):
        load("some/hub-id")


def test_options_that_a_model_does_not_have_are_not_dropped():
    with pytest.raises(UsageError, match="unknown option 'devise'") as caught:
        load("smollm2", devise="cpu")
    assert caught.value.hint == "Write device=."
    with pytest.raises(UsageError, match="relational has no option 'device'"):
        load("relational", device="cpu")
