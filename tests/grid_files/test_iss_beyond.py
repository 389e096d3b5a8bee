"""Ranks, areas that hold the same, houses left out, and cells beyond the rectangle, in constraint strings."""

from collections.abc import Iterator
from itertools import permutations, product

import pytest

from dgsolve.certify import solutions
from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from tests.grid_files.iss_row import grid

Answer = tuple[int, ...]


def answers(text: str, most: int = 2000) -> set[Answer]:
    puzzle = grid(text)
    return {puzzle.decode(values) for values in solutions(puzzle, most)}


def squares(values: range, size: int, above: tuple[Answer, ...] = ()) -> Iterator[Answer]:
    """All squares without a value twice in a row or column, below the rows that are there."""
    if len(above) == size:
        yield sum(above, ())
        return
    for row in permutations(values, size):
        if all(value not in col for value, *col in zip(row, *above, strict=True)):
            yield from squares(values, size, (*above, row))


def lines(square: Answer) -> list[Answer]:
    """Rows and columns, from both ends: left, right, top, bottom."""
    size = round(len(square) ** 0.5)
    rows = [square[at : at + size] for at in range(0, len(square), size)]
    cols = list(zip(*rows, strict=True))
    return [*rows, *(row[::-1] for row in rows), *cols, *(col[::-1] for col in cols)]


@pytest.mark.parametrize(
    ("clue", "own", "rank"), [("R2~5~", 1, 5), ("R2~~5", 5, 5), ("C1~10~", 8, 10), ("C4~~2", 15, 2)]
)
@pytest.mark.parametrize("ties", ["", "any", "only-unclued", "none"])
def test_ranks(clue: str, own: int, rank: int, ties: str) -> None:
    right = set()
    for square in squares(range(1, 5), 4):
        read = lines(square)
        alone = ties == "any" or read.count(read[own]) == 1
        if sum(line < read[own] for line in read) == rank - 1 and alone and (ties != "none" or len(set(read)) == 16):
            right.add(square)
    text = f".Shape~4x4.NoBoxes{f'.FullRankTies~{ties}' if ties else ''}.FullRank~{clue}"
    assert right and answers(text) == right


def test_no_rank_may_be_shared_even_without_clues() -> None:
    right = {square for square in squares(range(1, 5), 4) if len(set(lines(square))) == 16}
    assert right and answers(".Shape~4x4.NoBoxes.FullRankTies~none") == right


def test_the_largest_areas_hold_the_same_values() -> None:
    right = {square for square in squares(range(1, 5), 3) if len(set(square)) == 3}
    assert answers(".Shape~3x3~4.NoBoxes.RegionSameValues") == right
    assert len(answers(".Shape~3x3.NoBoxes.RegionSameValues")) == 12


def test_a_count_of_values() -> None:
    text = ".Shape~1x4~3~Raw.CountDistinct~R1C1~R1C2~R1C3~R1C4"
    assert answers(text) == {held for held in product((1, 2, 3), repeat=4) if len(set(held[1:])) == held[0]}


def test_a_raw_shape_has_no_houses() -> None:
    assert len(answers(".Shape~2x2~0-1~Raw")) == 16


def test_a_zero_is_no_skyscraper() -> None:
    found = answers(".Shape~1x3~0-2.Skyscraper~R1~2~")
    assert found == {(0, 1, 2), (1, 0, 2), (1, 2, 0)}


def test_cells_beyond_the_rectangle_lie_below_it() -> None:
    puzzle = grid(".Sum~0_=_1_1_-10_-1~R1C1~R1C2~VA1~VA2.Shape~1x2~0-9.Var~A~total~2.Thermo~VB~VA2.Var~B")
    assert puzzle.names == ("r1c1", "r1c2", "r3c1", "r3c2", "r5c1")
    found = answers(".Sum~0_=_1_1_-10_-1~R1C1~R1C2~VA1~VA2.Shape~1x2~0-9.Var~A~total~2.Thermo~VB~VA2.Var~B")
    digits = product(range(10), repeat=5)
    assert found == {(a, b, c, d, e) for a, b, c, d, e in digits if a != b and a + b == 10 * c + d and e < d}


def test_a_value_is_indexed_into_cells_that_are_named_twice() -> None:
    found = answers(".Shape~1x3.Var~A.ValueIndexing~VA~R1C1~R1C1~R1C2~R1C3")
    assert found == {(*row, row[row[0] - 1]) for row in permutations((1, 2, 3))}


def test_doppelganger() -> None:
    """The first row is fixed, for the sake of time; a 0 lies where row, column and box lack three values."""
    text = ".Shape~4x4~0-4.Doppelganger.~R1C1_3~R1C2_1~R1C3_2~R1C4_0.GreaterThan~DGB1~DGB2"
    found, right = answers(text), set()
    for held in squares(range(5), 4, ((3, 1, 2, 0),)):
        boxes = [tuple(held[at + step] for step in (0, 1, 4, 5)) for at in (0, 2, 8, 10)]
        rows, cols = lines(held)[:4], lines(held)[8:12]
        lack = [[({0, 1, 2, 3, 4} - set(area)).pop() if len(set(area)) == 4 else 0 for area in areas]
                for areas in (cols, rows, boxes)]  # fmt: skip
        of_cols, of_rows, of_boxes = lack
        zeros = [divmod(at, 4) for at, value in enumerate(held) if value == 0]
        apart = all(len({of_rows[r], of_cols[c], of_boxes[r // 2 * 2 + c // 2]}) == 3 for r, c in zeros)
        if apart and all(0 not in kind and len(set(kind)) == 4 for kind in lack) and of_boxes[0] > of_boxes[1]:
            right.add(held)
    assert right and {held[:16] for held in found} == right and len(found) == len(right)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".FullRank~R1~40~", "40 is no rank from 1 to 36"),
        (".FullRank~R0~4~", "'R0' is no row or column"),
        (".Shape~2x3.FullRank~R1~4~", "this is for squares"),
        (".Shape~4x4~5.FullRank~R1~4~", "this is for squares"),
        (".FullRankTies~some", "'some' is none of"),
        (".Var~a", "'a' is no name of cells"),
        (".Var~A.Var~A~~3", "there are such cells already"),
        (".Var~A~~999", "these are too many cells"),
        (".Var~A~~0", "is no whole number from 1"),
        (".Thermo~VA~R1C1", "'VA' is no cell"),
        (".Doppelganger", "this needs a square"),
        (".Shape~4x4~0-4.Doppelganger.NoBoxes", "this needs boxes"),
        (".ValueIndexing~R1C1~R1C1~R1C2", "the first two of them different"),
    ],
)
def test_what_is_wrong(text: str, said: str) -> None:
    (entry,) = parse_grids(text)
    assert isinstance(entry.puzzle, PuzzleError) and said in str(entry.puzzle)
