"""Which arguments are files, which are puzzles."""

import os
from pathlib import Path

import pytest

from dgsolve.cli.puzzle_input import count_puzzles, looks_like_puzzle, puzzle_entries
from dgsolve.errors import PuzzleError, UsageError


@pytest.mark.parametrize("text", ["." * 81, "1...3...4...2...", "0" * 80, "12 4\n....\n....\n....", "?" * 16, "4" * 15])
def test_puzzles(text: str) -> None:
    assert looks_like_puzzle(text)


@pytest.mark.parametrize("text", ["puzzle.txt", "17_clue.sdm", "data/1234567812345678", "-", "", "1234"])
def test_files(text: str) -> None:
    assert not looks_like_puzzle(text)


def test_a_file_whose_name_looks_like_a_puzzle_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1234567812345678").write_text(".2.....24.....3.\n")
    (found,) = puzzle_entries(["1234567812345678"], box=None, symbols=None)
    assert str(found.puzzle) == ".2.....24.....3." and found.file == "1234567812345678"


def test_a_wrong_length_is_about_the_puzzle_not_about_a_file() -> None:
    (found,) = puzzle_entries(["." * 80], box=None, symbols=None)
    assert isinstance(found.puzzle, PuzzleError) and "80" in str(found.puzzle)


def test_an_argument_longer_than_a_file_name_is_no_crash() -> None:
    (found,) = puzzle_entries(["x" * 5000], box=None, symbols=None)
    assert isinstance(found.puzzle, PuzzleError)


def test_nothing_named_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    with pytest.raises(UsageError, match="no puzzle was named"):
        list(puzzle_entries([], box=None, symbols=None))


def test_counting_reads_files_but_not_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "p.sdm"
    file.write_text(("." * 81 + "\n") * 7)
    assert count_puzzles([str(file), "." * 16], None, None) == 8
    assert count_puzzles(["-"], None, None) is None
    monkeypatch.setattr("dgsolve.cli.puzzle_input.COUNTED_BYTES", 100)
    assert count_puzzles([str(file)], None, None) is None


def test_an_empty_argument_is_not_this_folder() -> None:
    (entry,) = puzzle_entries([""], box=None, symbols=None)
    assert isinstance(entry.puzzle, PuzzleError) and "empty argument" in entry.puzzle.message


def test_counting_does_not_read_a_pipe_or_a_large_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for a writer
    assert count_puzzles([str(tmp_path / "pipe")], None, None) is None
    (tmp_path / "large").write_text("\n" * 2_000_001)
    assert count_puzzles([str(tmp_path)], None, None) is None
