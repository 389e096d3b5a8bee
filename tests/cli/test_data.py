"""`dgsolve data`."""

import json

from dgsolve.cli.app import run


def test_sudokus_are_written_with_their_held_out_ones(tmp_path, capsys) -> None:
    asked = ["data", "sudoku", str(tmp_path), "--size", "4", "--size", "6", "--count", "5", "--test-count", "2"]
    assert run(asked) == 0
    out, err = capsys.readouterr()
    assert out == "" and "5 pairs: " in err and "sudoku_36char_held_out.jsonl" in err
    counts = {path.name: len(path.read_text().splitlines()) for path in tmp_path.iterdir()}
    assert counts == {
        "sudoku_16char.jsonl": 5,
        "sudoku_16char_held_out.jsonl": 2,
        "sudoku_36char.jsonl": 5,
        "sudoku_36char_held_out.jsonl": 2,
    }
    row = json.loads((tmp_path / "sudoku_36char.jsonl").read_text().splitlines()[0])
    assert len(row["answer"]) == 36 and row["prompt"].endswith(row["puzzle"])


def test_sudokus_row_by_row(tmp_path, capsys) -> None:
    assert run(["data", "sudoku", str(tmp_path), "--size", "4", "--count", "3", "--test-count", "1", "--lines"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "sudoku_4lines.jsonl").read_text().splitlines()]
    assert [len(row["answer"].split("\n")) for row in rows] == [4, 4, 4]
    assert (tmp_path / "sudoku_4lines_held_out.jsonl").exists()


def test_a_size_that_needs_more_than_digits_is_refused(tmp_path, capsys) -> None:
    assert run(["data", "sudoku", str(tmp_path), "--size", "16"]) == 2
    assert "--size 16 cannot be written as digits here" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_records_are_written_as_json(tmp_path, capsys) -> None:
    assert run(["data", "json", str(tmp_path), "--count", "4", "--test-count", "3"]) == 0
    assert "3 pairs: " in capsys.readouterr().err
    rows = [json.loads(line) for line in (tmp_path / "json.jsonl").read_text().splitlines()]
    assert len(rows) == 4 and set(json.loads(rows[0]["answer"])) == {"name", "age", "city"}
    assert len((tmp_path / "json_held_out.jsonl").read_text().splitlines()) == 3
