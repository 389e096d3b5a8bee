"""Sudoku: construction, rules against brute force, canvases, and the forms it is written in."""

import itertools
import json
import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.denoisers.base import IndexVocabulary
from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import SIZES, expand_symbols, read_box, usual_box

WIKI = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WIKI_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
PY_SUDOKU_5 = ".........7.6.....6..........7..7...38.......523..9..7..5.7.....3.....7....7..9..."


def all_4x4_grids() -> set[tuple[int, ...]]:
    """Every complete 4x4 grid, by trying all rows; independent of the code under test."""
    rows = list(itertools.permutations((1, 2, 3, 4)))
    grids = set()
    for a, b in itertools.product(rows, rows):
        if {*a[:2], *b[:2]} != {1, 2, 3, 4}:
            continue
        for c, d in itertools.product(rows, rows):
            columns = zip(a, b, c, d, strict=True)
            if {*c[:2], *d[:2]} == {1, 2, 3, 4} and all(len(set(column)) == 4 for column in columns):
                grids.add(a + b + c + d)
    return grids


GRIDS = all_4x4_grids()


def test_usual_boxes() -> None:
    assert {size: usual_box(size) for size in (4, 6, 8, 9, 10, 12, 16, 20, 25)} == {
        4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 20: (4, 5), 25: (5, 5)
    }  # fmt: skip
    assert min(SIZES) == 4 and max(SIZES) == 25 and not SIZES & {5, 7, 11, 13, 17, 19, 23}


@pytest.mark.parametrize("box", ["3", "0x4", "1x9", "6x6", "axb", "²x3", (3,), (1, 9)])
def test_boxes_that_mean_nothing_are_refused(box: str) -> None:
    with pytest.raises(UsageError, match="not the shape of a box"):
        read_box(box)


def test_symbol_spans() -> None:
    assert expand_symbols("1-9A-G") == tuple("123456789ABCDEFG")
    assert expand_symbols("0-9A-F") == tuple("0123456789ABCDEF")
    assert expand_symbols("AZBY") == tuple("AZBY")
    assert expand_symbols("1,2,3,10") == ("1", "2", "3", "10")
    for bad in ("1-3", "11234", "9-1ABC", "A-c123", "1 2 3 4 5 6"):
        with pytest.raises(UsageError):
            expand_symbols(bad)


def test_construction_fills_in_and_refuses() -> None:
    puzzle = Sudoku([0] * 36)  # type: ignore[arg-type]
    assert (puzzle.size, puzzle.box_rows, puzzle.box_cols, puzzle.symbols) == (6, 2, 3, tuple("123456"))
    assert hash(puzzle) == hash(Sudoku((0,) * 36, 2, 3))
    for arguments in (
        ((0,) * 80,),
        ((0,) * 49,),
        ((10,) + (0,) * 80,),
        ((-1,) + (0,) * 80,),
        ((0,) * 81, 2, 3),
        ((0,) * 81, 3, 3, tuple("12345678")),
    ):
        with pytest.raises(UsageError):
            Sudoku(*arguments)
    with pytest.raises(UsageError, match="pencilmarks has 2 cells"):
        Sudoku((0,) * 81, pencilmarks=(frozenset({1}),) * 2)


def test_equality_is_by_value_and_not_by_source() -> None:
    one, other = Sudoku.parse(WIKI), Sudoku.parse("# a note\n" + WIKI)
    assert one == other and one.source != other.source and len({one, other}) == 1
    assert one != Sudoku.parse(WIKI[:-1] + ".") and Sudoku((0,) * 36, 2, 3) != Sudoku((0,) * 36, 3, 2)


