"""`dgsolve json` and `dgsolve check`, with the random denoiser: the form comes from the rules alone."""

import io
import json
import sys

import pytest

from dgsolve.cli.app import run
from dgsolve.ui.trace import load_trace

SHORT = "name, age int"
QUICK = ["--model", "random", "--draw", "--max-new-tokens", "300"]


@pytest.fixture(autouse=True)
def nothing_is_piped(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))


def piped(monkeypatch, text: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))


def test_the_answer_alone_is_on_stdout(capsys):
    assert run(["json", "Maria is 34", "--schema", "a int, b: x|y", *QUICK]) == 0
    out, err = capsys.readouterr()
    value = json.loads(out)
    assert isinstance(value["a"], int) and value["b"] in ("x", "y")
    assert "seed 0" in err


@pytest.mark.parametrize("as_file", [True, False])
def test_a_schema_is_json_or_a_file(capsys, tmp_path, as_file):
    schema = '{"enum": [[1, 2], {"a": null}]}'
    file = tmp_path / "enum.json"
    file.write_text(schema)
    assert run(["json", "one", "--schema", str(file) if as_file else schema, *QUICK]) == 0
    assert json.loads(capsys.readouterr().out) in ([1, 2], {"a": None})


def test_the_envelope(capsys):
    assert run(["json", "one", "--schema", '{"type": "boolean"}', "--json", "--seed", "4", *QUICK]) == 0
    found = json.loads(capsys.readouterr().out)
    fields = "output text confidence steps attempts usage seed finish_reason seconds model"
    assert set(found) >= set(fields.split())
    assert json.loads(found["text"]) is found["output"]
    assert set(found["usage"]) == {"prompt_tokens", "completion_tokens", "passes", "thinking_tokens"}
    assert found["seed"] == 4 and found["model"] == "random" and found["finish_reason"] == "stop"


def test_a_thought_needs_a_model_that_marks_it(capsys):
    assert run(["json", "one", "--schema", '{"type": "boolean"}', "--thinking", "9", *QUICK]) == 2
    assert "no thinking markers" in capsys.readouterr().err
    marked = ["--thinking", "9", "--thinking-markers", "<a>", "</a>"]
    assert run(["json", "one", "--schema", '{"type": "boolean"}', *marked, *QUICK]) == 2
    assert "'<a>' is no token of its own" in capsys.readouterr().err


def test_how_probable_each_choice_was_is_told_where_it_is_asked_for(capsys):
    asked = ["json", "one", "--schema", '{"type": "boolean"}', "--json", *QUICK]
    assert run(asked) == 0 and "distribution" not in json.loads(capsys.readouterr().out)
    assert run([*asked, "-v"]) == 0
    out, err = capsys.readouterr()
    shares = json.loads(out)["distribution"][""]
    assert set(shares) == {"true", "false"} and sum(shares.values()) == pytest.approx(1)
    assert f"the whole: {max(shares, key=shares.get)} {max(shares.values()):.1%}" in err


def test_a_prompt_can_be_piped_before_the_one_that_is_written(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("dgsolve.cli.json_run.run", lambda request, *_, **__: asked.append(request.prompt) or 0)
    for prompt in ([], ["-"], ["Who?"]):
        piped(monkeypatch, "Grüße\n".encode())
        assert run(["json", *prompt, "--schema", '{"const": 1}', *QUICK]) == 0
    assert asked == ["Grüße", "Grüße", "Grüße\n\nWho?"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["json", "x"], 2, "--schema"),
        (["json", "--schema", SHORT], 2, "no prompt"),
        (["json", "-", "--schema", SHORT], 2, "no prompt"),
        (["json", "x", "--schema", "{oops"], 2, "is not JSON"),
        (["json", "x", "--schema", "no/such.json"], 2, "no file"),
        (["json", "x", "--schema", '{"type": "strin"}'], 2, "strin"),
        (["json", "x", "--schema", '{"allOf": [{"type": "string"}, {"type": "null"}]}'], 3, "schema"),
        (["json", "x", "--schema", '{"minLength": 40, "type": "string"}', "--max-new-tokens", "9"], 2, "shortest"),
        (["json", "x", "--schema", "no_such_module:Thing"], 2, "no_such_module"),
        (["json", "x", "--schema", SHORT, "--fill", "{"], 2, "--fill"),
        (["json", "x", "--schema", SHORT, "--model", "no/such"], 2, "no/such"),
        (["check", '{"type": "strin"}'], 2, "strin"),
    ],
)
def test_what_cannot_work_is_told_with_its_exit_code(capsys, arguments, code, said):
    arguments = [*arguments, *(["--model", "random"] if arguments[0] == "json" and "--model" not in arguments else [])]
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert out == "" and said in err


def test_an_error_is_on_stdout_too_for_a_program(capsys):
    assert run(["json", "x", "--schema", '{"type": "strin"}', "--json", "--model", "random"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["type"] == "SchemaError" and error["keyword"] == "type"


def test_a_trace_is_kept(capsys, tmp_path):
    trace = tmp_path / "trace.jsonl"
    assert run(["json", "x", "--schema", '{"enum": [1, 2]}', "--save-trace", str(trace), *QUICK]) == 0
    out, err = capsys.readouterr()
    answer = out.strip()
    assert f"Wrote the steps to {trace}; play them with: dgsolve replay {trace}" in err
    last = load_trace(trace)[-1]
    assert last.problem.decode(last.values) == "".join(last.problem.pieces(last.values)) == answer


def test_a_trace_is_told_of_where_the_answer_failed_and_not_where_there_is_no_step(capsys, tmp_path):
    schema = '{"items": {"type": "boolean"}, "type": "array", "minItems": 3, "uniqueItems": true}'
    arguments = ["json", "x", "--schema", schema, "--save-trace", str(tmp_path / "trace"), *QUICK]
    assert run([*arguments, "--attempts", "2"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("Wrote the steps to ") and "2 texts" in err
    assert run([*arguments, "--max-new-tokens", "2"]) == 2
    assert "Wrote the steps" not in capsys.readouterr().err


def test_a_trace_of_json_is_exported_with_its_looks(capsys, tmp_path):
    trace, picture = tmp_path / "trace.jsonl", tmp_path / "run.svg"
    assert run(["json", "who <is> it?", "--schema", '{"const": {"a": 1}}', "--save-trace", str(trace), *QUICK]) == 0
    assert run(["replay", str(trace), "-o", str(picture)]) == 0
    assert load_trace(trace)[0].problem.text == "who <is> it?\n\nAnswer with JSON only."
    assert '<tspan class="forced">{&quot;a&quot;:</tspan>' in picture.read_text("utf-8")


def test_check_says_what_enforces_each_keyword(capsys):
    assert run(["check", '{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}', "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    enforced = {use["keyword"]: use["enforced"] for use in report["keywords"]}
    assert enforced["items"] == "automaton" and enforced["uniqueItems"] == "validator"
    assert report["shortest"] == "[]"
