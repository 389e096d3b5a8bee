"""`dgsolve json` and `dgsolve check`, with the random denoiser: the form comes from the rules alone."""

import io
import json
import sys
import time

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
    fields = "output text confidence steps attempts refused usage seed finish_reason seconds model"
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


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_answer_is_not_lost_to_ctrl_c_while_its_choices_are_looked_at(capsys, monkeypatch, more):
    def interrupted(distributions):
        raise KeyboardInterrupt

    monkeypatch.setattr("dgsolve.distribution.Distributions.__iter__", interrupted)
    assert run(["json", "x", "--schema", '{"const": 1}', "--max-new-tokens", "9", *QUICK[:3], "-v", *more]) == 130
    out = capsys.readouterr().out
    assert (json.loads(out)["output"] if more else json.loads(out)) == 1


def test_options_reach_the_generator_and_its_run(monkeypatch):
    asked = []
    monkeypatch.setattr("dgsolve.cli.json_run.run", lambda request, *_, **__: asked.append(request) or 0)
    given = ["--steps", "9", "--t-max", "0.2", "--no-instruct", "--time-limit", "5", "--attempts", "3", "--draw"]
    assert run(["json", "x", "--schema", SHORT, *given]) == 0 and run(["json", "x", "--schema", SHORT]) == 0
    first, second = asked
    assert (first.once["instruct"], first.once["max_new_tokens"], second.once["instruct"]) == (False, 256, True)
    said = {"max_denoising_steps": 9, "t_max": 0.2, "time_limit": 5.0, "attempts": 3, "draw": True}
    assert first.each == {"seed": 0} | said
    assert second.each == {"draw": False, "attempts": 8, "seed": 0, "time_limit": None}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("watched", [True, False])
def test_a_person_sees_what_takes_time_before_the_first_pass(monkeypatch, capsys, watched):
    from dgsolve import loading

    def fetched(name, progress, **_):
        progress(f"Fetching {name} from far away")
        time.sleep(0.3)  # the spinner is drawn a few times a second
        return load_model(name)

    load_model = loading.load_model
    monkeypatch.setattr(loading, "load_model", fetched)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("CI", raising=False)
    if watched:
        monkeypatch.setattr(sys, "stderr", Terminal())
    assert run(["json", "x", "--schema", '{"const": 1}', "--max-new-tokens", "9", *QUICK[:3]]) == 0
    told = sys.stderr.getvalue() if watched else capsys.readouterr().err
    for words in ("Building the schema's automaton ...", "Fetching random from far away ..."):
        assert (words in told) is watched
    assert told.endswith(" seed 0\n") and (watched or told.count("\n") == 1)


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
        (["json", "x", "--schema", SHORT, "--fill", "null"], 2, "--fill null gives nothing"),
        (["json", "x", "--schema", SHORT, "--model", "no/such/folder"], 2, "there is no folder no/such/folder"),
        (["json", "x", "--schema", SHORT, "--fill", '{"agee": 3}'], 2, "--fill at /agee: the output has no 'agee'"),
        (["json", "x", "--schema", SHORT, "--fill", '{"age": "x"}'], 2, '--fill at /age: must be integer, not "x"'),
        (["json", "x", "--schema", '{"const": "a long text"}', "--max-new-tokens", "9"], 2, "--max-new-tokens 14."),
        (["json", "x", "--schema", SHORT, "--time-limit", "-1"], 2, "--time-limit -1.0: write"),
        (["json", "Maria", "is", "34", "--schema", SHORT], 2, "Put the prompt in quotes."),
        (["json", "x", "--schema", SHORT, "-o", "no/such/a.json"], 2, "there is no folder no/such"),
        (["json", "x", "--schema", "app.Order"], 2, "there is no file app.Order"),
        (["json", "x", "--schema", SHORT, "--t-max", "0"], 2, "dgsolve: --t-max 0.0: write a temperature of 0.005"),
        (["check", '{"type": "strin"}'], 2, "strin"),
    ],
)
def test_what_cannot_work_is_told_with_its_exit_code(capsys, arguments, code, said):
    arguments = [*arguments, *(["--model", "random"] if arguments[0] == "json" and "--model" not in arguments else [])]
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert out == "" and said in err


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("--max-tokens", "Write --max-new-tokens. See dgsolve json --help."),
        ("--temperature", "Write --t-max: the temperature of what a causal model draws, with --draw;"),
        ("--n", "call it once for each seed, with --draw: --seed 1, --seed 2."),
        ("--response-format", "Write it as --schema:"),
        ("--stepz", "  See dgsolve json --help."),
    ],
)
def test_options_of_other_libraries_lead_to_those_that_there_are(capsys, option, hint):
    assert run(["json", "x", "--schema", SHORT, option, "1"]) == 2
    assert hint in capsys.readouterr().err


