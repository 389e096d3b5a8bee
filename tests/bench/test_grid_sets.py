"""Grids by kind: which belong together, what cannot be read, and the figures of each kind."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dgsolve.bench.grid_sets import UNTOLD, GridSet, survey_grids
from dgsolve.bench.plan import Plan
from dgsolve.bench.provenance import settings_of
from dgsolve.bench.report import results
from dgsolve.bench.run import BenchRun
from dgsolve.bench.store import Store
from dgsolve.bench.table import markdown, markdown_table, rich_table
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import PuzzleError, UsageError

LATIN = {"kind": "latin", "size": 4, "givens": ["1234", "2143", "34..", "...."]}
QUEENS = {"kind": "n_queens", "size": 5}
ROW = ".Shape~1x4.NoBoxes.~R1C1_1~R1C2_2~R1C3_3"
RIGHT = {"name": "row", "input": ROW, "solution": "1234"}
OTHER = {"name": "other", "input": ".Shape~1x4.NoBoxes.~R1C1_1~R1C2_2", "solution": "1234"}
BROKEN = {"name": "chaos", "input": ".Shape~1x4.NoBoxes.ChaosConstruction", "solution": "1234"}
NOTHING = {"name": "by name", "input": "A name"}


def written(folder: Path, *records: dict[str, Any], name: str = "mix.jsonl") -> str:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(file)


def kinds(one: GridSet) -> dict[str, tuple[int, int]]:
    """How many of each kind were read, and how many not."""
    return {part.kind: (len(part), len(part.unreadable)) for part in one.parts}


def test_a_file_has_a_part_for_each_kind_and_none_where_it_has_one(tmp_path: Path) -> None:
    files = [written(tmp_path, LATIN, LATIN, name="latin.jsonl"), written(tmp_path, LATIN, QUEENS, LATIN)]
    single, mixed = survey_grids(files)
    assert (single.name, single.kind, len(single), single.parts) == ("latin", "latin", 2, ())
    assert (mixed.kind, kinds(mixed), mixed.count) == ("all", {"latin": (2, 0), "n_queens": (1, 0)}, 3)
    assert [part.name for part in mixed.parts] == ["mix: latin", "mix: n_queens"]
    assert [entry.name for entry in mixed.parts[0]] == ["puzzle 1", "puzzle 3"]


def test_what_cannot_be_read_is_counted_with_its_kind(tmp_path: Path) -> None:
    (mixed,) = survey_grids([written(tmp_path, RIGHT, BROKEN, NOTHING, {**LATIN, "size": 0})])
    assert kinds(mixed) == {"NoBoxes": (1, 0), "ChaosConstruction + NoBoxes": (0, 1), UNTOLD: (0, 1), "latin": (0, 1)}
    assert [entry.name for entry in mixed.unreadable] == ["chaos", "by name", "puzzle 4"]


def test_a_file_of_which_nothing_is_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="ChaosConstruction cannot be read"):
        survey_grids([written(tmp_path, BROKEN)])
    with pytest.raises(UsageError, match="is a folder") as raised:
        survey_grids([str(tmp_path)])
    assert "Name the files" in raised.value.hint


def test_kinds_are_chosen_by_part_of_their_name(tmp_path: Path) -> None:
    files = [written(tmp_path / folder, LATIN, QUEENS, RIGHT) for folder in ("a", "b")]
    first, second = survey_grids(files, "QUEENS")
    assert first.name == f"{files[0]}: n_queens" and len(second) == 1 and second.parts == ()
    assert kinds(survey_grids(files[:1], "n")[0]) == {"latin": (1, 0), "n_queens": (1, 0), "NoBoxes": (1, 0)}
    with pytest.raises(UsageError, match="no set has 'odd'") as raised:
        survey_grids(files[:1], "odd")
    assert raised.value.hint == "There are: mix: latin, mix: n_queens, mix: NoBoxes."


def test_a_sample_is_drawn_of_every_kind_and_of_what_is_not_read(tmp_path: Path) -> None:
    (mixed,) = survey_grids([written(tmp_path, *[LATIN, QUEENS] * 20, *[BROKEN] * 3)])
    few = mixed.sample(5, 3)
    assert kinds(few) == {"latin": (5, 0), "n_queens": (5, 0), "ChaosConstruction + NoBoxes": (0, 3)}
    assert (len(few), few.count, len(few.unreadable)) == (10, 43, 3)
    names = [entry.name for entry in few.parts[0]]
    assert names == [entry.name for entry in mixed.sample(5, 3).parts[0]] != [e.name for e in mixed.sample(5, 4)]


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Make a run over a file of several kinds, in the folder "out"."""

    def make(*records: dict[str, Any], resume: bool = False, cpsat: bool = True) -> BenchRun:
        plan = Plan((written(tmp_path, *records),), grid=True, cpsat=cpsat, steps=64)
        settings = settings_of(plan, RandomDenoiser())
        store = (Store.resume if resume else Store.create)(tmp_path / "out", settings)
        return BenchRun(plan, survey_grids(plan.files), store, RandomDenoiser())

    return make


