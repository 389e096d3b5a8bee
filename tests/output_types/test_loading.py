"""Types named as module:Model: what is found, what fails is named, and what a module prints is no answer."""

import re
import sys
from decimal import Decimal

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


def test_types_are_loaded_by_name(tmp_path, monkeypatch):
    (tmp_path / "shapes_of_mine.py").write_text("class Box:\n    class Lid: pass\nimport no_such_thing_at_all\n")
    (tmp_path / "good_shapes.py").write_text("class Box:\n    class Lid: pass\n")
    monkeypatch.chdir(tmp_path)
    assert load_type("good_shapes:Box.Lid").__qualname__ == "Box.Lid"
    assert load_type("decimal:Decimal") is Decimal
    for name, said in [
        ("good_shapes", "names no type"),
        (":Box", "names no type"),
        ("good_shapes:Bix", "good_shapes has no 'Bix'"),
        ("no.such:Box", "there is no module 'no'"),
        ("..a:Box", "cannot be a module"),
        ("os:path", "is a module, not a type"),
    ]:
        with pytest.raises(UsageError, match=re.escape(said)):
            load_type(name)
    with pytest.raises(UsageError, match=r"fails when it is imported.*no_such_thing_at_all"):
        load_type("shapes_of_mine:Box")
