"""README.md and the pages of docs/ are true: their Python runs, their commands run, and CI runs the test command."""

import ast
import json
import os
import re
import shlex
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

from dgsolve.cache_folder import VARIABLE
from dgsolve.cli.puzzle_input import count_puzzles
from dgsolve.models import CATALOGUE

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text("utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def programs(page: Path) -> list[str]:
    """The Python of a page: a block that imports dgsolve begins anew, and the others go on from the one before."""
    parts: list[str] = []
    for block in blocks("python", page.read_text("utf-8")):
        if block.startswith("import dgsolve\n"):
            parts.append(block)
        else:
            parts[-1] += "\n" + block
    return parts


def lines() -> list[str]:
    """All that stands behind a `$`."""
    texts = (block for page in PAGES for block in blocks("console", page.read_text("utf-8")))
    return [line.removeprefix("$ ") for text in texts for line in text.splitlines() if line.startswith("$ ")]


@pytest.fixture
def without_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """A denoiser that draws at random, with markers for a thought, in place of every language model; no cache."""
    from dgsolve import Model, Sampling, loading
    from dgsolve.denoisers.random import RandomDenoiser
    from dgsolve.language.vocabulary import TextVocabulary

    load, markers = loading.load, {"<think>": 257, "</think>": 258}
    bytes_and_markers = (*(bytes([byte]) for byte in range(256)), None, None, None)

    def stand_in(name: Any = "auto", **options: Any) -> Any:
        if name in ("auto", "relational"):
            return load(name, **options)
        denoiser = RandomDenoiser(TextVocabulary(bytes_and_markers, (256,), 256, markers))
        denoiser.sampling = Sampling(draw=True, max_denoising_steps=1)  # it has no preferences that could settle
        return Model(denoiser)

    monkeypatch.setenv(VARIABLE, "off")
    monkeypatch.setattr("dgsolve.load", stand_in)  # first: what it finds there is what it puts back
    monkeypatch.setattr(loading, "load", stand_in)
    monkeypatch.setattr(loading, "_require_room", lambda *_: None)  # it reads the configuration of what is replaced


@pytest.mark.parametrize("code", programs(PAGES[0]))
def test_python_of_the_readme_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    out = capsys.readouterr().out
    if "certify(" in code:
        assert out == "many Proven: there is more than one solution.\n"
    elif "dgsolve.Grid(" in code:
        assert out == "(2, 7, 6, 9, 5, 1, 4, 3, 8)\n"
    elif "generate(" in code:
        assert re.fullmatch(r"(blue|grey) <class 'int'> \['', '/age', '/member'\] \{'(true|false)': 0\..*\}\n", out)
    else:
        assert "Solved: the answer keeps every rule." in out and "1243341243212134\n" in out and "\nFEASIBLE\n" in out


@pytest.mark.usefixtures("without_weights")
def test_python_of_the_page_on_structured_output_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for code in programs(ROOT / "docs" / "json.md"):
        names: dict[str, Any] = {"__name__": "json"}
        exec(compile(code, "json.md", "exec"), names)
        assert isinstance(names["person"], names["Person"]) and isinstance(names["extract"].model, type(names["model"]))
        assert names["year"].startswith("19") and names["someone"].age == 34 and names["event"].type == "done"
    out = capsys.readouterr().out
    assert "[('type', 'automaton'), ('format', 'automaton'), ('maxLength', 'validator')]\nFalse True\n" in out
    shares = [ast.literal_eval(line) for line in out.splitlines() if line.startswith("{'")]
    assert [set(found) for found in shares] == [{'"cash"', '"card"', "null"}] and sum(shares[0].values()) == approx(1)


def test_the_json_example_is_what_the_command_writes(capsys: pytest.CaptureFixture[str]) -> None:
    from dgsolve.cli.app import run

    assert run(["sudoku", ".2.....24.....3.", "--json", "-q"]) == 0
    (example,), written = (json.loads(block) for block in blocks("json")), json.loads(capsys.readouterr().out)
    example.pop("seconds"), written.pop("seconds")
    assert example == written and list(example) == list(written)


@pytest.mark.parametrize("line", lines())
@pytest.mark.usefixtures("without_weights")
def test_commands_run(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from dgsolve.cli.app import run

    (tmp_path / "puzzles").symlink_to(ROOT / "puzzles")
    monkeypatch.chdir(tmp_path)
    for command in split(shlex.split(line, comments=True), "&&"):
        if command[0] == "pip":
            assert any(shlex.join(command) in model.hint for model in CATALOGUE.values())
            continue
        if command[:3] == ["dgsolve", "models", "get"]:
            assert command[3] in CATALOGUE
            pytest.skip("fetches the weights of a model, half a gigabyte")
        *before, (name, *arguments) = split(command, "|")
        assert name == "dgsolve"
        cat, file = before[0] if before else ("cat", os.devnull)
        assert cat == "cat"
        with open(file, encoding="utf-8") as piped:
            monkeypatch.setattr("sys.stdin", piped)
            assert run(arguments) == 0
        assert any(capsys.readouterr())


def split(words: list[str], between: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == between:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def test_the_answer_that_the_readme_shows_is_in_form() -> None:
    from dgsolve import compile
    from dgsolve.cli.schema_input import read_schema
    from dgsolve.forms.json_form import JsonForm

    [block] = [block for block in blocks("console") if "dgsolve models get" in block]
    _, command, answer, _ = block.splitlines()
    words = shlex.split(command)
    form = compile(read_schema(words[words.index("--schema") + 1]))
    assert isinstance(form, JsonForm) and form.accepts(answer) and form.dumps(json.loads(answer)) == answer


def test_the_solve_command_sets_up_a_new_environment_and_solves_every_puzzle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dgsolve.cli.app import run

    monkeypatch.chdir(ROOT)
    solve, _ = blocks("sh")
    setup, install, run_it = (part.strip() for part in solve.split("&&"))
    assert setup == "python3 -m venv .venv"
    assert install == ".venv/bin/pip install -q -c constraints.txt ."
    assert run_it == ".venv/bin/dgsolve sudoku puzzles/"
    assert run(shlex.split(run_it)[1:]) == 0
    assert len(capsys.readouterr().out.splitlines()) == count_puzzles(["puzzles/"], None, None)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    _, test = blocks("sh")
    script = ROOT / ".ci" / "run"
    assert script.read_text("utf-8").splitlines()[-1] == test.strip()
    assert os.access(script, os.X_OK)


def test_every_required_package_is_pinned() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    names = {re.split(r"[<>=!~; \[]", requirement)[0].lower().replace("-", "_") for requirement in wanted}
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if "==" in line)
    assert names <= {name.lower().replace("-", "_") for name in pins}
    assert pins["torch"] == "2.13.0"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for file, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text("utf-8")):
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), file
        if anchor:
            assert anchor in anchors(target.read_text("utf-8")), anchor


def anchors(text: str) -> set[str]:
    """What GitHub makes of the headings."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_run_or_none_that_could_be(page: Path) -> None:
    opened = re.findall(r"^```(\w*)$", page.read_text("utf-8"), re.MULTILINE)[::2]
    run_elsewhere = {"grid", "toml"}  # by grid_files/test_format_page.py and test_grid_kinds_page.py
    assert set(opened) <= {"python", "console", "json", "sh", "text", *run_elsewhere}
    assert "$ " not in "".join(blocks("text", page.read_text("utf-8")))


def test_measurements_are_of_this_project() -> None:
    """The benchmarks that the pages name are there and take the options that are shown."""
    for page in PAGES:
        for command in re.findall(r"`python (benchmarks/[^`]+)`", page.read_text("utf-8")):
            file, *words = command.split()
            source = (ROOT / file).read_text("utf-8")
            assert all(f'"{word}"' in source for word in words if word.startswith("-")), command