MIX = (LATIN, QUEENS, RIGHT, BROKEN, NOTHING, LATIN)


def solved(made: BenchRun) -> dict[str, Any]:
    made.solve(made.sets[0], lambda record: None)
    (one,) = results(made.store, made.sets, made.rows)["sets"]
    return one


def test_every_kind_has_its_figures_and_all_have_theirs(run: Any) -> None:
    one = solved(run(*MIX))
    by_kind = {kind["kind"]: kind for kind in one["kinds"]}
    latin, broken = by_kind["latin"], by_kind["ChaosConstruction + NoBoxes"]
    assert (latin["puzzles"], latin["rows"][0]["valid_percent"], latin["cpsat"]["answered"]) == (2, 100.0, 2)
    assert latin["rows"][0]["median_seconds"] > 0 and latin["rows"][0]["ratio_to_cpsat"] > 0
    assert (broken["puzzles"], broken["rows"][0]["valid_percent"], broken["cpsat"]) == (1, 0.0, None)
    assert broken["unreadable"] == [{"name": "chaos", "line": 4, "reason": "ChaosConstruction cannot be read"}]
    total = one["rows"][0]
    assert (one["puzzles"], total["puzzles"], total["unreadable"], total["valid"]) == (6, 4, 2, 4)
    assert total["valid_percent"] == 66.6  # of all six
    assert one["cpsat"]["puzzles"] == len(one["cpsat"]["times"]) == 4
    seconds = sum(kind["rows"][0]["seconds"] for kind in one["kinds"])
    assert total["seconds"] == pytest.approx(seconds, abs=0.01)


def test_a_right_answer_that_is_not_the_files_is_counted_and_named(run: Any) -> None:
    one = solved(run(RIGHT, {**OTHER, "solution": "1243"}, {**OTHER, "name": "third"}))
    row = one["rows"][0]
    assert row["valid"] == 3 and len(row["other_answers"]) == 1 and row["exact"] == 2
    assert f"Right, but not the file's answer: {row['other_answers'][0]}." in markdown_table(one)


def test_a_stopped_run_goes_on_with_the_kind_that_it_was_at(run: Any) -> None:
    first = run(*MIX, cpsat=False)
    seen: list[str | None] = []

    def stop(record: Any) -> None:
        seen.append(record.name)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.solve(first.sets[0], stop)
    second = run(*MIX, cpsat=False, resume=True)
    assert second.left(second.sets[0]) == 1
    second.solve(second.sets[0], lambda record: seen.append(record.name))
    assert seen == ["puzzle 1", "puzzle 6", "puzzle 2", "row"]
    kept = [json.loads(text) for text in (second.store.folder / "results.jsonl").read_text().splitlines()]
    assert [line["name"] for line in kept if line["kind"] == "unreadable"] == ["chaos", "by name"]  # each once
    assert results(second.store, second.sets, second.rows)["complete"]


def test_tables_have_a_row_for_each_kind_and_the_reasons(run: Any) -> None:
    made = run(*MIX)
    one = solved(made)
    lines = markdown_table(one).splitlines()
    assert lines[0] == "## mix: 6 puzzles, 2 of them not read"
    rows = [[cell.strip() for cell in text.split("|")[1:5]] for text in lines if text.startswith("| ")]
    assert rows[3:] == [
        ["kind", "puzzles", "solved % (n)", "not read"],
        ["---", "---:", "---:", "---:"],
        ["latin", "2", "100.0 (2)", "–"],
        ["ChaosConstruction + NoBoxes", "1", "0.0 (0)", "1"],
        ["n_queens", "1", "100.0 (1)", "–"],
        [UNTOLD, "1", "0.0 (0)", "1"],
        ["NoBoxes", "1", "100.0 (1)", "–"],
        ["all", "6", "66.6 (4)", "2"],
    ]
    assert "- Not read, ChaosConstruction + NoBoxes: ChaosConstruction cannot be read (chaos)." in lines
    assert "## Columns of kinds" in markdown(results(made.store, made.sets, made.rows), "accuracy.svg")
    stream = io.StringIO()
    Console(file=stream, width=80).print(rich_table(one))
    assert max(map(len, stream.getvalue().splitlines())) <= 80 and "ChaosConstruction" in stream.getvalue()


def test_a_file_of_one_kind_has_one_table_without_kinds(run: Any) -> None:
    one = solved(run(LATIN, LATIN))
    assert "kinds" not in one and one["kind"] == "latin"
    assert sum(text.startswith("| ---") for text in markdown_table(one).splitlines()) == 1