def test_from_rows_takes_every_blank_and_arrays() -> None:
    rows = [[int(cell) if cell != "." else None for cell in WIKI[start : start + 9]] for start in range(0, 81, 9)]
    puzzle = Sudoku.parse(WIKI)
    assert Sudoku.from_rows(rows) == puzzle
    for blank in (0, -1, ".", float("nan")):
        assert Sudoku.from_rows([[blank if cell is None else cell for cell in row] for row in rows]) == puzzle
    array = np.array([[cell or 0 for cell in row] for row in rows])
    assert (
        Sudoku.from_rows(array) == Sudoku.from_rows(array.astype(float)) == Sudoku.from_rows(tuple(map(tuple, array)))
    )
    assert Sudoku.from_rows(["1...", "....", "....", "..2."]).givens[14] == 2
    assert Sudoku.from_rows([[0] * 6] * 6, box="3x2").box_rows == 3
    assert Sudoku.from_rows([[16] + [0] * 15] + [[0] * 16] * 15).givens[0] == 16


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 2, 3, 4]] * 3, "3 rows of 4 cells, expected 4 rows"),
        ([[0] * 9] * 3 + [[0] * 8] + [[0] * 9] * 5, "row 4 has 8 cells, expected 9"),
        ([[5, 0, 0, 0]] + [[0] * 4] * 3, "row 1, column 1 holds 5, not a value from 1 to 4"),
        ([[True, 0, 0, 0]] + [[0] * 4] * 3, "True is not a value of a cell"),
        ([[1.5, 0, 0, 0]] + [[0] * 4] * 3, "1.5 is not a value of a cell"),
        ([[0] * 7] * 7, "7x7"),
        (7, "7 is not a list of rows"),
        ([], "not a grid"),
    ],
)
def test_from_rows_names_what_is_wrong(rows: object, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Sudoku.from_rows(rows)


def test_houses_of_rectangular_boxes() -> None:
    houses = Sudoku((0,) * 36).houses()
    assert len(houses) == 18 and houses[0] == (0, 1, 2, 3, 4, 5) and houses[6] == (0, 6, 12, 18, 24, 30)
    assert houses[12] == (0, 1, 2, 6, 7, 8) and houses[13] == (3, 4, 5, 9, 10, 11)
    assert Sudoku((0,) * 36, 3, 2).houses()[13] == (2, 3, 8, 9, 14, 15)


def test_candidates_are_what_the_givens_leave() -> None:
    candidates = Sudoku.parse("1.3. ..2. .1.. 4...").candidates()
    assert candidates[0] == {1} and candidates[1] == {2, 4} and candidates[3] == {4}
    marked = Sudoku((1,) + (0,) * 15, pencilmarks=(frozenset({1}), frozenset({1, 2})) + (frozenset({1, 2, 3, 4}),) * 14)
    assert marked.candidates()[1] == {2} and marked.candidates()[15] == {1, 2, 3, 4}


def test_repeated_givens_name_both_cells() -> None:
    faults = Sudoku.parse(PY_SUDOKU_5).given_faults()
    first = faults[0]
    assert first.message == "6 stands twice in row 2: r2c3 and r2c9"
    assert (first.scope, first.slots) == (("r2c3", "r2c9"), (11, 17))
    assert [fault.message for fault in Sudoku.parse("11" + "." * 79).given_faults()] == [
        "1 stands twice in row 1 and box 1: r1c1 and r1c2"
    ]
    assert [fault.message for fault in Sudoku.parse("111" + "." * 13).given_faults()] == [
        "1 stands 3 times in row 1: r1c1, r1c2 and r1c3",
        "1 stands twice in box 1: r1c1 and r1c2",
    ]
    assert Sudoku.parse(WIKI).given_faults() == []


def test_check_agrees_with_brute_force_on_4x4() -> None:
    assert len(GRIDS) == 288
    empty = Sudoku((0,) * 16)
    assert all(empty.check(grid).valid for grid in GRIDS)
    generator = random.Random(0)
    for grid in generator.sample(sorted(GRIDS), 60):
        changed = list(grid)
        changed[generator.randrange(16)] = generator.randrange(1, 5)
        assert empty.check(changed).valid == (tuple(changed) in GRIDS)
        shown = tuple(value if generator.random() < 0.4 else 0 for value in grid)
        accepted = {other for other in GRIDS if Sudoku(shown).check(other).valid}
        assert accepted == {other for other in GRIDS if all(not s or s == o for s, o in zip(shown, other, strict=True))}


def test_check_says_what_is_broken() -> None:
    puzzle = Sudoku.parse(WIKI)
    assert puzzle.check(WIKI_SOLUTION).valid and puzzle.check([int(cell) for cell in WIKI_SOLUTION]).valid
    assert puzzle.check(np.array([int(cell) for cell in WIKI_SOLUTION]).reshape(9, 9)).valid
    swapped = "35" + WIKI_SOLUTION[2:]
    messages = [fault.message for fault in puzzle.check(swapped).faults]
    assert "r1c1 holds 3, but 5 is given there" in messages and "3 stands twice in column 1: r1c1 and r9c1" in messages
    (fault,) = puzzle.check(WIKI_SOLUTION[:2] + "." + WIKI_SOLUTION[3:]).faults
    assert (fault.message, fault.scope, fault.slots) == ("r1c3 holds no value", ("r1c3",), (2,))
    values = [int(cell) for cell in WIKI_SOLUTION]
    assert (
        "r1c3 holds 10, which is not a value from 1 to 9"
        in puzzle.check([*values[:2], 10, *values[3:]]).faults[0].message
    )


@pytest.mark.parametrize(
    "answer", [None, 5, "", "1" * 80, "1" * 82, [], [None] * 81, ["x"] * 81, [1.5] * 81, "²" * 81, [[1] * 9] * 8, True]
)
def test_check_never_crashes_and_never_accepts(answer: object) -> None:
    assert not Sudoku.parse(WIKI).check(answer).valid


def test_pencil_marks_bind_the_answer() -> None:
    grid = min(GRIDS)
    marks = tuple(frozenset({1, 2, 3, 4}) - ({grid[5]} if slot == 5 else set()) for slot in range(16))
    (fault,) = Sudoku((0,) * 16, pencilmarks=marks).check(grid).faults
    assert fault.slots == (5,) and "pencil marks rule out" in fault.message


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_faulty_slots_are_those_that_check_names(data: st.DataObject) -> None:
    rows, columns = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3)]))
    size = rows * columns
    cells = st.integers(0, size)
    givens = tuple(data.draw(st.lists(cells, min_size=size * size, max_size=size * size)))
    marks = data.draw(st.none() | st.just(tuple(frozenset({slot % size + 1, 1}) for slot in range(size * size))))
    puzzle = Sudoku(givens, rows, columns, pencilmarks=marks)
    draft = st.lists(st.integers(-1, size), min_size=size * size, max_size=size * size)
    drafts = np.array([data.draw(draft), [max(value - 1, 0) for value in givens]])
    assert (puzzle.faulty_slots(drafts) == super(Sudoku, puzzle).faulty_slots(drafts)).all()


