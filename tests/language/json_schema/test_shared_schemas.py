"""Real schemas and public bug reports: valid instances are accepted, invalid ones refused, by automaton and judge."""

import json
from pathlib import Path

import pytest

from dgsolve.errors import DgsolveError, SchemaError, UnsatisfiableSchemaError
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.spelling import spell
from dgsolve.language.json_text import parse

DATA = Path(__file__).resolve().parents[4] / "shared/data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="shared/data is not beside the repository")


def accepts(language, value):
    text = spell(language.arrange(value)).encode()
    return language.acceptor.accepts(text) and language.judge.accepts(value)


@needs_data
@pytest.mark.parametrize("part", ["BFCL", "Glaiveai2K", "Github_easy", "Snowplow", "WashingtonPost", "MCPspec"])
def test_real_schemas(part):
    wrong = []
    for path in sorted((DATA / "jsonschemabench" / part).glob("*.json"), key=lambda path: path.stat().st_size)[:6]:
        file = json.loads(path.read_text("utf-8"))
        language = compile_schema(file["schema"])
        wrong += [path.stem for test in file["tests"] if accepts(language, test["data"]) != test["valid"]]
    assert wrong == []


@needs_data
def test_bug_reports():
    wrong = []
    for line in (DATA / "cases/structured.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["expect"] in ("unsat", "schema-error"):
            with pytest.raises(UnsatisfiableSchemaError if case["expect"] == "unsat" else SchemaError):
                compile_schema(case["schema"])
            continue
        language = compile_schema(case["schema"])
        wrong += [(case["id"], text) for text in case["ok"] if not accepts(language, parse(text))]
        wrong += [(case["id"], text) for text in case["bad"] if taken(language, text)]
    assert wrong == []


def taken(language, text):
    try:
        return accepts(language, parse(text))
    except DgsolveError:
        return False
