"""Game ids: what each says, which game it is of, and what is wrong with it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files import parse_grids
from dgsolve.grid_files.base import GridContext
from dgsolve.grid_files.game_id import GameIds

FORM = GameIds()
BOTH = "12x12:" + "b" + "a" * 143  # Hitori of 11 and 10, or Takuzu without givens but the first


def record(text: str, game: str | None = None) -> dict:
    assert FORM.claims(text)
    return dict(FORM.read(text, GridContext(game=game)).record)


def wrong(text: str, game: str | None = None) -> PuzzleError:
    with pytest.raises(PuzzleError) as caught:
        record(text, game)
    return caught.value


def test_solo() -> None:
    assert record("2x2:a2e2_4e3a") == {
        "kind": "sudoku",
        "size": 4,
        "box": [2, 2],
        "givens": [[".", 2, ".", "."], [".", ".", ".", 2], [4, ".", ".", "."], [".", ".", 3, "."]],
    }
    assert record("2x2x:p")["diagonals"] is True
    assert record("2x3:zj")["box"] == [2, 3] and record("3x2du:zj")["box"] == [3, 2]


def test_solo_with_regions_and_cages() -> None:
    jigsaw = record("6j:d5b4d6c3b3c6d2b2d,cb__b__b_bbe_bab__cb__babb")
    assert jigsaw["regions"] == ["AAAABB", "CCDABB", "CCDABB", "CCDEEE", "FDDDEE", "FFFFFE"] and "box" not in jigsaw
    assert jigsaw["givens"][0] == [".", ".", ".", ".", 5, "."]
    caged = record("2x2k:p,abbba_12,3a7a3a7a3a7a3a7a")  # _12 is twelve times _
    assert caged["cages"][:2] == [{"cells": "r1c1 r1c2", "sum": 3}, {"cells": "r1c3 r1c4", "sum": 7}]
    assert len(caged["cages"]) == 8 and caged["box"] == [2, 2]


def test_keen() -> None:
    found = record("4:ab__a_a__a_3a3,d2m12s1m16s2a5a5")
    assert found["cages"][0] == {"cells": "r1c1 r1c2", "op": "/", "target": 2}
    assert found["cages"][1] == {"cells": "r1c3 r1c4 r2c4", "op": "*", "target": 12}
    assert [cage["op"] for cage in found["cages"]] == ["/", "*", "-", "*", "-", "+", "+"]


def test_towers() -> None:
    found = record("4:/1/////1////3//3///,m1b")
    assert [found[side] for side in ("top", "bottom", "left", "right")] == [
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 3, 0],
        [3, 0, 0, 0],
    ]
    assert found["givens"][3] == [".", 1, ".", "."]


def test_unequal() -> None:
    assert record("3:0R,0,2D,0,0,0,0,1L,0,")["givens"] == [[".", ".", 2], [".", ".", "."], [".", 1, "."]]
    assert record("3:0R,0,2D,0,0,0,0,1L,0,")["greater"] == ["r1c1 r1c2", "r1c3 r2c3", "r3c2 r3c1"]
    near = record("3a:0R,0L,0,0D,0,0,0U,0,0,")
    assert near["adjacent"] == ["r1c1 r1c2", "r2c1 r3c1"] and near["all_marked"] is True


def test_unruly() -> None:
    assert record("4x2:aBCc") == {
        "kind": "takuzu",
        "height": 2,
        "width": 4,
        "givens": [[0, ".", 1, "."], [".", 1, ".", "."]],
    }
    assert record("4x2u:aBCc")["unique_lines"] is True


def test_pattern() -> None:
    clues = {"col_clues": [[1, 1], [3]], "row_clues": [[2], [1], [2]]}
    assert record("2x3:1.1/3/2/1/2") == {"kind": "nonogram", **clues}
    assert record("2x2:/2/1/1,Abb")["col_clues"] == [[], [2]]
    assert record("2x2:/2/1/1,Abb")["givens"] == [[1, "."], [0, "."]]


def test_singles_and_map() -> None:
    assert record("3x2:112231", "singles")["board"] == ["1 1 2", "2 3 1"]
    found = record("10x10n15:fabaacabaaccccadbacbbaaabccaaacababbmbacdcjaeabaacbagacabbbacbbgccaaabdbcaba,0a1c1b3b212")
    assert found["colours"] == 4 and found["givens"] == {"A": 1, "C": 2, "G": 2, "J": 4, "M": 3, "N": 2, "O": 3}
    assert len(found["regions"]) == 10 and len(set("".join(found["regions"]))) == 15


def test_the_address_of_a_page_names_the_game() -> None:
    page = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/"
    assert record(f"{page}unruly.html#{BOTH}")["kind"] == "takuzu"
    assert "tents" in str(wrong(f"{page}tents.html#8x8:a"))


def test_two_games_that_fit_ask_which() -> None:
    error = wrong(BOTH)
    assert "unruly (takuzu) or singles (hitori)" in str(error) and "--game unruly" in error.hint
    assert record(BOTH, "hitori")["kind"] == "hitori" and record(BOTH, "unruly")["kind"] == "takuzu"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2x2:a2e2_4e", "there are 14 cells here, expected 16"),
        ("2x2:a2e2_4e3c", "more than 16 cells"),
        ("2x2:a5e2_4e3a", "not a number from 1 to 4"),
        ("1x9:zzz", "make no Sudoku"),
        ("2x2j:p,_", "of 24 borders"),
        ("2x2k:p", "then cages, sums"),
        ("4:ab__a_a__a_3a3,d2m12s1m16s2a5", "the cage number 7 has no clue"),
        ("4:ab__a_a__a_3a3,d2m12s1m16s2a5a5a1", "more clues than the 7 cages"),
        ("4:/1/////1////3//3//,m1b", "15 clues around the grid, expected 16"),
        ("4:/5/////1////3//3///", "5 towers cannot be seen"),
        ("3:0U,0,0,0,0,0,0,0,0", "U points out of the grid"),
        ("3:0,0,0,0,0,0,0,0", "there are 8 cells, expected 9"),
        ("3:4,0,0,0,0,0,0,0,0", "no value from 0 to 3"),
        ("2x2k:p,abbba_11,3a7a", "the areas tell 23 of 24 borders"),
        ("2x2k:p,abbba_12,3p", "there are more than 16 cells"),
        ("2x2k:p,abbba_12,o3", "has 0 sums, expected 1"),
        ("4j:p,x", "the region of r1c1 has 16 cells, expected 4"),
        ("4x2:aBC", "cells here, expected 8"),
        ("3x2:aBC", "both must be even"),
        ("2x3:1.1/3/2/1", "clues of 4 lines, expected 2 columns and 3 rows"),
        ("2x3:1.1.1/3/2/1/2", "do not fit a line of 3 cells"),
        ("3x3:112233448", "'4' is no number from 1 to 3"),
        ("10x10n15:fab,0", "borders here, expected 180"),
        ("9x9b20s4:a1b", "of no game that is read here"),
        ("0x10n15:a,a", "no size of a map game"),
        ("3x3#123", "a random seed"),
    ],
)
def test_what_is_wrong(text: str, said: str) -> None:
    assert said in str(wrong(text))


def test_columns_count_from_one() -> None:
    (entry,) = parse_grids("  2x2:a5e2_4e3a\n")
    assert isinstance(entry.puzzle, PuzzleError) and (entry.puzzle.line, entry.puzzle.column) == (1, 8)


def test_a_bad_id_leaves_the_others() -> None:
    entries = list(parse_grids("# ids\n\n2x2:a2e2_4e3a\n2x2:a\n\n2x2:zz\nhello\n"))
    assert [entry.line for entry in entries] == [3, 4, 6, 7]
    assert all(isinstance(entry.puzzle, PuzzleError) for entry in entries[1:])


def test_unknown_games_are_named() -> None:
    with pytest.raises(UsageError, match="towrs") as caught:
        next(parse_grids("4:///", game="towrs"))
    assert "towers" in caught.value.hint


GOOD = [
    "2x2:a2e2_4e3a",
    "6j:d5b4d6c3b3c6d2b2d,cb__b__b_bbe_bab__cb__babb",
    "4:ab__a_a__a_3a3,d2m12s1m16s2a5a5",
    "4:/1/////1////3//3///,m1b",
    "4a:0,0RD,3DL,0,1,0URD,0UDL,0,0RD,0UL,0UR,0DL,0UR,0L,4R,3UL,",
    "6x6:aCeGbEaaaGBb",
    "5x5:4/4/1/2/2/2/3/2/2.2/2",
    "5x5:1135334552315355342123142",
    "10x10n15:fabaacabaaccccadbacbbaaabccaaacababbmbacdcjaeabaacbagacabbbacbbgccaaabdbcaba,0a1c1b3b212",
]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(GOOD),
    st.lists(st.tuples(st.integers(0, 90), st.text("0129azAZ_,./:#xjknURDL \u0663\u00b2", max_size=3))),
)
@example("2x2:a2e2_4e3a", [(4, "\u0663")])
def test_changed_ids_raise_nothing_but_puzzle_errors(text: str, changes: list[tuple[int, str]]) -> None:
    for at, put in changes:
        text = text[:at] + put + text[at + 1 :]
    for game in (None, "solo", "keen", "towers", "unequal", "unruly", "pattern", "singles", "map"):
        if FORM.claims(text):
            try:
                assert record(text, game)["kind"]
            except PuzzleError as error:
                assert error.message
