"""Types named as module:Model: what fails is named, and what a module prints is no answer."""

import sys

import pytest

from dgsolve.errors import UsageError
from dgsolve.output_types import load_type


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import no_such_thing_at_all", "ModuleNotFoundError: No module named 'no_such_thing_at_all'"),
        ("raise KeyError('odd')", "KeyError: 'odd'"),
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("def (:", "SyntaxError"),
        ("raise ValueError('odd')", "ValueError: odd"),
    ],
)
def test_modules_that_fail_are_named(tmp_path, monkeypatch, source, said):
    (tmp_path / "failing_types.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "failing_types", raising=False)
    with pytest.raises(UsageError, match="'failing_types' fails when it is imported") as caught:
        load_type("failing_types:Model")
    assert said in str(caught.value)


def test_names_inside_what_has_none():
    with pytest.raises(UsageError, match="no 'wings'"):
        load_type("sys:maxsize.wings")


def test_what_a_module_prints_is_no_answer(tmp_path, monkeypatch, capsys):
    (tmp_path / "printing_types.py").write_text("print('loaded')\nclass Model: pass")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "printing_types", raising=False)
    load_type("printing_types:Model")
    assert capsys.readouterr() == ("", "loaded\n")
