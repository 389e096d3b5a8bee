"""What cannot be read is refused with its place, its kind and what to write instead."""

import itertools
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.puzzle_files import parse_puzzles, read_puzzles

from .corpus import ONE_PUZZLE, ROWS, SOLUTION, WIKI


def first_error(text: str | bytes, **options: str) -> PuzzleError:
    with pytest.raises(PuzzleError) as caught:
        for entry in parse_puzzles(text, **options):  # type: ignore[arg-type]
            if isinstance(entry.puzzle, PuzzleError):
                raise entry.puzzle
    return caught.value


REGIONS = [letter * 9 for letter in "ABCDEFGHI"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("jigsaw", WIKI + "".join(digit * 9 for digit in "123456789")),
        ("jigsaw", "\n".join([*ROWS, "", *REGIONS])),
        ("jigsaw", "\n".join([*ROWS, "", *(digit * 9 for digit in "123456789")])),
        ("jigsaw", "9j:g2a4b6_7c5a8,adaabca"),
        ("killer", "3x3k:zzzc,__a__a,8_13"),
        ("Sudoku X", "3x3x:" + "z" * 3 + "c"),
        ("killer", "3x3:d:k:3841:2:3"),
        ("killer", "SumoCueV1=12=0=3"),
        ("killer", "<>^v" + "." * 77),
        ("jigsaw, killer", "3x3:zzzc,aabb"),
        ("jigsaw", f'{{"puzzle": "{WIKI}", "jigsaw": [[1]]}}'),
        ("killer", '{"clues": [0], "cages": [{"sum": 3}]}'),
        ("sandwich", f'{{"board": "{WIKI}", "sandwich": {{"side": [1]}}}}'),
        ("kenken", '{"game": "kenken", "clues": [0]}'),
    ],
)
def test_other_rules_are_named(kind: str, text: str) -> None:
    error = first_error(text)
    assert kind in error.message and "rules beyond rows, columns and boxes" in error.message and error.hint


def samurai() -> list[list[str]]:
    """Five grids that agree where they overlap: a filled one whose opposite boxes are relabelled to each other."""
    blank = [["."] * 9 for _ in range(9)]
    grids = [[row[:] for row in blank] for _ in range(5)]
    for corner, (top, left) in ((0, (6, 6)), (1, (6, 0)), (3, (0, 6)), (4, (0, 0))):
        grids[corner][top][left + 1] = "7"
        grids[2][6 - top][6 - left + 1] = "7"
    return [["".join(row) for row in grid] for grid in grids]


