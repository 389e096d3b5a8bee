"""Files of lines stream: the first entry comes before the rest is read, and memory stays."""

import io
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import read_puzzles
from dgsolve.puzzle_files.base import Context, Line
from dgsolve.puzzle_files.csv_file import CsvFile
from dgsolve.puzzle_files.json_file import JsonFile
from dgsolve.puzzle_files.opensudoku import OpenSudokuFile
from dgsolve.puzzle_files.text_file import TextFile

from .corpus import GIVENS, ROWS, SOLUTION, WIKI


def counting(texts: Iterator[str], taken: list[int]) -> Iterator[Line]:
    for number, text in enumerate(texts, 1):
        taken.append(number)
        yield Line(number, text)


@pytest.mark.parametrize(
    ("family", "head", "line"),
    [
        (TextFile(), [], WIKI),
        (CsvFile(), ["puzzle,solution"], f"{WIKI},{SOLUTION}"),
        (JsonFile(), [], f'{{"puzzle": "{WIKI}"}}'),
        (OpenSudokuFile(), ["<opensudoku>"], f'<game data="{WIKI}"/>'),
    ],
)
def test_an_entry_comes_with_its_line(family, head: list[str], line: str) -> None:
    taken: list[int] = []
    stream = family.entries(counting(iter([*head, *[line] * 100]), taken), Context())
    assert next(stream).puzzle.givens == GIVENS
    assert len(taken) == len(head) + 1
    assert sum(1 for _ in stream) == 99


def test_grids_of_rows_come_after_few_lines() -> None:
    taken: list[int] = []
    stream = TextFile().entries(counting(iter([*ROWS, ""] * 200), taken), Context())
    assert next(stream).puzzle.givens == GIVENS and len(taken) <= 60
    assert sum(1 for _ in stream) == 199


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "large.sdm"
    file.write_text(f"{WIKI}\n" * 4_000)
    tracemalloc.start()
    count = sum(isinstance(entry.puzzle, Sudoku) for entry in read_puzzles(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 4_000 and peak < 500_000


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{WIKI}\n{WIKI[:80]}".encode())))
    first, second = read_puzzles("-")
    assert (first.file, first.line, second.line) == ("-", 1, 2)
    assert str(second.puzzle).startswith("-, line 2: ")
    assert not sys.stdin.buffer.closed
