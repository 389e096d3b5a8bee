"""`dgsolve grid`: exit codes, envelopes, streams, certificates as for Sudoku; errors name the line and the key."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dgsolve
from dgsolve.certify import SolutionCount, certify
from dgsolve.cli.app import run
from dgsolve.cli.grid_list import complete_example
from dgsolve.grid_kinds import grid_kinds
from dgsolve.grid_kinds.examples import examples
from dgsolve.ui.still import still_svg
from tests.cli.ran import Ran

LATIN = 'kind = "latin"\nsize = 3\n'
ONE = LATIN + 'givens = ["12.", "...", "..1"]\n'  # one answer
ANSWER = "123312231"
MANY = LATIN + 'givens = ["1..", "...", "..."]\n'
NONE = LATIN + 'givens = ["12.", "..3", "..."]\n'  # nothing is left for r1c3
TWICE = LATIN + 'givens = ["11.", "...", "..."]\n'
SUMS = """title = "pairs"
[grid]
rows = 2
cols = 2
values = "1-4"

[[rule]]
type = "sum"
rows = true
total = 5
"""
UNLIKE = f"""{SUMS.partition("[[rule]]")[0]}
[[rule]]
type = "unlike_lines"
cells = "r1c1:r2c2"
length = 2
"""

Grid = Callable[..., Ran]


@pytest.fixture
def grid(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Grid:
    """`dgsolve grid FILE OPTIONS`, the file written first; by the random denoiser, so exact search does the most."""

    def call(text: str | bytes, *options: str, name: str = "puzzle.toml") -> Ran:
        file = tmp_path / name
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        capsys.readouterr()
        code = run(["grid", str(file), "--denoiser", "random", "--steps", "2", *options])
        return Ran(code, *capsys.readouterr())

    return call


def test_a_line_for_programs_and_the_rest_on_stderr(grid: Grid) -> None:
    ran = grid(ONE)
    assert (ran.code, ran.out) == (0, ANSWER + "\n")
    assert "Solved: the answer keeps every rule." in ran.err


def test_a_picture_of_the_puzzle_and_its_answer(grid: Grid, tmp_path: Path) -> None:
    ran = grid(ONE, "--svg", str(tmp_path / "one.svg"))
    assert ran.code == 0 and f"Drew {tmp_path / 'one.svg'}" in ran.err and ran.out == ANSWER + "\n"
    puzzle = dgsolve.Grid.parse(ONE)
    assert (tmp_path / "one.svg").read_text("utf-8") == still_svg(puzzle, ANSWER)
    ran = grid(NONE, "--svg", str(tmp_path / "none.svg"))
    assert (tmp_path / "none.svg").read_text("utf-8") == still_svg(dgsolve.Grid.parse(NONE))
    many = grid('{"kind": "n_queens", "size": 4}\n' * 2, "--svg", str(tmp_path / "two.svg"), name="two.jsonl")
    assert many.code == 2 and "--svg draws one puzzle, and here are more" in many.err
    assert not (tmp_path / "two.svg").exists()
    ran = grid(ONE, "--svg", str(tmp_path / "puzzle.toml"))
    assert ran.code == 2 and "--svg" in ran.err and "is one of the puzzle files" in ran.err
    ran = grid(ONE, "--svg", str(tmp_path / "no" / "one.svg"))
    assert ran.code == 2 and "cannot write" in ran.err


def test_rules_that_diffusion_cannot_read_are_searched_exactly(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "unlike.toml").write_text(UNLIKE)
    assert run(["grid", str(tmp_path / "unlike.toml")]) == 0
    out, err = capsys.readouterr()
    assert dgsolve.Grid.parse(UNLIKE).check(out.strip()).valid
    assert "Diffusion was not tried: the denoiser cannot read these rules" in err and "exact search" in err
    assert run(["grid", str(tmp_path / "unlike.toml"), "--no-fallback"]) == 1
    out, err = capsys.readouterr()
    assert out == "UNKNOWN\n" and "Leave out --no-fallback." in err


def test_the_envelope(grid: Grid) -> None:
    (found,) = grid(ONE, "--json", "--unique").envelopes
    assert found["status"] == "FEASIBLE" and found["answer"] == ANSWER and found["solutions"] == "one"
    assert found["source"]["line"] == 1 and found["faults"] == []
    text = '{"grid": {"cells": ["a", "b"], "values": ["x", "y"]}, "rule": [{"type": "equal", "cells": "a b"}]}'
    (named,) = grid(text, "--json").envelopes
    assert named["answer"] in ({"a": "x", "b": "x"}, {"a": "y", "b": "y"})


def test_repeated_givens_are_refused_before_any_search(grid: Grid) -> None:
    ran = grid(TWICE)
    assert (ran.code, ran.out) == (2, "MODEL_INVALID\n")
    assert "r1c1 and r1c2 both hold 1" in ran.err


def test_no_answer_is_proven_with_a_minimal_conflict(grid: Grid) -> None:
    ran = grid(NONE, "--json")
    (envelope,) = ran.envelopes
    assert (ran.code, envelope["status"], envelope["solutions"]) == (3, "INFEASIBLE", "none")
    assert envelope["faults"][0]["cells"] == ["r1c1", "r1c2", "r2c3"]
    assert "leave out any one of them and the others can" in ran.err
    assert "The rules alone leave no answer" in grid(SUMS.replace("total = 5", "total = [50, 60]")).err


def test_more_answers_are_told_and_shown(grid: Grid) -> None:
    (envelope,) = grid(MANY, "--unique", "--json").envelopes
    assert envelope["solutions"] == "many"
    ran = grid(MANY, "--all", "9")
    latin = dgsolve.Grid.parse(MANY)
    assert ran.code == 0 and len(set(ran.lines)) == len(ran.lines) == 4
    assert all(latin.check(line).valid for line in ran.lines) and "4 solutions printed." in ran.err


def test_the_time_limit_is_kept(grid: Grid) -> None:
    wide = (
        '[grid]\nrows = 10\ncols = 10\nvalues = "1-99"\n[[rule]]\ntype = "sum"\nrows = true\ncols = true\ntotal = 505\n'
    )
    ran = grid(wide + '[[rule]]\ntype = "all_different"\ncells = "r1:r10"\n', "--time-limit", "0.001")
    assert ran.code in (2, 5)
    ran = grid(wide, "--time-limit", "0.001")
    assert (ran.code, ran.out) == (5, "UNKNOWN\n") and "--time-limit ran out" in ran.err


def test_standard_input_in_toml_and_json(
    grid: Grid, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = json.dumps({"kind": "latin", "size": 2, "givens": "1. .."})
    for text, answers in ((ONE, [ANSWER]), (f"{lines}\n{lines}\n", ["1221", "1221"])):
        for arguments in (["grid", "-"], ["grid"]):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
            assert run([*arguments, "--denoiser", "random"]) == 0
            assert capsys.readouterr().out.splitlines() == answers


def test_files_and_folders_in_order_and_the_worst_code(
    grid: Grid, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, text in (("a.toml", ONE), ("b.toml", NONE), ("c.toml", LATIN + "sise = 3\n"), ("d.json", "[]")):
        (tmp_path / name).write_text(text)
    assert run(["grid", str(tmp_path), "--denoiser", "random", "-o", str(tmp_path / "out.txt")]) == 2
    assert (tmp_path / "out.txt").read_text().splitlines()[:3] == [ANSWER, "INFEASIBLE", "UNREADABLE"]
    err = capsys.readouterr().err
    assert "c.toml, line 3, sise: nothing is called 'sise' here" in err and "Did you mean size?" in err
    assert run(["grid", str(tmp_path / "a.toml"), "-o", str(tmp_path / "a.toml")]) == 2
    assert (tmp_path / "a.toml").read_text() == ONE


BAD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "there is nothing to read: the file is empty"),
    "blank": (" \n\n", "there is nothing to read"),
    "binary": (bytes(range(256)) * 9, "not text"),
    "words": ("hello there", "begins no file of a grid"),
    "open text": ("kind = 'latin", "line 1: this is not TOML: expected"),
    "deep": ("x = " + "[" * 9000, "nested too deeply"),
    "deep json": ('{"kind":' * 9000, "nested too deeply"),
    "half json": ('{"kind": "latin", "size": 3', "this is not JSON"),
    "list of numbers": ("[{}, 5]", "this must be a table"),
    "no kind": ('kind = "latn"', "line 1, kind: there is no kind called 'latn'\n  Did you mean latin?"),
    "no size": ('kind = "latin"', "line 1, kind: a Latin square needs size"),
    "size of text": ('kind = "latin"\nsize = "3"', "line 2, size: this must be a whole number"),
    "size of nothing": ('kind = "latin"\nsize = 0', "line 2, size: this must be a whole number from 1"),
    "too large": ("[grid]\nrows = 200\ncols = 200\nvalues = '12'", "10000 cells at most"),
    "too many values": ("[grid]\nrows = 3\ncols = 3\nvalues = '1-999999'", "1000000 at most"),
    "huge values": ("[grid]\nrows = 1\ncols = 1\nvalues = [10000000000]", "line 4, grid.values: values: 10000000000"),
    "fractions": ("[grid]\nrows = 1\ncols = 1\nvalues = [1.5]", "line 4, grid.values: values: 1.5 is neither"),
    "wrong key": ("[grid]\nrows = 2\ncolls = 2", "line 3, grid.colls: nothing is called 'colls' here"),
    "no table": ("grid = 3", "line 1, grid: this must be a table"),
    "rules of text": (SUMS.split("[[rule]]")[0].replace("[grid]", "rule = 'x'\n[grid]"), "rule: rules are a list"),
    "unknown rule": (SUMS.replace('"sum"', '"sums"'), "line 8, rule[1].type: no rule is called 'sums'"),
    "no cells": (SUMS.replace("rows = true", ""), "line 7, rule[1]: this rule names no cells"),
    "outside": (SUMS.replace("rows = true", 'cells = "r1c1 r3c1"'), "line 9, rule[1].cells: r3c1 is outside"),
    "span": (SUMS.replace("total = 5", "total = [20, 10]"), "line 10, rule[1].total: sum: total must be the least"),
    "givens": (ONE.replace("12.", "19."), "line 3, givens: '9' is no value of this grid"),
    "short givens": (ONE.replace("12.", "12"), "line 3, givens: there are 8 cells, the grid has 9"),
    "regions": (SUMS.replace("rows = true", "regions = 5"), "line 9, rule[1].regions: 5 is no map"),
    "not true": (SUMS.replace("rows = true", 'diagonals = "yes"'), "line 9, rule[1].diagonals: this must be true"),
    "a list of types": (SUMS.replace('"sum"', '["sum"]'), "line 8, rule[1].type: no rule is called"),
    "rows of true": ("[grid]\nrows = true\ncols = 2\nvalues = '12'", "line 2, grid.rows: rows=True must be a whole"),
    "same name": ("[grid]\ncells = ['a', 'a']\nvalues = '12'", "line 2, grid.cells: two cells are called 'a'"),
    "long number": (SUMS.replace("total = 5", f"total = {'5' * 5000}"), "line 10: a number has more than 4300 digits"),
    "long number in JSON": ('{"kind": "latin", "size": ' + "5" * 5000 + "}", "a number has more than 4300 digits"),
    "same key": ('{"kind": "latin",\n"size": 2,\n"size": 3}', "line 3, size: this key stands here again"),
    "python": (
        SUMS + '[[rule]]\ntype = "python"\nfunction = "os:system"\ncells = "r1"\n',
        "line 12, rule[2].type: this rule would run Python code",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_refused_with_its_place(case: str, grid: Grid) -> None:
    text, words = BAD[case]
    ran = grid(text)
    assert ran.code == 2 and words in ran.err
    assert ran.out in ("", "UNREADABLE\n", "UNREADABLE\nUNREADABLE\n")
    assert "Traceback" not in ran.err and "fault in dgsolve" not in ran.err
    for envelope in grid(text, "--json").envelopes:
        assert envelope["status"] == "UNREADABLE" and envelope["error"]["type"] == "PuzzleError"


def test_the_key_is_in_the_envelope(grid: Grid) -> None:
    (envelope,) = grid(SUMS.replace("total = 5", 'total = "5"'), "--json").envelopes
    assert (envelope["error"]["key"], envelope["error"]["line"]) == ("rule[1].total", 10)


def test_python_rules_run_only_when_they_are_allowed(
    grid: Grid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_grid_rules.py").write_text(
        'def rising(values):\n    return "" if list(values) == sorted(values) else "they fall"\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    text = '[grid]\nrows = 1\ncols = 3\nvalues = "123"\ngivens = ["2.."]\n'
    text += '[[rule]]\ntype = "all_different"\ncells = "r1"\n'
    rule = '[[rule]]\ntype = "python"\nfunction = "my_grid_rules:rising"\ncells = "r1"\n'
    refused = grid(text + rule)
    assert refused.code == 2 and "--allow-python" in refused.err and "my_grid_rules" not in sys.modules
    assert grid(text + rule, "--allow-python").code == 3  # 2 1 3 and 2 3 1 are all there is
    ran = grid((text + rule).replace('["2.."]', '["1.."]'), "--allow-python", "--unique", "--json")
    assert (ran.envelopes[0]["answer"], ran.envelopes[0]["solutions"]) == ("123", "one")
    missing = grid(text + rule.replace("rising", "falling"), "--allow-python")
    assert missing.code == 2 and "my_grid_rules:falling cannot be loaded" in missing.err


def test_every_kind_is_listed_with_an_example_that_is_solved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert run(["grid", "--list"]) == 0
    listed = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    files = sorted(Path("puzzles/grids").glob("*.toml"))
    assert sorted(path for _, _, path in listed) == [str(file) for file in files]
    assert [name for name, _, _ in listed if name in grid_kinds()] == list(grid_kinds())
    assert all(path == f"puzzles/grids/{name}.toml" for name, _, path in listed)
    assert {"x_sudoku", "windoku", "jigsaw", "killer", "thermo", "sandwich", "consecutive", "quasigroup"} <= {
        name for name, _, _ in listed
    }
    assert run(["grid", "--list", "--json"]) == 0
    kinds, variants = json.loads(capsys.readouterr().out).values()
    assert kinds[0].keys() == {"kind", "title", "example", "options"} and variants[-1]["kind"] is None
    assert len(kinds) == len(grid_kinds()) and len(kinds) + len(variants) == len(listed)
    assert complete_example("lat") == [("latin", "Latin square")]
    assert complete_example("wind") == [("windoku", "windoku")]


@pytest.mark.parametrize("kind", grid_kinds())
def test_the_example_of_a_kind_is_of_that_kind(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grid", "--example", kind]) == 0
    text = capsys.readouterr().out
    assert f'kind = "{kind}"' in text and not dgsolve.Grid.parse(text).given_faults()


@pytest.mark.parametrize("example", ["windoku", "thermo", "sandwich", "consecutive", "quasigroup"])
def test_the_example_of_a_variant_has_one_solution(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grid", "--example", example]) == 0
    made = dgsolve.Grid.parse(capsys.readouterr().out)
    assert certify(made).status is SolutionCount.ONE


def test_an_unknown_example_names_the_known_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grid", "--example", "latn"]) == 2
    assert "Did you mean latin?" in capsys.readouterr().err


def test_the_list_is_a_table_at_a_terminal() -> None:
    from dgsolve.cli.grid_list import write_list

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    write_list(stream)
    first, *rows = stream.getvalue().splitlines()
    assert first.split()[0].endswith("name") and len(rows) == len(examples()) and "\t" not in stream.getvalue()


def test_the_shipped_schema_is_the_one_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grid", "--schema"]) == 0
    shipped = Path(__file__).parents[2] / "docs" / "grid.schema.json"
    assert shipped.read_text("utf-8") == capsys.readouterr().out, "run: dgsolve grid --schema -o docs/grid.schema.json"


def test_help_has_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    run(["grid", "--help"])
    shown: Any = " ".join(capsys.readouterr().out.split())
    options = """--list --example --schema --denoiser --steps --attempts --seed --threads --time-limit --unique --all
        --no-fallback --allow-python --json --output --save-trace --svg --quiet --verbose --debug"""
    assert [option for option in options.split() if option not in shown] == []
    assert "dgsolve grid --example latin > mine.toml" in shown and "130, 4, 2, 5, 1, 3" in shown
