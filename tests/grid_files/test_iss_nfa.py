"""State machines in constraint strings: each key is written here bit by bit, and read back as the same language."""

from base64 import urlsafe_b64encode
from itertools import product

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from dgsolve.problems.grid import Grid

# Of values 1 to 5, place 0 to 4: a 2, then whatever, then a 4; state 0 begins, 1 accepts, 2 has seen the 2.
MOVES = {0: [(1, 2)], 1: [], 2: [(0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (3, 1)]}
STEPS = {0: [(0, 0), (1, 1), (2, 0)], 1: [(3, 1), (4, 1)]}  # no way back once a 4 or 5 has come


def key(*fields: tuple[int, int]) -> str:
    """Numbers in so many bits, the highest first, in Base64."""
    bits = "".join(f"{number:0{width}b}" for number, width in fields if width)
    bits += "0" * (-len(bits) % 8)
    held = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))
    return urlsafe_b64encode(held).decode().rstrip("=")


def plain() -> str:
    header = [(0, 2), (1, 4), (4, 4), (1, 2), (1, 2), (0, 1), (3, 4)]
    pairs = {state: [field for v, to in moves for field in ((v, 3), (to, 2))] for state, moves in MOVES.items()}
    body = [field for state, moves in MOVES.items() for field in [(len(moves), 3), *pairs[state]]]
    return key(*header, *body)


def packed(*, accepts: int = 1) -> str:
    header = [(1, 2), (0, 4), (4, 4), (1, 1), (0, 1), (accepts, 1)]
    body = [f for moves in STEPS.values() for f in [(sum(1 << v for v, _ in moves), 5), *((to, 1) for _, to in moves)]]
    return key(*header, *body)


def kept(text: str) -> set[tuple[int, ...]]:
    (entry,) = parse_grids(f".Shape~1x4~5.NoBoxes.{text}")
    assert isinstance(entry.puzzle, Grid), entry.puzzle
    return {held for held in product(range(1, 6), repeat=4) if entry.puzzle.check(held).valid}


LINE = "R1C1~R1C2~R1C3~R1C4"


def test_a_machine_with_several_ways_on() -> None:
    found = kept(f"NFA~{plain()}~_any name~{LINE}")
    assert found == {held for held in product(range(1, 6), repeat=4)
                     if len(set(held)) == 4 and held[0] == 2 and held[3] == 4}  # fmt: skip


def test_a_packed_machine_on_several_lines() -> None:
    wanted = {held for held in product(range(1, 6), repeat=4) if len(set(held)) == 4 and {held[0], held[2]} <= {1, 3}}
    assert wanted and kept(f"NFA~{packed()}~R1C1~~R1C3") == kept(f"NFA~{packed()}~R1C3~R1C1") == wanted


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("*", "is no state machine"),
        (key((3, 2), (0, 8)), "form 3"),
        (packed()[:2], "ends too early"),
        (packed(accepts=0), "no values"),
    ],
)
def test_what_is_no_machine_is_refused(key: str, said: str) -> None:
    (entry,) = parse_grids(f".Shape~1x4~5.NoBoxes.NFA~{key}~{LINE}")
    assert isinstance(entry.puzzle, PuzzleError) and said in entry.puzzle.message


def test_a_machine_of_more_values_than_the_grid_has_is_refused() -> None:
    (entry,) = parse_grids(f".Shape~1x4~4.NoBoxes.NFA~{plain()}~{LINE}")
    assert isinstance(entry.puzzle, PuzzleError) and "of 5 values" in entry.puzzle.message
