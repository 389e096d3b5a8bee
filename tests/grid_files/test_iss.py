"""Constraint strings of the Interactive Sudoku Solver, each against the same rule written out."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dgsolve.errors import PuzzleError
from dgsolve.grid_files import parse_grids
from dgsolve.grid_files.iss_rules import RULES
from dgsolve.grid_files.iss_text import IssText
from dgsolve.problems.grid import Grid
from tests.grid_files.iss_row import BARE, grid, kept, wanted


def _regex(pattern: str, cells: str = "R1C1~R1C2~R1C3~R1C4") -> str:
    return f".Regex~{urlsafe_b64encode(pattern.encode()).decode().rstrip('=')}~{cells}"


CASES: list[tuple[str, Callable[..., bool]]] = [
    (".~R1C1_2~R1C2_3_4", lambda a, b, c, d: a == 2 and b in (3, 4)),
    (".Cage~6~R1C1~R1C2", lambda a, b, c, d: a + b == 6),
    (".Cage~8~R1C1~R1C2~R1C2", lambda a, b, c, d: a + 2 * b == 8),
    (".Sum~9~R1C1~R1C2~R1C1", lambda a, b, c, d: 2 * a + b == 9),
    (".Sum~3_=_2_-1~R1C1~R1C2", lambda a, b, c, d: 2 * a - b == 3),
    (".Thermo~R1C4~R1C3~R1C2", lambda a, b, c, d: d < c < b),
    (".Whisper~3~R1C1~R1C2~R1C3", lambda a, b, c, d: abs(a - b) >= 3 and abs(b - c) >= 3),
    (".Renban~R1C2~R1C1~R1C4", lambda a, b, c, d: max(a, b, d) - min(a, b, d) == 2),
    (".Arrow~R1C1~R1C2~R1C3", lambda a, b, c, d: a == b + c),
    (".DoubleArrow~R1C1~R1C2~R1C3", lambda a, b, c, d: a + c == b),
    (".PillArrow~2~R1C2~R1C1~R1C3~R1C4", lambda a, b, c, d: 10 * a + b == c + d),
    (".Between~R1C1~R1C2~R1C3", lambda a, b, c, d: min(a, c) < b < max(a, c)),
    (".Lockout~2~R1C1~R1C2~R1C3", lambda a, b, c, d: abs(a - c) >= 2 and not min(a, c) <= b <= max(a, c)),
    (".Zipper~R1C1~R1C2~R1C3", lambda a, b, c, d: a + c == b),
    (".Zipper~R1C1~R1C2~R1C3~R1C4", lambda a, b, c, d: a + d == b + c),
    (".SumLine~5~R1C1~R1C2~R1C3", lambda a, b, c, d: _pieces((a, b, c), 5)),
    (".SumLine~5~R1C1~R1C2~R1C3~R1C4~LOOP", lambda a, b, c, d: _looped((a, b, c, d), 5)),
    (".SumLine~6~R1C1~R1C2~R1C3~LOOP", lambda a, b, c, d: _looped((a, b, c), 6)),
    (_regex("[1-3]*4.*"), lambda *held: 4 in held and 5 not in held[: held.index(4)]),
    (_regex("[12][^2]", "R1C1~R1C2~~_name~R1C4~R1C3"), lambda a, b, c, d: {a, d} <= {1, 2} and 2 not in (b, c)),
    (".Modular~3~R1C1~R1C2~R1C3", lambda a, b, c, d: len({a % 3, b % 3, c % 3}) == 3),
    (".Entropic~R1C1~R1C2~R1C3", lambda a, b, c, d: len({(v - 1) // 2 for v in (a, b, c)}) == 3),
    (".WhiteDot~R1C1~R1C2", lambda a, b, c, d: abs(a - b) == 1),
    (".BlackDot~R1C1~R1C2.StrictKropki", lambda a, b, c, d: _ratio(a, b) and not _dot(b, c) and not _dot(c, d)),
    (".V~R1C1~R1C2.StrictXV", lambda a, b, c, d: a + b == 5 and b + c not in (5, 10) and c + d not in (5, 10)),
    (".X~R1C3~R1C4", lambda a, b, c, d: c + d == 10),
    (".GreaterThan~R1C1~R1C2", lambda a, b, c, d: a > b),
    (".ContainExact~1_5~R1C1~R1C2~R1C3", lambda a, b, c, d: {1, 5} <= {a, b, c}),
    (".LookAndSay~1213~R1C1~R1C2", lambda a, b, c, d: {a, b} == {2, 3}),
    (".CountingCircles~R1C1~R1C2", lambda a, b, c, d: False),
    (".CountingCircles~R1C3", lambda a, b, c, d: c == 1),
    (".Lunchbox~3~R1C1~R1C2~R1C3~R1C4", lambda a, b, c, d: _lunch((a, b, c, d)) == 3),
    (".EqualityCage~R1C1~R1C2", lambda a, b, c, d: (a + b) % 2 == 1 and (a < 3 < b or b < 3 < a)),
    (".RellikCage~5~R1C1~R1C2", lambda a, b, c, d: 5 not in (a, b, a + b)),
    (".Indexing~C~R1C2", lambda a, b, c, d: b < 5 and (a, b, c, d)[b - 1] == 2),
    (".ValueIndexing~R1C1~R1C2~R1C3", lambda a, b, c, d: False),
    (".EqualSum~R1C1~R1C2~-~R1C3~R1C4", lambda a, b, c, d: a + b == c + d),
    (".Skyscraper~R1~~3", lambda a, b, c, d: _seen((d, c, b, a)) == 3),
    (".HiddenSkyscraper~R1~3", lambda a, b, c, d: _first_hidden((a, b, c, d)) == 3),
    (".NumberedRoom~R1~4", lambda a, b, c, d: a < 5 and (a, b, c, d)[a - 1] == 4),
    (".XSum~R1~6", lambda a, b, c, d: a < 5 and sum((a, b, c, d)[:a]) == 6),
    (".Sandwich~2~R1", lambda a, b, c, d: {1, 5} <= {a, b, c, d} and _lunch((a, b, c, d)) == 2),
    (".AntiConsecutive", lambda a, b, c, d: all(abs(x - y) > 1 for x, y in ((a, b), (b, c), (c, d)))),
    (".Pair~EAI~R1C1~R1C2", lambda a, b, c, d: (a, b) in ((1, 3), (4, 1))),
]


def _pieces(values: tuple[int, ...], total: int) -> bool:
    return not values or any(
        sum(values[:end]) == total and _pieces(values[end:], total) for end in range(1, len(values) + 1)
    )


def _looped(values: tuple[int, ...], total: int) -> bool:
    return any(_pieces(values[first:] + values[:first], total) for first in range(len(values)))


def _ratio(a: int, b: int) -> bool:
    return a == 2 * b or b == 2 * a


def _dot(a: int, b: int) -> bool:
    return _ratio(a, b) or abs(a - b) == 1


def _lunch(values: tuple[int, ...]) -> int:
    low, high = sorted((values.index(min(values)), values.index(max(values))))
    return sum(values[low + 1 : high])


def _seen(values: tuple[int, ...]) -> int:
    return sum(value > max((0, *values[:at])) for at, value in enumerate(values))


def _first_hidden(values: tuple[int, ...]) -> int:
    return next((value for at, value in enumerate(values) if value < max((0, *values[:at]))), 0)


@pytest.mark.parametrize(("text", "allowed"), CASES, ids=lambda case: case if isinstance(case, str) else "")
def test_a_constraint_allows_what_it_says(text: str, allowed: Callable[..., bool]) -> None:
    answers = wanted(allowed)
    if not answers:
        entries = list(parse_grids(BARE + text))
        assert isinstance(entries[0].puzzle, PuzzleError) or not kept(BARE + text)
        return
    assert kept(BARE + text) == answers


def lines(text: str, kind: str = "all_different") -> Iterable[set[str]]:
    puzzle = grid(text)
    return [{puzzle.cell(slot) for slot in rule.cells} for rule in puzzle.rules if rule.kind == kind]


def test_boxes_diagonals_and_windows() -> None:
    assert {"r1c1", "r1c2", "r1c3", "r2c1", "r2c2", "r2c3"} in lines(".Shape~6x6")
    assert len(list(lines(".Shape~6x6"))) == 18 and len(list(lines(".Shape~6x6.NoBoxes"))) == 12
    assert {"r1c4", "r2c3", "r3c2", "r4c1"} in lines(".Shape~4x4.Diagonal~1")
    windows = [cells for cells in lines(".Windoku") if "r2c2" in cells and "r4c4" in cells]
    assert len(windows) == 1 and len(list(lines(".Windoku"))) == 31
    assert {"r1c1", "r1c4", "r4c1", "r4c4"} < next(c for c in lines(".DisjointSets") if {"r1c1", "r7c7"} <= c)
    assert len(list(lines(".Shape~4x4.NoBoxes.Jigsaw~0011001122332233"))) == 12


def test_steps_and_taxicab() -> None:
    knight = list(lines(".Shape~4x4.AntiKnight", "not_equal"))
    assert {"r1c1", "r2c3"} in knight and {"r1c1", "r3c2"} in knight and len(knight) == 24
    assert len(list(lines(".Shape~4x4.AntiKing", "not_equal"))) == 18
    puzzle, places = grid(".Shape~2x3~4.NoBoxes.AntiTaxicab"), [divmod(cell, 3) for cell in range(6)]
    for held in product(range(1, 5), repeat=6):
        repeated = [(a, b) for a in range(6) for b in range(a) if held[a] == held[b]]
        lined = any(places[a][0] == places[b][0] or places[a][1] == places[b][1] for a, b in repeated)
        taxi = any(sum(abs(p - q) for p, q in zip(places[a], places[b], strict=True)) == held[a] for a, b in repeated)
        assert puzzle.check(held).valid == (not lined and not taxi)


def test_little_killers_start_where_the_solver_has_them() -> None:
    for start, cells in (("R1C1", "r1c1 r2c2 r3c3 r4c4"), ("R1C3", "r1c3 r2c2 r3c1"), ("R3C4", "r3c4 r2c3 r1c2")):
        assert set(cells.split()) in lines(f".Shape~4x4.LittleKiller~9~{start}", "sum")


def test_entropy_and_quads() -> None:
    squares = list(lines(".GlobalEntropy", "count"))
    assert len(squares) == 3 * 64
    assert {"r1c1", "r1c2", "r2c1", "r2c2"} in lines(".Quad~R1C1~1~2", "count")


def test_values_shapes_and_addresses() -> None:
    assert grid(".Shape~2x2~0-1.NoBoxes.").values.natives == (0, 1)
    page = "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Shape%7E4x4.%7ER1C1_3"
    assert grid(page) == grid(".Shape~4x4.~R1C1_3")
    assert IssText().claims("..Cage~3~R1C1~R1C2") and not IssText().claims("....8.5.3..2......7....6")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".Shape~17x17", "is no size"),
        (".ChaosConstruction.Cage~3~R1C1~R1C2", "ChaosConstruction cannot be read"),
        (".~R1C1_5.Nonsense~1", "Nonsense cannot be read"),
        (".Thermo~R1C1~R9C9~R0C1", "'R0C1' is no cell"),
        (".Shape~6x6.Cage~3~R7C1", "'R7C1' is no cell of a grid of 6x6"),
        (".Thermo~R1C1~R1C1", "Thermo: this names a cell twice"),
        (".Cage", "Cage: this needs cells"),
        (".Cage~x~R1C1", "'x' is no whole number"),
        (".~R1C1_10", "10 is no value from 1 to 9"),
        (".~R1C1_1~R1C1_2", "r1c1 is left without values"),
        (".~R1C1", "is named without values"),
        (".Jigsaw~0011", "the layout has 4 cells, expected 81"),
        (".Skyscraper~Q1~3", "'Q1' is no row or column"),
        (".LookAndSay~²1~R1C1~R1C2", "'²1' is no list of counts and values"),
        (".LittleKiller~3~R5C5", "no diagonal begins in R5C5"),
        (".X~R1C1~R3C1", "no two of its cells share an edge"),
        (".Whisper~9~R1C1~R1C2", "no values differ by 9"),
        (".Pair~!!~R1C1~R1C2", "no key of bits"),
    ],
)
def test_what_is_wrong(text: str, said: str) -> None:
    (entry,) = parse_grids(text)
    assert isinstance(entry.puzzle, PuzzleError) and said in str(entry.puzzle)
    assert entry.puzzle.column is not None or "size" in said


NAMES = sorted(set(RULES) | {"Nothing"})
ARGUMENTS = st.sampled_from(
    [
        "R1C1",
        "R1C2",
        "R2C2",
        "R3C3",
        "R3C1",
        "RgCg",
        "R1",
        "C3",
        "0",
        "1",
        "2",
        "5",
        "46",
        "999",
        "-1",
        "1_2",
        "-",
        "",
        "3x3",
        "_=_1_1",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.lists(ARGUMENTS, max_size=6)), min_size=1, max_size=4))
def test_any_arguments_make_a_grid_or_a_puzzle_error(items: list[tuple[str, list[str]]]) -> None:
    text = ".Shape~3x3" + "".join("." + "~".join([name, *arguments]) for name, arguments in items)
    for entry in islice(parse_grids(text), 2):
        assert isinstance(entry.puzzle, Grid | PuzzleError)
