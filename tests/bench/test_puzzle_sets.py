"""Which puzzles belong together, and which of them a sample draws."""

import os
from pathlib import Path

import pytest

from dgsolve.bench.puzzle_sets import MOST_SETS, survey
from dgsolve.errors import PuzzleError, UsageError

SMALL = ".2.....24.....3."
OPEN = "1...3...4...2..."


def written(folder: Path, name: str, *lines: str) -> str:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def table(folder: Path) -> str:
    rows = (f"easy,{SMALL},,1", f"hard,{OPEN},,9", f"easy,{OPEN},,2")
    return written(folder, "mix.csv", "source,question,answer,rating", *rows)


def test_a_file_is_a_set_and_a_table_one_for_each_source(tmp_path: Path) -> None:
    sets = survey([written(tmp_path, "plain.txt", SMALL, OPEN), table(tmp_path)])
    assert [(one.name, len(one)) for one in sets] == [("plain", 2), ("easy", 2), ("hard", 1)]
    assert [str(entry.puzzle) for entry in sets[1]] == [SMALL, OPEN]
    assert [entry.line for entry in sets[2]] == [3]


def test_a_name_column_makes_no_sets(tmp_path: Path) -> None:
    file = written(tmp_path, "named.csv", "id,puzzle", f"a,{SMALL}", f"b,{OPEN}")
    assert [(one.name, len(one)) for one in survey([file])] == [("named", 2)]


def test_sets_are_chosen_by_part_of_their_name(tmp_path: Path) -> None:
    file = table(tmp_path)
    assert [one.name for one in survey([file], "HAR")] == ["hard"]
    with pytest.raises(UsageError, match="no set has 'odd' in its name") as raised:
        survey([file], "odd")
    assert raised.value.hint == "There are: easy, hard."


def test_sets_of_one_name_are_told_apart(tmp_path: Path) -> None:
    files = [written(tmp_path / folder, "same.txt", SMALL) for folder in ("a", "b")]
    assert [one.name for one in survey(files)] == files


def test_a_sample_repeats_by_seed_and_keeps_the_order(tmp_path: Path) -> None:
    (one,) = survey([written(tmp_path, "many.txt", *[SMALL] * 50)])
    lines = [entry.line for entry in one.sample(10, 3)]
    assert len(lines) == len(one.sample(10, 3)) == 10
    assert lines == sorted(lines) == [entry.line for entry in one.sample(10, 3)]
    assert lines != [entry.line for entry in one.sample(10, 4)]
    assert [entry.line for entry in one.sample(50, 3)] == list(range(1, 51))


def test_an_unreadable_puzzle_or_file_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError) as raised:
        survey([written(tmp_path, "bad.txt", SMALL, SMALL[:-1])])
    assert raised.value.line == 2 and str(raised.value.file).endswith("bad.txt")
    with pytest.raises(PuzzleError, match="cannot be read"):
        survey([str(tmp_path / "none.txt")])


def test_a_source_for_every_puzzle_is_refused(tmp_path: Path) -> None:
    rows = [f"s{number},{SMALL}" for number in range(MOST_SETS + 1)]
    file = written(tmp_path, "each.csv", "source,puzzle", *rows)
    with pytest.raises(UsageError, match="101 sets"):
        survey([file])
    assert len(survey([file], "s10")) == 2  # s10 and s100


def test_a_pipe_is_refused_before_it_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for a writer
    with pytest.raises(UsageError, match="more than once"):
        survey([str(tmp_path / "pipe")])
