"""Bad input of the JSON side gets an error of dgsolve's own that names the place and the next step."""

import json
import sys
from decimal import Decimal

import pytest
from pydantic import BaseModel, field_validator

from dgsolve.checking import check
from dgsolve.cli.exits import Exit, of_error
from dgsolve.errors import (
    DgsolveError,
    IncompleteOutputError,
    SchemaError,
    UnsupportedSchemaError,
    UsageError,
)
from dgsolve.forms import compile_form
from dgsolve.language import json_text
from dgsolve.output_types import Choice, OutputType, Regex, load_type


def test_a_long_pointer_does_not_bury_the_message():
    error = SchemaError("is wrong", pointer="/items" * 10_000, keyword="type")
    assert len(str(error)) < 300 and str(error).endswith("is wrong")
    assert error.pointer == "/items" * 10_000
    assert "\x1b" not in str(SchemaError("is wrong", pointer="/properties/\x1b[2J"))


def test_integers_of_any_length_are_read():
    digits = "9" * 5000
    assert json_text.plain(f'[{digits}, 2.5, "a"]') == [int(Decimal(digits)), 2.5, "a"]
    assert OutputType.of({"type": "integer"}).parse(digits) == 10**5000 - 1
    with pytest.raises(DgsolveError):
        OutputType.of(int).parse(digits)


@pytest.mark.parametrize("raised", [KeyError("odd"), TypeError("odd"), RuntimeError("odd"), SystemExit(0)])
def test_validators_that_fail_are_named(raised):
    class Strange(BaseModel):
        flag: bool

        @field_validator("flag")
        @classmethod
        def refuse(cls, flag: bool) -> bool:
            raise raised

    with pytest.raises(UsageError, match=f"validator .* failed .*{type(raised).__name__}") as caught:
        OutputType.of(Strange).parse('{"flag": true}')
    assert caught.value.__cause__ is raised and "ValueError" in caught.value.hint


def test_types_whose_own_code_fails_are_named():
    class Strange:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            raise ZeroDivisionError("odd")

    with pytest.raises(SchemaError, match="Strange fails when its schema is asked for: ZeroDivisionError: odd"):
        OutputType.of(Strange)


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


def test_choices_are_texts_that_can_be_written():
    with pytest.raises(UsageError, match="option 1 of Choice has half a character"):
        Choice(["a", "\ud800"])
    assert len(Choice([str(number) for number in range(50_000)]).options) == 50_000


@pytest.mark.parametrize("given", [Regex("a{1,300000}"), Choice(["x" * 1_000_000])])
def test_texts_whose_automaton_is_too_large_are_refused(given):
    with pytest.raises(UnsupportedSchemaError, match="an automaton of more than") as caught:
        compile_form(given)
    assert len(str(caught.value)) < 300 and caught.value.hint


def test_fill_may_not_be_nested_without_end():
    value: object = 1
    for _ in range(10_000):
        value = {"a": value}
    with pytest.raises(SchemaError, match="more than 100 objects"):
        compile_form({}).filled(value)


@pytest.mark.parametrize("name", [[], {}, [1], {"a": []}])
def test_a_draft_is_named_by_a_text(name):
    with pytest.raises(SchemaError) as caught:
        compile_form({"$schema": name, "type": "integer"}).acceptor()
    assert caught.value.keyword == "$schema"


def test_integers_too_long_for_a_schema_are_not_called_deep():
    with pytest.raises(SchemaError) as caught:
        compile_form({"minimum": 10**5000}).acceptor()
    assert "integer" in str(caught.value) and "Nest" not in caught.value.hint


def test_a_long_reference_is_cut():
    with pytest.raises(SchemaError, match="points to nothing") as caught:
        compile_form({"$ref": "#/" + "a/" * 100_000}).acceptor()
    assert len(str(caught.value)) < 300


def test_tokenizers_are_looked_for_on_this_machine_only(tmp_path):
    with pytest.raises(UsageError, match="no tokenizer called 'nope'") as caught:
        check({"type": "integer"}, "nope")
    assert "smollm2" in caught.value.hint
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(UsageError, match="no tokenizer can be read from"):
        check({"type": "integer"}, str(tmp_path))


@pytest.mark.parametrize(("late", "code"), [(True, Exit.OUT_OF_TIME), (False, Exit.NO_ANSWER)])
def test_out_of_time_has_an_exit_code_of_its_own(late, code):
    assert of_error(IncompleteOutputError("not complete", text="", usage={}, timed_out=late)) is code


class Shy:
    def __repr__(self) -> str:
        raise RuntimeError("odd")


@pytest.mark.parametrize(
    "make",
    [lambda: 10**5000, lambda: "x" * 10**6, lambda: [1] * 10**6, lambda: ["a" * 1000] * 1000, Shy, lambda: [Shy()]],
)
def test_misuse_is_told_in_a_few_words(make):
    given = make()
    with pytest.raises(SchemaError, match="is no output type") as caught:
        OutputType.of(given)
    assert len(str(caught.value)) < 300 and len(caught.value.hint) < 300
