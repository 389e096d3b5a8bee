"""Every form of one puzzle is read rightly."""

import json
from pathlib import Path

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import PuzzleEntry, parse_puzzles, read_puzzles

from .corpus import GIVENS, ONE_PUZZLE, ROWS, SOLUTION, WIKI, candidates, parted


def entries(text: str | bytes, **options: str) -> list[PuzzleEntry]:
    return list(parse_puzzles(text, **options))  # type: ignore[arg-type]


def puzzles(text: str | bytes, **options: str) -> list[Sudoku]:
    found = [entry.puzzle for entry in entries(text, **options)]
    for puzzle in found:
        if isinstance(puzzle, PuzzleError):
            raise puzzle
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("form", ONE_PUZZLE)
def test_one_puzzle_in_each_form(form: str) -> None:
    assert [puzzle.givens for puzzle in puzzles(ONE_PUZZLE[form])] == [GIVENS]
    assert Sudoku.parse(ONE_PUZZLE[form]).givens == GIVENS


@pytest.mark.parametrize(
    "form", [form for form, text in ONE_PUZZLE.items() if "[" not in text[:2] and "JSON" not in form]
)
def test_the_same_in_utf_16_and_with_a_mark(form: str) -> None:
    text = ONE_PUZZLE[form]
    for content in (
        text.encode("utf-16"),
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        text.encode("utf-8-sig"),
    ):
        assert [puzzle.givens for puzzle in puzzles(content)] == [GIVENS]


def test_solution_rating_and_name_come_along() -> None:
    solution = tuple(map(int, SOLUTION))
    (entry,) = entries(ONE_PUZZLE["CSV, other order"])
    assert (entry.solution, entry.rating, entry.name, entry.line) == (solution, "2.5", "7", 2)
    (entry,) = entries(ONE_PUZZLE["CSV, semicolons"])
    assert (entry.solution, entry.rating, entry.name) == (solution, "4", "x")
    (entry,) = entries(ONE_PUZZLE["SudokuExchange"])
    assert (entry.solution, entry.rating, entry.name) == (None, "1.2", "0000183b305c")
    (entry,) = entries(ONE_PUZZLE["two fields"])
    assert entry.solution == solution
    (entry,) = entries(json.dumps({"puzzle": WIKI, "solution": SOLUTION, "difficulty": "hard", "id": "a1"}))
    assert (entry.solution, entry.rating, entry.name) == (solution, "hard", "a1")
    assert entries(ONE_PUZZLE["heading"])[0].name == "Grid 01"
    assert entries(ONE_PUZZLE["note #"])[0].name == "1 note"


def test_many_puzzles_of_rows() -> None:
    second = [row[::-1] for row in ROWS]
    for lines in (
        [*ROWS, *second],
        [*ROWS, "", *second],
        ["Grid 01", *ROWS, "Grid 02", *second],
        ["1", *ROWS, "2", *second],
    ):
        found = entries("\n".join(lines))
        assert [str(entry.puzzle) for entry in found] == [WIKI, "".join(second)]
    assert len(puzzles("\n".join(ROWS * 30))) == 30
    assert [puzzle.givens for puzzle in puzzles("\n".join(parted("-----------") * 30))] == [GIVENS] * 30
    assert len(puzzles("\n\n".join(["\n".join(ROWS)] * 7))) == 7


def test_what_stands_around_puzzles_is_left_out() -> None:
    for lines in (
        [WIKI, "-" * 80, WIKI],
        [WIKI, "=====", WIKI],
        ["Easy ones by Bob", WIKI, "2026-12-01", *ROWS],
        [*ROWS[:4], "# half", *ROWS[4:], WIKI],
    ):
        assert [puzzle.givens for puzzle in puzzles("\n".join(lines))] == [GIVENS, GIVENS]
    for name in ("550e8400-e29b-41d4-a716-446655440000", "a" * 64, "1."):
        (entry,) = entries(f"{name} {WIKI}")
        assert str(entry.puzzle) == WIKI and entry.name == name


def test_a_row_of_dashes_is_a_row_only_where_the_grid_needs_it() -> None:
    rows = ["---------", *(row.replace(".", "-") for row in ROWS[1:])]
    assert puzzles("\n".join(rows))[0].givens == (0,) * 9 + GIVENS[9:]
    cut = ["|".join((row[:3], row[3:6], row[6:])) for row in rows]
    drawn = "\n".join([*cut[:3], "-----------", *cut[3:6], "-----------", *cut[6:]])
    assert puzzles(drawn)[0].givens == (0,) * 9 + GIVENS[9:]


def test_a_row_of_spaces_is_a_row() -> None:
    rows = [row.replace(".", " ") for row in [*ROWS[:4], "." * 9, *ROWS[5:]]]
    assert puzzles("\n".join(rows))[0].givens == GIVENS[:36] + (0,) * 9 + GIVENS[45:]


def test_candidates_restrict() -> None:
    for first in ("5", "u5"):
        (puzzle,) = puzzles("\n".join(candidates(first)))
        assert puzzle.givens == GIVENS
        assert puzzle.pencilmarks is not None and puzzle.pencilmarks[2] == {1, 2, 3, 4}
        assert puzzle.candidates()[2] == {1, 2, 4}
    drawn = [".---.---.---.", *(f"| {line} |" for line in candidates()), "'---'---'---'"]
    assert puzzles("\n".join(drawn))[0].givens == GIVENS


