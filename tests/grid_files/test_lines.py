"""Killer, jigsaw and graph files: what they say, what is wrong with them, and the traps of text files."""

import codecs
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files import parse_grids, read_grids
from dgsolve.grid_files.base import GridContext
from dgsolve.grid_files.lines_file import written_of_text
from dgsolve.problems.grid import Grid

SUMO = ":".join(["3x3:d:k", *(str(256 * 15 + row * 3 + column // 3) for row in range(9) for column in range(9)), ""])
ARROWS = "F<<" * 27
LAYOUT = "111122334122334122334555644455666665"
GRAPH = "c a triangle\np edge 3 3\ne 1 2\ne 2 3\ne 1 3\n"


def record(text: str) -> dict:
    return dict(written_of_text(text, GridContext()).record)


def wrong(text: str) -> PuzzleError:
    with pytest.raises(PuzzleError) as caught:
        written_of_text(text, GridContext())
    return caught.value


def error(text: str, **options: object) -> PuzzleError:
    entries = list(parse_grids(text, **options))  # type: ignore[arg-type]
    assert len(entries) == 1 and isinstance(entries[0].puzzle, PuzzleError)
    return entries[0].puzzle


def test_sumocue() -> None:
    found = record(SUMO)
    assert found["diagonals"] is True and len(found["cages"]) == 27
    assert found["cages"][0] == {"cells": "r1c1 r1c2 r1c3", "sum": 15}
    plain = record(SUMO.replace(":d:", "::").replace(":3840:", ":0:", 1))
    assert "diagonals" not in plain and plain["cages"][0]["cells"] == "r1c2 r1c3"


def test_arrows_lead_to_the_head_of_a_cage() -> None:
    assert record(ARROWS)["cages"] == record(SUMO)["cages"]


def test_a_dot_is_an_arrow() -> None:
    text = "." + "0" * 9 + "5" + "0" * 69 + "^"
    assert record(text[:80] + "<")["cages"] == [{"cells": "r1c1 r2c2", "sum": 5}]


def test_jigsaw_lines() -> None:
    layout = ["AAAABB", "CCDABB", "CCDABB", "CCDEEE", "FDDDEE", "FFFFFE"]
    assert record(LAYOUT)["regions"] == layout and "givens" not in record(LAYOUT)
    found = record("12....34......1..............5....5." + LAYOUT)
    assert found["regions"] == layout and found["givens"][0] == [1, 2, ".", ".", ".", "."]
    sixteen = "".join(chr(ord("A") + (row // 4) * 4 + column // 4) for row in range(16) for column in range(16))
    assert record("P" + "." * 255 + sixteen)["givens"][0][:2] == [16, "."]


def test_jigsaw_of_two_blocks() -> None:
    lines = [LAYOUT[start : start + 6] for start in range(0, 36, 6)]
    rows = ["12....", "34....", "..1...", "......", "...5..", "..5..."]
    text = "\n".join([*rows, "", *lines, "", *rows, "", *lines])
    one = next(parse_grids("".join(rows) + LAYOUT)).puzzle
    assert [entry.puzzle for entry in parse_grids(text)] == [one, one]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SUMO[:-6], "this line has 80 numbers of cells, expected 81"),
        (SUMO.replace("3840", "x", 1), "'x' for r1c1 is no number of a cage"),
        (SUMO.replace("3840", "4096", 1), "r1c1 and r1c2 are of one cage, but sums 16 and 15"),
        (SUMO.replace("3x3", "2x2", 1), "begins no Sudoku"),
        (ARROWS[:-1], "has 80 cells, expected 81"),
        ("^" + ARROWS[1:], "the arrow ^ in r1c1 leaves the grid"),
        ("><" + ARROWS[2:], "the arrows from r1c1 lead in a circle"),
        ("." * 36 + LAYOUT.replace("2", "1", 1), "the region 1 has 7 cells, expected 6"),
        ("7" + "." * 35 + LAYOUT, "'7' is not one of the values"),
    ],
)
def test_what_is_wrong(text: str, said: str) -> None:
    assert said in str(wrong(text))


def test_a_graph() -> None:
    (entry,) = parse_grids(GRAPH, colours=3)
    assert isinstance(entry.puzzle, Grid) and entry.puzzle.names == ("1", "2", "3")
    assert entry.puzzle.check({"1": 1, "2": 2, "3": 3}).valid and not entry.puzzle.check({"1": 1, "2": 2, "3": 2}).valid
    (bare,) = parse_grids("3 \n3 3\n" + GRAPH[GRAPH.index("e 1") :])
    assert bare.puzzle == entry.puzzle


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        (GRAPH, "does not say with how many colours", 1),
        (GRAPH.replace("e 2 3", "e 2 4"), "node 4 is not one of 1 to 3", 4),
        (GRAPH.replace("e 2 3", "e 2 2"), "joins node 2 with itself", 4),
        (GRAPH.replace("e 2 3\n", ""), "has 2 lines of edges, its sizes say 3", 2),
        (GRAPH.replace("e 2 3", "n 2 3"), "no line of a graph", 4),
        (GRAPH.replace("p edge 3 3\n", ""), "before the number of nodes", 2),
        (GRAPH.replace("p edge 3 3", "p edge 99999999 3"), "from 1 to 10000 are read", 2),
        (GRAPH + "p edge 3 3\n", "stand here again, first in line 2", 6),
        ("c nothing\n", "names no number of nodes", 1),
    ],
)
def test_what_is_wrong_with_a_graph(text: str, said: str, line: int) -> None:
    found = error(text)
    assert said in str(found) and found.line == line
    if "colours" in said:
        assert "--colours N" in found.hint


def test_colours_must_be_a_number() -> None:
    with pytest.raises(UsageError, match="colours=0"):
        next(parse_grids(GRAPH, colours=0))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, end: str) -> None:
    ids = ["\uff12x2:a2e2_4e3a", "", "\u00a02x2:1e4b3e4", "2x2:zz"]
    path = tmp_path / "ids.txt"
    mark = codecs.BOM_UTF16_BE if encoding == "utf-16-be" else b""
    path.write_bytes(mark + end.join(ids).encode(encoding))
    entries = list(read_grids(path))
    assert [entry.line for entry in entries] == [1, 3, 4]
    assert [isinstance(entry.puzzle, Grid) for entry in entries] == [True, True, False]
    assert str(path) in str(entries[2].puzzle)


def test_what_begins_no_grid() -> None:
    for text in ("", "\n \n", "# a comment alone\n", "hello\n", "[trace]"):
        try:
            entries = list(parse_grids(text))
        except PuzzleError as found:
            assert found.hint
        else:
            assert all(isinstance(entry.puzzle, PuzzleError) for entry in entries)


def test_pictures_and_traces_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    with pytest.raises(PuzzleError, match="not text"):
        list(read_grids(tmp_path / "a.png"))
    with pytest.raises(PuzzleError, match="a trace, not a grid"):
        list(parse_grids('{"trace": 1}'.replace(": ", ":")))


STARTS = [SUMO, ARROWS, LAYOUT, "." * 36 + LAYOUT, GRAPH, "53..7....\n" * 9, '{"game": "kenken", "size": 3}', "[[1,2]]"]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(STARTS),
    st.lists(
        st.tuples(st.integers(0, 420), st.text('09aZ<^v`.,:;epc[]{}" \n\r\t\u0663\u00b2\ufeff', max_size=4)), max_size=6
    ),
)
def test_changed_files_raise_nothing_but_puzzle_errors(text: str, changes: list[tuple[int, str]]) -> None:
    for at, put in changes:
        text = text[:at] + put + text[at + 1 :]
    try:
        for entry in parse_grids(text, colours=3):
            assert isinstance(entry.puzzle, Grid | PuzzleError)
    except PuzzleError as found:
        assert found.message