def test_samurai_is_one_puzzle_refused() -> None:
    text = "\n\n".join("\n".join(grid) for grid in samurai())
    found = list(parse_puzzles(text))
    assert len(found) == 1 and "samurai" in str(found[0].puzzle)
    assert len(list(parse_puzzles(text + "\n\n" + "\n".join(ROWS)))) == 6
    sheet = []
    for line in range(21):
        outer = 9 <= line <= 11
        sheet.append(
            "".join(
                " " if (9 <= at <= 11 and not 6 <= line <= 14) or (outer and not 6 <= at <= 14) else "."
                for at in range(21)
            )
        )
    assert "samurai" in first_error("\n".join(sheet)).message


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("\n".join([*ROWS[:3], ROWS[3][:8], *ROWS[4:]]), (4, None), "row 4 has 8 cells, expected 9"),
        ("\n".join([*ROWS[:3], ROWS[3] + "1", *ROWS[4:]]), (4, None), "row 4 has 10 cells, expected 9"),
        ("\n".join(ROWS[:8]), (1, None), "the grid has 8 rows of 9 cells, expected 9 rows"),
        ("\n".join([*ROWS[:3], "8...6..q3", *ROWS[4:]]), (4, 8), "'q' is not one of the values 1 to 9"),
        ("\n".join(row.replace(".", " ").rstrip() for row in ROWS), (1, None), "row 1 has 5 cells, expected 9"),
        (WIKI[:80], (1, None), "this line has 80 cells, expected 81"),
        (WIKI + "1", (1, 82), "this line has 82 cells, expected 81"),
        (WIKI.replace(".", "0", 1)[:40] + "²" + WIKI[41:], (1, 41), "'²' is not one of the values"),
        (WIKI[:40] + "٣" + WIKI[41:], (1, 41), "'٣' is not one of the values"),
        ("7" + "." * 35, (1, 1), "'7' is not one of the values 1 to 6"),
        (SOLUTION[1:], (1, None), "this line has 80 cells, expected 81: leading zeros lost?"),
        ("quizzes,solutions\n" + "4.3E+78," + SOLUTION, (2, None), "'4.3E+78' is a rounded number"),
        ("quizzes,solutions\n" + "1" * 78 + "," + SOLUTION, (2, None), "78 cells, expected 81: leading zeros lost?"),
        ("id,puzzle\n7", (2, None), "this line has 1 fields, the puzzle is in field 2"),
        ("puzzle,solution\n" + WIKI + "," + SOLUTION[:80], (2, 83), "the solution has 80 cells, expected 81"),
        ("puzzle,solution\n" + WIKI + "," + SOLUTION[:80] + "x", (2, 163), "the solution has an open cell"),
        ("2x3:3b1", (1, None), "this id has 4 cells, expected 36"),
        ("2x3:zzzz", (1, None), "this id has more than 36 cells"),
        ("2x3:3b7zzz", (1, 7), "not a value from 1 to 6"),
        ("6x6:aCeG", (1, None), "boxes of 6x6"),
        ("3x3#1234", (1, None), "random seed"),
        (":0000:x:" + WIKI[:80] + ":::", (1, 9), "the grid has 80 cells, expected 81"),
        (f":0000:x:{WIKI}:9999:::", (1, None), "'9999' is not a removed candidate"),
        ('<opensudoku>\n<game data="123"/>', (2, None), "3 cells"),
        ('{"puzzle": 5}', (1, None), "5 is not a grid"),
        ('{"quizz": "1"}', (1, None), "no puzzle among the keys quizz"),
        ('{"puzzle": "53..', (1, 12), "not JSON"),
        ("[" * 100_000, (1, None), "nested too deeply"),
        ("[" + "[" * 20 + "1" + "]" * 20 + "]", (1, None), "nested too deeply"),
        ('["' + WIKI + '", "12"]', (1, None), "puzzle 2: "),
        ("1......\n" + ".......\n" * 6, (1, None), "this row has 7 cells"),
        (b"53..7" + b"\xff" + WIKI[6:].encode(), (1, 6), "a byte here is not text"),
    ],
)
def test_the_place_and_the_reason(text: str | bytes, place: tuple[int, int | None], message: str) -> None:
    error = first_error(text)
    assert message in error.message
    assert (error.line, error.column) == place


@pytest.mark.parametrize(
    "text", ["", "\n", " \t\r\n ", "hello there", "# only a note", "<html></html>", "[]", "-----\n-----"]
)
def test_nothing_to_read_is_said(text: str) -> None:
    with pytest.raises(PuzzleError, match=r"empty|no puzzle found"):
        list(parse_puzzles(text))


def test_files_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(PuzzleError, match=r"nothing\.txt: the file cannot be read: No such file"):
        next(read_puzzles(tmp_path / "nothing.txt"))
    with pytest.raises(PuzzleError, match="cannot be read: Is a directory"):
        next(read_puzzles(tmp_path))
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    with pytest.raises(PuzzleError, match=r"empty\.txt, .*|empty\.txt: .*the file is empty"):
        next(read_puzzles(empty))


def test_wrong_options_are_refused_at_once() -> None:
    for options in ({"box": "9"}, {"symbols": "112"}, {"box": "2x3", "symbols": "1-9"}):
        with pytest.raises(UsageError):
            parse_puzzles(WIKI, **options)
    assert "81 cells, expected 36" in first_error(WIKI, box="2x3").message


def test_one_puzzle_is_asked_for() -> None:
    with pytest.raises(PuzzleError, match="holds 3 puzzles") as caught:
        Sudoku.parse("\n".join([WIKI] * 3))
    assert "read_puzzles" in caught.value.hint


def test_the_rest_of_the_file_is_still_read() -> None:
    text = "\n".join([*ROWS[:8], "", *ROWS, "", *ROWS[:3], "", *ROWS])
    assert [isinstance(entry.puzzle, Sudoku) for entry in parse_puzzles(text)] == [False, True, False, True]
    text = "\n".join([f'{{"puzzle": "{WIKI}"}}', '{"puzzle": }', f'{{"puzzle": "{WIKI}"}}'])
    assert [isinstance(entry.puzzle, Sudoku) for entry in parse_puzzles(text)] == [True, False, True]
    text = '{"puzzle": }\n' + f'{{"puzzle": "{WIKI}"}}'
    assert [isinstance(entry.puzzle, Sudoku) for entry in parse_puzzles(text)] == [False, True]