def test_729_characters() -> None:
    text = "".join(
        "123456789" if cell == "." else "".join(d if d == cell else "." for d in "123456789") for cell in WIKI
    )
    assert puzzles(text)[0].givens == GIVENS
    none_left = "." * 9 + text[9:]
    (puzzle,) = puzzles(none_left)
    assert puzzle.givens[0] == 0 and puzzle.candidates()[0] == frozenset()
    with pytest.raises(PuzzleError, match="line 1, column 1: '2' stands where only 1"):
        puzzles("2" + text[1:])


def test_library_line_removes_candidates() -> None:
    (puzzle,) = puzzles(f":0000:x:{WIKI}:413 234:::")
    assert puzzle.givens == GIVENS and puzzle.pencilmarks is not None
    assert puzzle.pencilmarks[2] == set(range(1, 10)) - {4} and puzzle.pencilmarks[21] == set(range(1, 10)) - {2}
    assert puzzles(f":0000:x:{WIKI}:::")[0].pencilmarks is None


def test_tatham_ids_have_boxes_rows_by_columns() -> None:
    (puzzle,) = puzzles("2x3:3b1a5b1c2_6c1_1c2_6c5b5a4b3")
    assert (puzzle.box_rows, puzzle.box_cols) == (2, 3)
    assert puzzle.givens == tuple(map(int, "300105001000260001100026000500504003"))
    assert puzzles("3:a8z1zz")[0].givens[1] == 8
    assert puzzles("3x4r2de:" + "z" * 5 + "n")[0].shape() == ("sudoku", 12, 3, 4)


def test_4x4_lines_and_16x16_rows_are_told_apart() -> None:
    line = "12............34"
    assert [puzzle.size for puzzle in puzzles(f"{line}\n{line}")] == [4, 4]
    assert [puzzle.size for puzzle in puzzles(f"{line}\n" * 16)] == [4] * 16
    assert [puzzle.size for puzzle in puzzles(f"{line}\n" * 15 + "G" + "0" * 15)] == [16]
    assert [puzzle.size for puzzle in puzzles(f"{line}\n" * 16, box="4x4", symbols="1-9A-G")] == [16]
    assert [puzzle.givens[0] for puzzle in puzzles(f"{line},1234341221434321")] == [1]
    assert puzzles("12..\n..34\n....\n....")[0].size == 4


def test_alphabets_of_16() -> None:
    def row_of_all(symbols: str) -> str:
        return "\n".join([symbols, *["." * 16] * 15])

    assert puzzles(row_of_all("123456789ABCDEFG"))[0].givens[:16] == tuple(range(1, 17))
    assert puzzles(row_of_all("123456789abcdefg"))[0].givens[:16] == tuple(range(1, 17))
    assert puzzles(row_of_all("0123456789ABCDEF"))[0].givens[:16] == tuple(range(1, 17))
    assert puzzles(row_of_all("ABCDEFGHIJKLMNOP"))[0].givens[:16] == tuple(range(1, 17))
    assert puzzles(row_of_all("0123456789ABCDEF"))[0].symbols == tuple("0123456789ABCDEF")
    assert puzzles(row_of_all("123456789ABCDEF.").replace(".", "0"))[0].givens[:16] == (*range(1, 16), 0)
    with pytest.raises(PuzzleError, match="1-9A-G or 0-9A-F") as caught:
        puzzles(row_of_all("123456789ABCDEF."))
    assert "--symbols" in caught.value.hint
    assert puzzles(row_of_all("123456789ABCDEF."), symbols="0-9A-F")[0].givens[:2] == (2, 3)


def test_alphabets_of_25_and_numbers() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXY"
    for first, last in ((letters, 25), ("123456789abcdefghijklmnop", 25), ("0123456789ABCDEFGHIJKLMNO", 25)):
        (puzzle,) = puzzles("\n".join([first, *["." * 25] * 24]))
        assert (puzzle.givens[24], puzzle.shape()) == (last, ("sudoku", 25, 5, 5))
    (puzzle,) = puzzles("\n".join([" ".join(map(str, range(1, 13))), *["0 " * 12] * 11]))
    assert puzzle.givens[:12] == tuple(range(1, 13)) and puzzle.symbols[11] == "12"
    (puzzle,) = puzzles(" ".join(["16", "15", *["."] * 254]))
    assert puzzle.givens[:2] == (16, 15)


def test_own_symbols_and_boxes() -> None:
    (puzzle,) = puzzles("SUDOKUGAM".replace("U", ".") + "." * 72, symbols="SUDOKGAMB")
    assert puzzle.givens[:9] == (1, 0, 3, 4, 5, 0, 6, 7, 8)
    assert puzzles("1" + "." * 35, box="3x2")[0].box_rows == 3
    assert puzzles("1" + "." * 35)[0].box_rows == 2


def test_every_line_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_bytes(f"# first\r\n{WIKI}\r\n\r\n{WIKI[:80]}\r\n{WIKI[:40]}q{WIKI[41:]}\r\n{WIKI}".encode())
    found = list(read_puzzles(file))
    assert [entry.line for entry in found] == [2, 4, 5, 6] and {entry.file for entry in found} == {str(file)}
    assert [isinstance(entry.puzzle, Sudoku) for entry in found] == [True, False, False, True]
    assert str(found[1].puzzle) == f"{file}, line 4: this line has 80 cells, expected 81"
    assert str(found[2].puzzle).startswith(f"{file}, line 5, column 41: 'q' is not one of the values 1 to 9")
    assert found[0].puzzle.source == (str(file), 2)  # type: ignore[union-attr]
