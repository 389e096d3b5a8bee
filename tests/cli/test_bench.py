"""`dgsolve bench`: what it writes where, its exit codes, and going on after Ctrl-C."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from dgsolve.bench.record import Record
from dgsolve.bench.store import Store
from dgsolve.cli.app import run
from dgsolve.denoisers.random import RandomDenoiser

SMALL = ".2.....24.....3."
ANSWER = "1243341243212134"
OPEN = "1...3...4...2..."


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """`dgsolve bench ARGUMENTS` in this process and an empty folder, by the random denoiser."""
    monkeypatch.setattr("dgsolve.loading.load_denoiser", lambda name, **options: RandomDenoiser())
    monkeypatch.chdir(tmp_path)
    Path("mix.csv").write_text(
        f"source,question,answer,rating\nfirst,{ANSWER[:15]}.,{ANSWER},1\nfirst,{OPEN},,2\nlast,{SMALL},{ANSWER},3\n"
    )

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = run(["bench", *arguments])
        return Ran(code, *capsys.readouterr())

    return call


def test_everything_is_written(cli: Cli) -> None:
    ran = cli("mix.csv", "--steps", "4", "-o", "out")
    assert ran.code == 0 and "Figures, plot and every answer: out" in ran.err
    assert "## first: 2 puzzles" in ran.out and "## last: 1 puzzles" not in ran.out and "## last: 1 puzzle" in ran.out
    assert "Denoiser random, no weights" in ran.out and "steps 4, attempts 8" in ran.out.lower()
    figures = json.loads(Path("out/results.json").read_text())
    assert figures["complete"] and figures["settings"]["plan"]["steps"] == 4
    first = figures["sets"][0]["rows"][0]
    assert (first["puzzles"], first["with_solution"], first["exact"]) == (2, 1, 1)  # candidates alone solve the first
    assert figures["sets"][1]["cpsat"]["answered"] == 1
    ElementTree.fromstring(Path("out/accuracy.svg").read_text())
    assert "## last" in Path("out/results.md").read_text()
    kinds = [json.loads(line)["kind"] for line in Path("out/results.jsonl").read_text().splitlines()]
    assert kinds == ["puzzle", "puzzle", "end", "cpsat", "puzzle", "end", "cpsat"]


def test_json_alone_on_stdout_and_a_default_folder(cli: Cli) -> None:
    ran = cli("mix.csv", "--steps", "2", "--no-cpsat", "--set", "last", "--json", "-q")
    figures = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert [one["set"] for one in figures["sets"]] == ["last"] and figures["sets"][0]["cpsat"] is None
    (folder,) = Path("runs").iterdir()
    assert folder.name.startswith("bench-") and json.loads((folder / "results.json").read_text()) == figures


def test_ablation_rows(cli: Cli) -> None:
    ran = cli("mix.csv", "--steps", "2", "--no-cpsat", "--set", "last", "--ablate", "--no-propagate", "-o", "out")
    rows = [line.split("|")[1].strip() for line in ran.out.splitlines() if line.startswith("| ")]
    assert rows == [
        "row",
        "---",
        "full",
        "no locks",
        "no feedback",
        "no re-noise",
        "kept values",
        "state not carried",
        "no suppositions",
        "one canvas",
    ]
    assert "- kept values: accepted tokens stay" in Path("out/results.md").read_text()


def test_ctrl_c_keeps_what_is_done_and_resume_does_the_rest(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Store.add

    def interrupted(store: Store, record: Record) -> None:
        keep(store, record)
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "add", interrupted)
    ran = cli("mix.csv", "--steps", "2", "--no-cpsat", "-o", "out")
    assert ran.code == 130 and "Go on with: dgsolve bench --resume out" in ran.err
    figures = json.loads(Path("out/results.json").read_text())
    assert not figures["complete"] and [one["rows"][0]["puzzles"] for one in figures["sets"]] == [1, 0]
    assert "Interrupted" in Path("out/results.md").read_text()
    monkeypatch.setattr(Store, "add", keep)
    ran = cli("--resume", "out")
    assert ran.code == 0 and "first: 1 to solve" in ran.err and "last: 1 to solve" in ran.err
    lines = [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]
    assert [line["line"] for line in lines if line["kind"] == "puzzle"] == [2, 3, 4]
    ran = cli("mix.csv", "--steps", "2", "--resume", "out")
    assert ran.code == 0 and "first: done before" in ran.err


def test_resume_with_other_settings_is_refused(cli: Cli) -> None:
    cli("mix.csv", "--steps", "2", "--no-cpsat", "-o", "out")
    ran = cli("--resume", "out", "--steps", "3")
    assert ran.code == 2 and "the run in out cannot go on: --steps was 2 and is 3 now" in ran.err
    Path("mix.csv").write_text(f"source,question\nfirst,{OPEN}\n")
    ran = cli("--resume", "out")
    assert ran.code == 2 and "files mix.csv was " in ran.err


def test_resume_from_another_folder_says_where_to_go(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("mix.csv", "--steps", "2", "--no-cpsat", "-o", "out")
    monkeypatch.chdir("out")
    ran = cli("--resume", ".")
    assert ran.code == 2 and "its file mix.csv is not here" in ran.err and "folder where it was started" in ran.err
    assert "standard input" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no puzzle file was named"),
        (["none.txt"], "none.txt: the file cannot be read"),
        (["bad.txt"], "bad.txt, line 2"),
        (["-"], "standard input"),
        (["mix.csv", "--time-limit", "0"], "--time-limit 0"),
        (["mix.csv", "--set", "odd"], "no set has 'odd' in its name"),
        (["--resume", "nowhere"], "there is no such folder"),
    ],
)
def test_refusals(cli: Cli, arguments: list[str], said: str) -> None:
    Path("bad.txt").write_text(f"{SMALL}\n{SMALL[:-1]}\n")
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (2, "") and said in ran.err
    assert not Path("runs").exists()


def test_a_run_is_not_written_over(cli: Cli) -> None:
    cli("mix.csv", "--steps", "2", "--no-cpsat", "-o", "out")
    ran = cli("mix.csv", "-o", "out")
    assert ran.code == 2 and "dgsolve bench --resume out" in ran.err


def test_how_a_language_model_is_loaded_is_told_and_holds_for_going_on(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[dict[str, object]] = []

    def load(name: str, **options: object) -> RandomDenoiser:
        asked.append({"name": name, **options})
        return RandomDenoiser()

    monkeypatch.setattr("dgsolve.loading.load_denoiser", load)
    Path("mine").mkdir()
    Path("mine/adapter_model.safetensors").write_bytes(b"numbers")
    said = ("--denoiser", "m", "--adapter", "mine", "--device", "cpu", "--dtype", "float32", "--quantize", "8bit")
    ran = cli("mix.csv", "--steps", "2", "--no-cpsat", "-o", "out", "--lines", *said)
    assert ran.code == 0, ran.err
    wanted = {"name": "m", "adapter": ("mine",), "device": "cpu", "dtype": "float32", "quantize": "8bit", "lines": True}
    assert asked == [wanted]
    digest = hashlib.sha256(b"numbers").hexdigest()
    assert f"adapter mine sha256 {digest}, lines yes, device cpu, dtype float32, quantize 8bit, " in ran.out
    assert cli("--resume", "out").code == 0 and asked == [wanted] * 2
    other = cli("--resume", "out", "--dtype", "bfloat16")
    assert other.code == 2 and "--dtype was " in other.err
    Path("mine/adapter_model.safetensors").write_bytes(b"others")
    trained_on = cli("--resume", "out")
    assert trained_on.code == 2 and "adapters mine was " in trained_on.err


def test_grids_are_told_by_kind_and_one_that_cannot_be_read_counts(cli: Cli) -> None:
    latin = {"kind": "latin", "size": 4, "givens": ["1234", "2143", "34..", "...."]}
    chaos = {"name": "mine", "input": ".Shape~1x4.NoBoxes.ChaosConstruction"}
    grids = (latin, {"kind": "n_queens", "size": 4}, chaos)
    Path("mix.jsonl").write_text("".join(json.dumps(grid) + "\n" for grid in grids))
    ran = cli("--grid", "mix.jsonl", "-o", "out")
    assert ran.code == 0 and "## mix: 3 puzzles, 1 of them not read" in ran.out
    assert "| latin | 1 | 100.0 (1) | –" in ran.out and "| ChaosConstruction + NoBoxes | 1 | 0.0 (0) | 1 |" in ran.out
    assert "- Not read, ChaosConstruction + NoBoxes: ChaosConstruction cannot be read (mine)." in ran.out
    (one,) = json.loads(Path("out/results.json").read_text())["sets"]
    assert [kind["kind"] for kind in one["kinds"]] == ["latin", "n_queens", "ChaosConstruction + NoBoxes"]
    only = cli("--grid", "mix.jsonl", "--set", "queens", "--json", "-o", "queens")
    assert [one["set"] for one in json.loads(only.out)["sets"]] == ["mix: n_queens"]
    folder = cli("--grid", ".")
    assert folder.code == 2 and "is a folder" in folder.err