def test_factor_graph_is_shared_by_a_shape() -> None:
    graph = Sudoku.parse(WIKI).factor_graph()
    assert graph is Sudoku((0,) * 81).factor_graph()
    assert len(graph.groups) == 4 * 81 and {len(group) for group in graph.groups} == {9}
    assert Sudoku((0,) * 36).shape() == ("sudoku", 6, 2, 3) != Sudoku((0,) * 36, 3, 2).shape()


class Letters:
    """A vocabulary whose tokens are not the values' order."""

    size = 128

    def tokens(self, symbols: tuple[str, ...]) -> list[int]:
        return [ord(symbol) for symbol in symbols]


def test_canvas_locks_the_givens_and_leaves_the_candidates() -> None:
    puzzle = Sudoku.parse(WIKI)
    canvas = puzzle.canvas(IndexVocabulary(9))
    assert canvas.tokens.shape == (1, 81) and canvas.locked.sum() == 30
    assert canvas.tokens[0, :2].tolist() == [4, 2] and canvas.locked[0, :3].tolist() == [True, True, False]
    allowed = canvas.constraint.allowed[0]  # type: ignore[attr-defined]
    left = tuple(frozenset((row.nonzero().flatten() + 1).tolist()) for row in allowed)
    assert left == puzzle.candidates()
    free = puzzle.canvas(IndexVocabulary(9), propagate=False).constraint
    assert free.allowed[0].sum(-1).tolist() == [1 if given else 9 for given in puzzle.givens]  # type: ignore[attr-defined]


