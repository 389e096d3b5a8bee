"""The puzzle sets that the figures are measured on, and the puzzles shipped with the project, all read."""

import json
from collections import Counter
from pathlib import Path

import pytest

from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import PuzzleEntry, read_puzzles

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data folder does not lie beside the repository")


def read(name: str) -> list[PuzzleEntry]:
    return list(read_puzzles(DATA / "sudoku" / name))


@needs_data
@pytest.mark.parametrize(
    ("name", "count", "solutions", "shape"),
    [
        ("hard_mix.csv", 4600, 4600, ("sudoku", 9, 3, 3)),
        ("17_clue_head_crlf.txt", 2996, 0, ("sudoku", 9, 3, 3)),
        ("kaggle_easy/sudoku_test.csv", 1000, 1000, ("sudoku", 9, 3, 3)),
        ("multiple_solutions.txt", 498, 0, ("sudoku", 9, 3, 3)),
        ("nonet_pool/puzzles.json", 63, 63, ("sudoku", 9, 3, 3)),
        ("norvig/top95.txt", 95, 0, ("sudoku", 9, 3, 3)),
        ("norvig/hardest.txt", 11, 0, ("sudoku", 9, 3, 3)),
        ("norvig/easy_50.txt", 50, 0, ("sudoku", 9, 3, 3)),
        ("samurai/fourbyfour.txt", 1, 0, ("sudoku", 4, 2, 2)),
        ("samurai/sixteen.txt", 1, 0, ("sudoku", 16, 4, 4)),
        ("samurai/hardsixteen.txt", 1, 0, ("sudoku", 16, 4, 4)),
    ],
)
def test_a_whole_set_reads(name: str, count: int, solutions: int, shape: tuple) -> None:
    found = read(name)
    assert Counter(isinstance(entry.puzzle, Sudoku) for entry in found) == {True: count}
    assert sum(entry.solution is not None for entry in found) == solutions
    assert {entry.puzzle.shape() for entry in found if isinstance(entry.puzzle, Sudoku)} == {shape}
    for entry in found[:: max(1, count // 40)]:
        assert isinstance(entry.puzzle, Sudoku) and not entry.puzzle.given_faults()
        assert entry.solution is None or entry.puzzle.check(entry.solution).valid


@needs_data
def test_first_and_last_line_of_the_17_clue_file() -> None:
    found = read("17_clue_head_crlf.txt")
    lines = (DATA / "sudoku" / "17_clue_head_crlf.txt").read_text().splitlines()
    puzzles = [line for line in lines if not line.startswith("#")]
    assert [str(entry.puzzle) for entry in found] == puzzles
    assert found[-1].line == len(lines)


@needs_data
@pytest.mark.parametrize("name", ["2x2", "2x3", "3x3_trivial", "3x3_unreasonable", "3x4", "4x4", "5x5"])
def test_ids_agree_with_the_decoded_puzzles(name: str) -> None:
    ids = read(f"sgt_generated/solo_{name}.txt")
    decoded = read(f"sgt_generated/canonical/solo_{name}.jsonl")
    assert [entry.puzzle for entry in ids] == [entry.puzzle for entry in decoded] and ids
    assert all(entry.puzzle.check(entry.solution).valid for entry in decoded)  # type: ignore[union-attr]


@needs_data
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("3x3_X", "Sudoku X"),
        ("3x3_killer", "killer"),
        ("6_jigsaw", "jigsaw"),
        ("9_jigsaw", "jigsaw"),
        ("9_jigsawX", "jigsaw"),
    ],
)
def test_ids_of_other_rules_are_refused(name: str, kind: str) -> None:
    for entry in read(f"sgt_generated/solo_{name}.txt") + read(f"sgt_generated/canonical/solo_{name}.jsonl"):
        assert kind in str(entry.puzzle) and "rules beyond" in str(entry.puzzle)


@needs_data
def test_samurai_is_refused() -> None:
    (entry,) = read("samurai/samurai.txt")
    assert "samurai" in str(entry.puzzle)


@needs_data
def test_big_grids_read() -> None:
    sixteen, twenty_five = read("big_grids/mathias_16_25.txt")
    assert sixteen.puzzle.shape() == ("sudoku", 16, 4, 4) and sixteen.puzzle.givens[3] == 11  # type: ignore[union-attr]
    assert twenty_five.puzzle.shape() == ("sudoku", 25, 5, 5) and twenty_five.puzzle.givens[2] == 22  # type: ignore[union-attr]


@needs_data
def test_cases_name_their_repeated_givens() -> None:
    cases = [json.loads(line) for line in (DATA / "cases" / "sudoku.jsonl").read_text().splitlines()]
    found = list(read_puzzles(DATA / "cases" / "sudoku.jsonl"))
    assert [entry.name for entry in found] == [case["id"] for case in cases]
    for entry, case in zip(found, cases, strict=True):
        assert isinstance(entry.puzzle, Sudoku)
        assert bool(entry.puzzle.given_faults()) == (case["expected"] == "invalid_clues")
        assert case["solution"] is None or entry.puzzle.check(case["solution"]).valid


def test_shipped_puzzles_read() -> None:
    shapes = {"easy.txt": 9, "hard.txt": 9, "6x6.txt": 6, "16x16.txt": 16, "25x25.txt": 25}
    for name, size in shapes.items():
        puzzle = Sudoku.read(ROOT / "puzzles" / name)
        assert puzzle.size == size and not puzzle.given_faults()
    assert len(list(read_puzzles(ROOT / "puzzles" / "many.sdm"))) == 20
