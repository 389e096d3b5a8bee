"""Bad input of the JSON side gets an error of dgsolve's own that names the place and the next step."""

import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
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
from dgsolve.language.algebra import literal
from dgsolve.language.json_schema.dialect import URIS
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


@pytest.mark.parametrize(("depth", "said"), [(200, "more than 100 objects"), (10_000, "more than 500 arrays and obj")])
def test_fill_may_not_be_nested_without_end(depth, said):
    value: object = 1
    for _ in range(depth):
        value = {"a": value}
    with pytest.raises(SchemaError, match=said):
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


def _pointing_to(part: object, place: str = "foo") -> dict[str, object]:
    """A schema with a part where no draft looks for schemas, and a reference to it."""
    return {place: part, "properties": {"a": {"$ref": f"#/{place}"}}, "required": ["a"], "type": "object"}


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword"),
    [
        (_pointing_to({"items": 4, "type": "array"}), "/foo", "items"),
        (_pointing_to({"multipleOf": 0, "type": "number"}), "/foo", "multipleOf"),
        (_pointing_to({"type": "strin"}), "/foo", "type"),
        (_pointing_to({"pattern": "("}), "/foo", "pattern"),
        (_pointing_to({"allOf": [{"properties": {"b": {"required": 3}}}]}), "/foo/allOf/0/properties/b", "required"),
        ({"$schema": URIS[7]} | _pointing_to({"items": 4}, "$defs"), "/$defs", "items"),
    ],
)
def test_what_a_reference_leads_to_has_to_be_a_schema(schema, pointer, keyword):
    with pytest.raises(SchemaError) as caught:
        compile_form(schema).acceptor()
    assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword)


@pytest.mark.parametrize("step", [Decimal("1e9999"), Decimal("1e-9999"), 10**4000, 10**4000 + 1, 1e300, 5e-324])
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_steps_of_many_digits_are_left_to_the_judge(kind, step):
    form = compile_form({"type": kind, "multipleOf": step})
    started = time.process_time()
    assert form.accepts("0") and time.process_time() - started < 10
    assert [use.enforced for use in form.keywords if use.keyword == "multipleOf"] == ["validator"]


def test_integers_too_long_are_named_by_place():
    with pytest.raises(SchemaError, match="more than 4,300 digits") as caught:
        compile_form({"properties": {"a": {"enum": [1, 10**5000]}}})
    assert caught.value.pointer == "/properties/a/enum/1"


def _shared(times: int, wrap: Callable[[object], object]) -> object:
    part: object = {"type": "string"}
    for _ in range(times):
        part = wrap(part)
    return part


@pytest.mark.parametrize(
    "given",
    [
        lambda: _shared(40, lambda part: {"properties": {"a": part, "b": part}}),
        lambda: {"enum": [_shared(40, lambda part: [part, part])]},
        lambda: {"description": ["x" * 1_000_000] * 100},
    ],
)
def test_schemas_that_share_their_parts_without_end_are_refused_at_once(given):
    schema, started = given(), time.process_time()
    with pytest.raises(SchemaError, match="more than 50,000,000 characters"):
        compile_form(schema)
    with pytest.raises(SchemaError, match="more than 50,000,000 characters"):
        compile_form({}).filled(schema)
    assert time.process_time() - started < 1


def test_schemas_that_share_a_few_parts_are_read():
    assert compile_form(_shared(3, lambda part: {"properties": {"a": part}, "not": {"const": 1}})).accepts('{"a": {}}')


def test_schemas_that_hold_themselves_or_share_to_great_depth_are_refused():
    ring: dict[str, object] = {"type": "array"}
    ring["items"] = ring
    with pytest.raises(SchemaError, match="holds itself"):
        compile_form(ring)
    low = _shared(300, lambda part: {"items": part})
    high: object = low
    for _ in range(300):
        high = {"items": high}
    with pytest.raises(SchemaError, match="more than 500 arrays and objects"):
        compile_form({"anyOf": [low, high]})


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [{"a": number, "b": str(number * 7919)} for number in range(10_000)]},
        {"properties": {f"k{number}": {"type": "integer"} for number in range(30_000)}},
    ],
)
def test_what_is_too_large_is_refused_before_the_work(schema):
    started = time.process_time()
    with pytest.raises(UnsupportedSchemaError, match="more than 100,000 states"):
        compile_form(schema).acceptor()
    assert time.process_time() - started < 15


def test_the_shortest_of_long_texts_takes_no_memory_for_each_of_its_beginnings():
    acceptor = literal(b"x" * 20_000)
    tracemalloc.start()
    shortest = acceptor.shortest
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert shortest == b"x" * 20_000 and peak < 20_000_000


def test_what_a_module_prints_is_no_answer(tmp_path, monkeypatch, capsys):
    (tmp_path / "printing_types.py").write_text("print('loaded')\nclass Model: pass")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "printing_types", raising=False)
    load_type("printing_types:Model")
    assert capsys.readouterr() == ("", "loaded\n")


def test_little_is_imported_before_ctrl_c_is_seen_to():
    code = "import sys; sys.modules.pop('typing', None); import dgsolve.cli; print('typing' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