LONG_LINES = {
    "digits": "1" * 2_000_000,
    "dashes": "-" * 2_000_000,
    "words": "1 " * 1_000_000,
    "commas": "1," * 1_000_000,
    "colons": ":" * 2_000_000,
    "open brackets": "[" * 2_000_000,
    "braces": "{" * 2_000_000,
    "quotes": '"' * 2_000_000,
    "angles": "<a " + "data=" * 400_000,
    "spaces": " " * 2_000_000 + "1",
    "header": "puzzle," * 300_000,
    "numbers": "[" + "1," * 900_000 + "1]",
    "id": "3x3:" + "9_" * 1_000_000,
    "many digits": "3x3:" + "9" * 2_000_000,
}


@pytest.mark.parametrize("kind", LONG_LINES)
def test_a_line_of_two_megabytes_takes_linear_time(kind: str) -> None:
    start = time.perf_counter()
    with pytest.raises(PuzzleError):
        for entry in parse_puzzles(LONG_LINES[kind] + "\n"):
            assert isinstance(entry.puzzle, PuzzleError) and len(str(entry.puzzle)) < 300
            raise entry.puzzle
    assert time.perf_counter() - start < 10


def read_or_refused(content: str | bytes) -> None:
    try:
        for entry in parse_puzzles(content):
            assert isinstance(entry.puzzle, Sudoku | PuzzleError)
            if isinstance(entry.puzzle, PuzzleError):
                assert entry.puzzle.message
            elif entry.solution is not None:
                assert len(entry.solution) == len(entry.puzzle.givens)
    except PuzzleError as error:
        assert error.message


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400) | st.text(max_size=300))
def test_anything_is_read_or_refused(content: str | bytes) -> None:
    read_or_refused(content)


MARKS = "[[ ]] { } , ; : | # // 3x3: 9j 0 1234 .......... G abcdefg None ² ' 1e999 NaN ----------- +---+---+ [Puzzle]"
PIECES = st.sampled_from(
    [
        WIKI,
        *ROWS,
        *MARKS.split(),
        '"',
        '"puzzle":',
        "puzzle,solution",
        "<game data=",
        "\n",
        "\n\n",
        "\t",
        " ",
        "\x00",
        "\ufffd",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=24).map("".join))
def test_pieces_of_formats_are_read_or_refused(text: str) -> None:
    read_or_refused(text)


def test_damaged_files_are_read_or_refused() -> None:
    generator = random.Random(1)
    forms = itertools.cycle(ONE_PUZZLE.values())
    for form in itertools.islice(forms, 600):
        content = bytearray(form.encode())
        for _ in range(generator.randrange(1, 5)):
            at = generator.randrange(len(content))
            if generator.random() < 0.5:
                content[at] = generator.randrange(256)
            else:
                del content[at : at + generator.randrange(1, 12)]
            content = content or bytearray(b"1")
        read_or_refused(bytes(content))


@pytest.mark.parametrize(
    ("text", "box", "hint"),
    [
        (WIKI[:80], None, "One cell is missing: write . for every open cell, one puzzle per line."),
        (WIKI + "..", None, "2 cells are too many: write . for every open cell, one puzzle per line."),
        (WIKI[:49], None, "4x4 needs 16 cells, 6x6 needs 36, 9x9 needs 81; 13 cells are too many"),
        (WIKI[:35], "2x3", "--box 2x3 asks for 36 cells; one cell is missing"),
        (WIKI, "2x3", "81 cells are a 9x9 grid: leave out --box and --symbols, or give those of it."),
        ("." * 15, None, "If this line is a whole puzzle: 4x4 needs 16 cells, 9x9 needs 81"),
        (f"{'.' * 16}\n1{'.' * 15}\n{'.' * 14}", None, "2 cells are missing: write ."),
    ],
)
def test_a_wrong_length_says_what_to_do(text: str, box: str | None, hint: str) -> None:
    assert hint in first_error(text, box=box).hint
