"""What `dgsolve sudoku` tells a person: places, hints, weak spots, counts, and what a terminal shows."""

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SMALL = ".2.....24.....3."  # one solution
SMALL_ANSWER = "1243341243212134"
NINE = "5.....68...219.....1..45.........7...54.1...682...7..4.......1....4529...6....4.."
NINE_ANSWER = "549723681672198543318645279931264758754819326826537194495376812183452967267981435"
OPEN = "1...3...4...2..."  # several solutions
REPEATED = "11.............."

Cli = Callable[..., Any]  # the fixture of conftest.py: arguments -> what came out


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def feed(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return feed


@pytest.mark.parametrize(("puzzle", "few"), [("." * 80 + "1", True), (NINE, False), (OPEN, False), ("1...", False)])
def test_diffusion_is_said_to_be_weak_where_there_are_few_givens(cli: Cli, puzzle: str, few: bool) -> None:
    assert ("The puzzle has few givens and many answers; diffusion is weak there." in cli(puzzle).err) is few


def test_typed_puzzles_are_named_by_their_argument_and_a_lone_one_by_nothing(cli: Cli) -> None:
    ran = cli(SMALL, REPEATED, NINE[:-2] + "q.")
    assert ran.lines == [SMALL_ANSWER, "MODEL_INVALID", "UNREADABLE"]
    assert "argument 1: found by exact search, not by diffusion.\n" in ran.err
    assert "argument 2: The givens already break a rule." in ran.err
    assert "argument 3, column 80: 'q' is not one of the values 1 to 9" in ran.err
    assert cli(REPEATED).err.startswith("The givens already break a rule.")
    assert cli(NINE[:-2] + "q.").err.startswith("column 80: ")


def test_a_hint_of_two_lines_is_indented_whole(cli: Cli) -> None:
    hint = "  An open cell is one of . 0 _ * - ? x\n  Give the grid's own symbols"
    assert hint in cli(NINE[:-2] + "q.").err


@pytest.mark.parametrize(("puzzle", "answer"), [(SMALL, SMALL_ANSWER), (NINE, NINE_ANSWER)])
def test_x_is_an_open_cell_typed_and_piped(cli: Cli, piped: Callable[[bytes], None], puzzle: str, answer: str) -> None:
    assert cli(puzzle.replace(".", "x")).lines == [answer]
    piped(puzzle.replace(".", "X").encode())
    assert cli("-").lines == [answer]


def test_a_short_puzzle_that_is_no_file(cli: Cli) -> None:
    assert "If this is a puzzle: it has 5 cells; 4x4 needs 16, 9x9 needs 81." in cli("12.4.").err
    assert "If this" not in cli("none.txt").err


@pytest.mark.parametrize("content", [gzip.compress(b"x\n" * 99), bytes(range(32)) * 9, b'{"trace": "dgsolve"}\n{}\n'])
def test_what_is_no_text_is_one_error(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (file := tmp_path / "odd").write_bytes(content)
    ran = cli(str(file))
    assert ran.code == 2 and "dgsolve replay FILE" in ran.err and ran.err.count("\n") == 2


def test_all_says_how_many_were_printed(cli: Cli) -> None:
    assert "5 solutions printed, as many as --all 5 asks for; there may be more.\n" in cli(OPEN, "--all", "5").err
    assert "1 solution printed.\n" in cli(SMALL, "--all", "5").err
    many = cli(OPEN, SMALL, "--all", "2").err
    assert "argument 1: 2 solutions printed, as many" in many and "argument 2: 1 solution printed.\n" in many


def test_quiet_says_nothing_and_verbose_everything(cli: Cli) -> None:
    assert cli(SMALL, SMALL, "-q").err == ""
    assert cli(SMALL, SMALL, "-v").err.count("Found by exact search") == 2
    assert "r1c1 and r1c2" in cli(REPEATED, "-q").err  # errors are never silent


def test_a_grid_for_a_person_at_a_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dgsolve.cli.results.Results.at_terminal", True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli(SMALL).out == (
        "┌─────┬─────┐\n│ 1 2 │ 4 3 │\n│ 3 4 │ 1 2 │\n├─────┼─────┤\n│ 4 3 │ 2 1 │\n│ 2 1 │ 3 4 │\n└─────┴─────┘\n"
    )


def test_several_grids_at_a_terminal_carry_their_places(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dgsolve.cli.results.Results.at_terminal", True)
    monkeypatch.setenv("NO_COLOR", "1")
    lines = cli(SMALL, SMALL).lines
    assert (lines[0], lines[8]) == ("argument 1", "argument 2") and len(lines) == 16


def test_json_at_a_terminal_is_not_contradicted(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dgsolve.cli.talk.Talk.watched", True)
    assert "more than one solution" in cli(OPEN).err
    ran = cli(OPEN, "--json")
    assert json.loads(ran.out)["solutions"] == "unknown" and "more than one solution" not in ran.err
