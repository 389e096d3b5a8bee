"""`dgsolve sudoku`: every exit code, stdout for results alone, JSON envelopes, streams in order."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dgsolve import Sudoku
from dgsolve.errors import ModelUnavailableError
from dgsolve.solution import Solution

SMALL = ".2.....24.....3."  # one solution
SMALL_ANSWER = "1243341243212134"
NINE = "5.....68...219.....1..45.........7...54.1...682...7..4.......1....4529...6....4.."
NINE_ANSWER = "549723681672198543318645279931264758754819326826537194495376812183452967267981435"
OPEN = "1...3...4...2..."  # several solutions
REPEATED = "11.............."
NORVIG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."

Cli = Callable[..., Any]  # the fixture of conftest.py: arguments -> what came out


def valid(puzzle: str, line: str) -> bool:
    return Sudoku.parse(puzzle).check(line).valid


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def feed(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return feed


def test_one_line_per_puzzle_and_the_rest_on_stderr(cli: Cli) -> None:
    ran = cli(SMALL)
    assert (ran.code, ran.out) == (0, SMALL_ANSWER + "\n")
    assert "Found by exact search (CP-SAT), not by diffusion." in ran.err
    assert "Diffusion did not settle in 2 steps on 1 canvas, seed 0." in ran.err


def test_diffusion_is_said_when_it_found_the_answer(cli: Cli) -> None:
    ran = cli(OPEN, "--steps", "300", "--no-fallback")
    assert ran.code == 0 and valid(OPEN, ran.out.strip())
    assert "Found by diffusion in " in ran.err and "exact" not in ran.err


def test_without_fallback_no_answer_is_exit_1(cli: Cli) -> None:
    ran = cli(NORVIG, "--no-fallback")
    assert (ran.code, ran.out) == (1, "UNKNOWN\n")
    assert "The steps ran out after 2. Try more --steps" in ran.err and "leave out --no-fallback" in ran.err
    assert "few givens" not in ran.err


def test_repeated_givens_name_both_cells_before_any_search(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dgsolve.loading.load_denoiser", lambda name: pytest.fail("no denoiser is needed"))
    ran = cli(REPEATED)
    assert (ran.code, ran.out) == (2, "MODEL_INVALID\n")
    assert "r1c1 and r1c2" in ran.err


def test_no_solution_is_exit_3_with_a_minimal_conflict(cli: Cli) -> None:
    ran = cli(NORVIG, "--json")
    (envelope,) = ran.envelopes
    assert (ran.code, envelope["status"], envelope["solutions"]) == (3, "INFEASIBLE", "none")
    cells = envelope["faults"][0]["cells"]
    conflict = {(int(cell[1]) - 1) * 9 + int(cell[3]) - 1 for cell in cells}
    from dgsolve.certify import SolutionCount, certify

    def count(kept: set[int]) -> SolutionCount:
        givens = "".join(digit if slot in kept else "." for slot, digit in enumerate(NORVIG))
        return certify(Sudoku.parse(givens), want=1).status

    assert count(conflict) is SolutionCount.NONE
    assert all(count(conflict - {slot}) is not SolutionCount.NONE for slot in conflict)
    assert "These givens cannot stand together" in ran.err


def test_missing_weights_are_exit_4(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModelUnavailableError("no weights", hint="train them")

    monkeypatch.setattr("dgsolve.loading.load_denoiser", missing)
    ran = cli(SMALL, "--json")
    assert ran.code == 4
    error = {"type": "ModelUnavailableError", "message": "no weights", "hint": "train them"}
    assert ran.envelopes == [{"error": error}]
    assert "dgsolve: no weights\n  train them" in ran.err


def test_time_limit_is_exit_5(cli: Cli) -> None:
    ran = cli("." * 81, "--no-fallback", "--steps", "100000", "--time-limit", "0.1", "--json")
    assert ran.code == 5
    assert ran.envelopes[0]["status"] == "UNKNOWN" and ran.envelopes[0]["timed_out"] is True
    assert ran.envelopes[0]["seconds"] < 3
    assert "The 0.1 s of --time-limit ran out." in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no/such/file.txt",), "no/such/file.txt: the file cannot be read"),
        (("123456789" * 8 + "12345678",), "80"),
        ((SMALL, "--box", "3x3"), "9"),
        ((SMALL, "--denoiser", "nobody"), "no model called 'nobody'"),
        ((SMALL, "--time-limit", "0"), "--time-limit 0.0: give a number of seconds above 0"),
        ((SMALL, "--no-such-option"), "--no-such-option"),
        ((SMALL, OPEN, "--save-trace", "x.json"), "--save-trace keeps the steps of one puzzle"),
        ((SMALL, "--all", "0"), "--all"),
    ],
)
def test_wrong_usage_is_exit_2_and_names_the_place(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    ran = cli(*arguments)
    assert ran.code == 2 and said in ran.err
    assert "Traceback" not in ran.err


def test_usage_errors_are_json_too(cli: Cli) -> None:
    ran = cli(SMALL, "--no-such-option", "--json")
    assert ran.envelopes[0]["error"]["type"] == "NoSuchOption"
    assert ran.envelopes[0]["error"]["hint"] == "See dgsolve sudoku --help."


def test_debug_raises_the_error_itself(cli: Cli) -> None:
    from dgsolve.errors import UsageError

    with pytest.raises(UsageError, match="nobody"):
        cli(SMALL, "--denoiser", "nobody", "--debug")


def test_many_puzzles_come_in_order_and_bad_ones_do_not_stop_them(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{NINE}\n11{'.' * 79}\n{NINE[:80]}\n\n{NORVIG}\n{NINE}\n")
    ran = cli(str(file), "--json")
    assert ran.code == 2  # the worst by the rule: 2 before 3
    assert [item["status"] for item in ran.envelopes] == [
        "FEASIBLE", "MODEL_INVALID", "UNREADABLE", "INFEASIBLE", "FEASIBLE",
    ]  # fmt: skip
    assert [item["source"]["line"] for item in ran.envelopes] == [1, 2, 3, 5, 6]
    assert {item["source"]["file"] for item in ran.envelopes} == {str(file)}
    assert f"{file}, line 3" in ran.err
    assert "5 puzzles in" in ran.err and "2 by exact search, 1 unreadable, 1 with repeated givens" in ran.err
    assert f"{file}, line 6: found by exact search, not by diffusion.\n" in ran.err

    lines = cli(str(file)).lines
    assert lines == [NINE_ANSWER, "MODEL_INVALID", "UNREADABLE", "INFEASIBLE", NINE_ANSWER]


def test_a_missing_file_does_not_stop_the_others_and_is_no_line(cli: Cli) -> None:
    ran = cli("no/such", SMALL)
    assert (ran.code, ran.out) == (2, SMALL_ANSWER + "\n")


def test_a_folder_gives_its_files_by_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(REPEATED)
    (tmp_path / "a.txt").write_text(SMALL)
    (tmp_path / ".hidden").write_text("not a puzzle")
    assert cli(str(tmp_path)).lines == [SMALL_ANSWER, "MODEL_INVALID"]


def test_an_empty_folder_is_refused(cli: Cli, tmp_path: Path) -> None:
    ran = cli(str(tmp_path))
    assert (ran.code, ran.out) == (2, "") and "no puzzle found" in ran.err


@pytest.mark.parametrize("arguments", [("-",), ()])
def test_standard_input(cli: Cli, piped: Callable[[bytes], None], arguments: tuple[str, ...]) -> None:
    piped(b"\xef\xbb\xbf" + SMALL.encode() + b"\r\n")
    ran = cli(*arguments, "--json")
    assert ran.code == 0
    assert ran.envelopes[0]["answer"] == SMALL_ANSWER
    assert ran.envelopes[0]["source"] == {"file": "-", "line": 1}


def test_the_envelope_has_the_fields_of_the_interface(cli: Cli) -> None:
    (envelope,) = cli(SMALL, "--json", "--seed", "7").envelopes
    seconds = envelope.pop("seconds")
    assert isinstance(seconds, float) and 0 <= seconds < 30
    assert envelope == {
        "status": "FEASIBLE",
        "answer": SMALL_ANSWER,
        "solutions": "unknown",
        "found_by": "exact",
        "faults": [],
        "steps": 2,
        "attempts": 1,
        "seed": 7,
        "timed_out": False,
        "source": {"file": None, "line": 1},
    }


def test_an_unreadable_puzzle_is_an_error_envelope_with_its_place(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("# note\n12!4............\n")
    (envelope,) = cli(str(file), "--json").envelopes
    error = envelope["error"]
    assert (error["type"], error["file"], error["line"]) == ("PuzzleError", str(file), 2)
    assert error["message"] and envelope["source"] == {"file": str(file), "line": 2}
    assert envelope["status"] == "UNREADABLE"
    assert cli(str(file)).out == "UNREADABLE\n"


def test_big_grids_answer_with_a_list_of_rows(cli: Cli) -> None:
    twelve = Path(__file__).parents[2] / "puzzles" / "sizes.txt"
    *_, envelope = cli(str(twelve), "--json").envelopes
    assert [len(row) for row in envelope["answer"]] == [12] * 12
    assert {len(set(row)) for row in envelope["answer"]} == {12}


def test_unique_says_whether_it_is_the_only_solution(cli: Cli) -> None:
    assert cli(SMALL, "--unique", "--json").envelopes[0]["solutions"] == "one"
    ran = cli(OPEN, "--unique")
    assert ran.code == 0 and "more than one solution" in ran.err and len(ran.lines) == 1
    assert "It is the only solution." in cli(SMALL, "--unique").err


def test_unique_without_fallback_proves_but_does_not_answer(cli: Cli) -> None:
    (envelope,) = cli(SMALL, "--unique", "--no-fallback", "--json").envelopes
    assert (envelope["status"], envelope["answer"], envelope["solutions"]) == ("UNKNOWN", None, "one")
    (envelope,) = cli(NORVIG, "--unique", "--no-fallback", "--json").envelopes
    assert envelope["status"] == "INFEASIBLE"


def test_all_lists_different_valid_solutions(cli: Cli) -> None:
    lines = cli(OPEN, "--all", "5").lines
    assert len(set(lines)) == 5 and all(valid(OPEN, line) for line in lines)
    assert cli(SMALL, "--all", "5").lines == [SMALL_ANSWER]
    (envelope,) = cli(OPEN, "--all", "3", "--json").envelopes
    assert len({envelope["answer"], *envelope["others"]}) == 3


def test_output_file_takes_the_results(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "answers.txt"
    ran = cli(SMALL, "-o", str(target))
    assert (ran.out, target.read_text()) == ("", SMALL_ANSWER + "\n")


def test_output_over_the_input_or_nowhere_is_refused(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text(SMALL)
    ran = cli(str(file), "-o", str(file))
    assert ran.code == 2 and file.read_text() == SMALL
    assert cli(SMALL, "-o", str(tmp_path / "no" / "folder.txt")).code == 2


def test_ctrl_c_keeps_what_is_done(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from dgsolve import loop

    def interrupted(problems: Iterator[Sudoku], *options: object, **more: object) -> Iterator[Solution]:
        solutions = original(problems, *options, **more)
        yield next(solutions)
        yield next(solutions)
        raise KeyboardInterrupt

    original = loop.solve_many
    monkeypatch.setattr(loop, "solve_many", interrupted)
    ran = cli(SMALL, REPEATED, SMALL, SMALL)
    assert (ran.code, ran.lines) == (130, [SMALL_ANSWER, "MODEL_INVALID", SMALL_ANSWER])
    assert "Interrupted" in ran.err


def test_same_seed_same_answer(cli: Cli) -> None:
    def answer(seed: str) -> str:
        return cli(OPEN, "--steps", "300", "--no-fallback", "--seed", seed).out

    assert answer("3") == answer("3")


def test_seconds_and_seed_reach_the_loop(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def spy(problems: Iterator[Sudoku], denoiser: object, **options: object) -> Iterator[Solution]:
        seen.update(options)
        return iter(())

    monkeypatch.setattr("dgsolve.loop.solve_many", spy)
    cli(SMALL, "--seed", "5", "--time-limit", "8", "--attempts", "3", "--steps", "9")
    assert seen["seed"] == 5
    assert 5.0 < seen["time_limit"] < 6.0  # a quarter is kept for exact search, and reading the rules counts
    assert (seen["attempts"], seen["max_denoising_steps"]) == (3, 9)


def test_where_the_language_model_is_kept_reaches_its_loader(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[dict[str, object]] = []

    def spy(name: str, **options: object) -> object:
        said.append(options)
        raise ModelUnavailableError("adapter=nowhere has none")

    monkeypatch.setattr("dgsolve.loading.load_denoiser", spy)
    placement = ("--adapter", "one", "--adapter", "two", "--device", "cuda:1", "--dtype", "bfloat16")
    ran = cli(SMALL, *placement)
    assert ran.code == 4 and "--adapter nowhere" in ran.err
    assert said == [{"adapter": [Path("one"), Path("two")], "device": "cuda:1", "dtype": "bfloat16"}]


def test_a_denoiser_without_adapters_says_so(cli: Cli) -> None:
    ran = cli(SMALL, "--adapter", "one")
    assert ran.code == 2 and "random has no option 'adapter'" in ran.err
