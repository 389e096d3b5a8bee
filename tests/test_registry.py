"""Problems and denoisers by name."""

from importlib.metadata import EntryPoint

import pytest

from dgsolve import registry
from dgsolve.denoisers.base import Denoiser
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.problem import Problem


def test_built_ins_come_by_the_public_door():
    assert registry.names(registry.PROBLEMS) == ["grid", "sudoku", "text"]
    assert registry.names(registry.DENOISERS) == ["causal", "diffusion-gemma", "random", "relational"]


@pytest.mark.parametrize(("group", "base"), [(registry.PROBLEMS, Problem), (registry.DENOISERS, Denoiser)])
def test_what_is_registered_knows_its_own_name(group, base):
    for name in registry.names(group):
        found = registry.find(group, name)
        assert issubclass(found, base) and found.name == name


def test_unknown_names_are_told_with_the_known_ones():
    with pytest.raises(UsageError, match="no denoiser called 'magic'") as caught:
        registry.find(registry.DENOISERS, "magic")
    assert caught.value.hint == "Known: causal, diffusion-gemma, random, relational."


def test_without_entry_points_the_hint_says_to_install(monkeypatch):
    monkeypatch.setattr(registry, "entry_points", lambda group: [])
    with pytest.raises(UsageError) as caught:
        registry.find(registry.PROBLEMS, "sudoku")
    assert "pip" in caught.value.hint


def test_another_packages_entry_is_found_once_and_a_broken_one_is_told(monkeypatch):
    entries = [
        EntryPoint("path", "pathlib:Path", registry.DENOISERS),
        EntryPoint("path", "pathlib:Path", registry.DENOISERS),
        EntryPoint("broken", "no_such_package:Thing", registry.DENOISERS),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    assert registry.names(registry.DENOISERS) == ["broken", "path"]
    assert registry.find(registry.DENOISERS, "path").__name__ == "Path"
    with pytest.raises(ModelUnavailableError, match=r"'broken' cannot be loaded.*no_such_package") as caught:
        registry.find(registry.DENOISERS, "broken")
    assert isinstance(caught.value.__cause__, ImportError)