def test_an_error_is_on_stdout_too_for_a_program(capsys):
    assert run(["json", "x", "--schema", '{"type": "strin"}', "--json", "--model", "random"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["type"] == "SchemaError" and error["keyword"] == "type"


LONG = "a word too many " * 600


@pytest.mark.parametrize(
    ("prompt", "more", "said"),
    [
        (LONG, [], "tokens and the answer may have 256, together more than the 2,048 tokens of the model's context"),
        ("a", ["--max-new-tokens", "2048"], "the answer may have 2,048, together more than the 2,048 tokens"),
    ],
)
def test_what_the_model_has_no_room_for_is_told_before_its_weights_are_read(capsys, monkeypatch, prompt, more, said):
    with monkeypatch.context() as patch:
        patch.setattr("dgsolve.loading.load", lambda *_, **__: pytest.fail("weights were read"))
        assert run(["json", prompt, "--schema", '{"const": 1}', "--model", "diffusion-gemma", *more]) == 2
    assert said in capsys.readouterr().err
    short = ["--no-instruct", "--max-new-tokens", "96"]
    assert run(["json", "x" * 1900, "--schema", '{"const": 1}', "--model", "diffusion-gemma", *short]) == 0


NO_SCHEMAS = [("[1]", "an array"), ("3", "a number"), ("null", "null"), ('"x"', "a string")]


@pytest.mark.parametrize(("schema", "kind"), NO_SCHEMAS)
def test_other_json_is_no_schema_whether_written_or_in_a_file(capsys, tmp_path, schema, kind):
    (tmp_path / "schema.json").write_text(schema)
    for given in (schema, str(tmp_path / "schema.json")):
        assert run(["json", "x", "--schema", given, *QUICK]) == 2
        err = capsys.readouterr().err
        assert f"is {kind}, and that is no schema" in err and "a JSON object, true or false" in err
        assert "'name, age int'" in err


def test_what_was_faulted_before_is_told(capsys):
    items = '{"type": "string", "pattern": "^[(a]$", "format": "regex"}'
    schema = f'{{"type": "array", "minItems": 1, "maxItems": 1, "items": {items}}}'
    found = []
    for seed in range(9):
        assert run(["json", "x", "--schema", schema, "--json", "--draw", "--seed", str(seed), *QUICK[:3]]) == 0
        out, err = capsys.readouterr()
        answer = json.loads(out)
        assert len(answer["refused"]) == answer["attempts"] - 1 == err.count("was faulted")
        found += [(answer["refused"][0], err)] if answer["refused"] else []
    (first, err), *_ = found
    assert first["text"] == '["("]'
    (error,) = first["errors"]
    assert error["pointer"] == "/0" and "regex" in error["message"]
    assert f"text 1 was faulted: {error['message']}" in err


def test_an_error_of_a_validator_has_every_text_with_its_faults(capsys):
    schema = '{"items": {"enum": [["a"]]}, "type": "array", "minItems": 3, "uniqueItems": true}'
    assert run(["json", "x", "--schema", schema, "--json", "--attempts", "2", *QUICK]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["type"] == "OutputValidationError" and len(error["attempts"]) == 2
    assert error["errors"] == error["attempts"][1]["errors"] and error["text"] == error["attempts"][1]["text"]
    assert error["errors"][0] == {"pointer": "/1", "message": "/1 equals an item before it"}


def test_a_trace_is_kept(capsys, tmp_path):
    trace = tmp_path / "trace.jsonl"
    assert run(["json", "x", "--schema", '{"enum": [1, 2]}', "--save-trace", str(trace), *QUICK]) == 0
    out, err = capsys.readouterr()
    answer = out.strip()
    assert f"Wrote the steps to {trace}; play them with: dgsolve replay {trace}" in err
    last = load_trace(trace)[-1]
    assert last.problem.decode(last.values) == "".join(last.problem.pieces(last.values)) == answer


def test_a_trace_is_told_of_where_the_answer_failed_and_not_where_there_is_no_step(capsys, tmp_path):
    schema = '{"items": {"enum": [[1], [2]]}, "type": "array", "minItems": 3, "uniqueItems": true}'
    arguments = ["json", "x", "--schema", schema, "--save-trace", str(tmp_path / "trace"), *QUICK]
    assert run([*arguments, "--attempts", "2"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("Wrote the steps to ") and "2 texts" in err
    assert "Give more --attempts, or say" in err
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


def test_check_counts_annotations_in_one_line(capsys):
    schema = {"title": "A", "properties": {"x": {"title": "B", "default": 1, "description": "how many"}}}
    assert run(["check", json.dumps(schema)]) == 0
    out = capsys.readouterr().out
    assert "annotations, which ask for nothing: 1 default, 1 description, 2 title" in out
    assert "/properties/x" not in out and "properties" in out