def test_canvas_speaks_the_vocabulary() -> None:
    canvas = Sudoku.parse("1.3. ..2. .1.. 4...").canvas(Letters())
    assert canvas.tokens[0, 0] == ord("1") and canvas.tokens[0, 12] == ord("4")
    allowed = canvas.constraint.allowed[0, 1].nonzero().flatten().tolist()  # type: ignore[attr-defined]
    assert allowed == [ord("2"), ord("4")]


def test_locking_a_slot_propagates_to_its_peers_only() -> None:
    canvas = Sudoku((0,) * 16).canvas(IndexVocabulary(4))
    slots = torch.zeros(1, 16, dtype=torch.bool)
    slots[0, 5] = True
    allowed = canvas.lock(torch.full((1, 16), 2), slots).constraint.allowed[0]  # type: ignore[attr-defined]
    without = {slot for slot in range(16) if not allowed[slot, 2]}
    assert without == {4, 6, 7, 1, 9, 13, 0} and allowed[5].tolist() == [False, False, True, False]
    assert allowed.sum() == 16 * 4 - 7 - 3


def test_largest_canvas_is_small() -> None:
    constraint = Sudoku((0,) * 625).canvas(IndexVocabulary(25)).constraint
    assert constraint.peers.shape == (625, 625) and constraint.peers.numel() < 1_000_000  # type: ignore[attr-defined]


def test_decode_counts_from_one() -> None:
    assert Sudoku((0,) * 16).decode(np.array([0, 3] * 8)) == (1, 4) * 8


@pytest.mark.parametrize("symbols", [None, "1-9A-G", "0-9A-F", "A-P", ",".join(map(str, range(1, 17)))])
def test_written_forms_read_back_equal(symbols: str | None) -> None:
    puzzle = Sudoku(tuple(range(1, 17)) + (0,) * 240, symbols=expand_symbols(symbols) or ())
    for text in (puzzle.to_line(), puzzle.to_sdk(), puzzle.to_sdm(), puzzle.to_json(), str(puzzle)):
        assert Sudoku.parse(text) == puzzle


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_every_size_round_trips(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([4, 6, 8, 9, 10, 12, 15, 16, 25]))
    filled = st.lists(st.integers(0, size), min_size=size * size - 1, max_size=size * size - 1)
    puzzle = Sudoku((*data.draw(filled), size))  # the largest value tells 1-9A-G from 0-9A-F
    digits = size <= 9 or any(0 < value < 10 for value in puzzle.givens)
    for text in (puzzle.to_line(), puzzle.to_sdk(), puzzle.to_sdm()):
        assert Sudoku.parse(text, symbols=None if digits else puzzle.symbols) == puzzle
    assert Sudoku.parse(puzzle.to_json()) == puzzle


def test_json_keeps_boxes_and_pencil_marks() -> None:
    puzzle = Sudoku((1,) + (0,) * 35, 3, 2, pencilmarks=(frozenset({1}),) + (frozenset({2, 3}),) * 35)
    assert Sudoku.parse(puzzle.to_json()) == puzzle
    assert json.loads(puzzle.to_json())["box"] == [3, 2]


def test_text_for_people() -> None:
    puzzle = Sudoku.parse(WIKI)
    assert str(puzzle) == WIKI and puzzle.describe() == "9x9 Sudoku, 30 givens"
    assert Sudoku((1,) + (0,) * 35).describe() == "6x6 Sudoku, boxes 2x3, 1 given"
    text = Sudoku((1, 2, *(0,) * 34)).__rich__()
    lines = text.plain.splitlines()
    assert lines[:3] == ["┌───────┬───────┐", "│ 1 2 · │ · · · │", "│ · · · │ · · · │"] and len(lines) == 10
    bold = "".join(text.plain[span.start : span.end] for span in text.spans if span.style == "bold")
    assert bold == "12"
