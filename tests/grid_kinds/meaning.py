"""What every kind of puzzle means, in the words of rules where it is made of them, for brute force.

A board is {cell: value}; options are what a file says. Cells of a rectangle are r1c1, r1c2 ... as in files.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.rules import meaning
from tests.rules.meaning import differ, is_one_piece

Board = dict[str, Any]
Options = dict[str, Any]


def name(row: int, column: int) -> str:
    return f"r{row + 1}c{column + 1}"


def cells(rows: int, cols: int) -> list[str]:
    return [name(r, c) for r in range(rows) for c in range(cols)]


def lines(board: Board, rows: int, cols: int) -> list[list[Any]]:
    """The values of every row, then of every column."""
    across = [[board[name(r, c)] for c in range(cols)] for r in range(rows)]
    return across + [list(column) for column in zip(*across, strict=True)]


def kept(kind: str, values: Sequence[int], **parameters: Any) -> bool:
    """Whether the values keep a rule."""
    return meaning.truth(kind, tuple(values), parameters)


def held(board: Board, names: str) -> list[Any]:
    return [board[cell] for cell in names.split()]


def apart(board: Board, pair: str) -> int:
    first, second = held(board, pair)
    return abs(first - second)


def sides(rows: int, cols: int) -> Iterator[tuple[str, str]]:
    """Every two cells that share an edge."""
    for r, c in itertools.product(range(rows), range(cols)):
        if c + 1 < cols:
            yield name(r, c), name(r, c + 1)
        if r + 1 < rows:
            yield name(r, c), name(r + 1, c)


def latin(o: Options, board: Board) -> bool:
    size = o["size"]
    whole = all(map(differ, lines(board, size, size)))
    diagonals = ([board[name(i, i)] for i in range(size)], [board[name(i, size - 1 - i)] for i in range(size)])
    return whole and (not o.get("diagonals") or all(map(differ, diagonals)))


def signs_kept(o: Options, board: Board, marked: str) -> bool:
    """Neighbours that differ by 1, as the option `marked` lists them."""
    near = {frozenset(pair.split()) for pair in o.get(marked, [])}
    size = o["size"]
    unmarked = [pair for pair in sides(size, size) if frozenset(pair) not in near]
    none_other = o.get("all_marked") or o.get("nonconsecutive")
    return all(apart(board, " ".join(pair)) == 1 for pair in near) and not (
        none_other and any(apart(board, " ".join(pair)) == 1 for pair in unmarked)
    )


def futoshiki(o: Options, board: Board) -> bool:
    greater = all(first > second for first, second in (held(board, pair) for pair in o["greater"]))
    return latin(o, board) and greater and signs_kept(o, board, "adjacent")


def kenken(o: Options, board: Board) -> bool:
    return latin(o, board) and all(_comes_to(held(board, cage["cells"]), cage) for cage in o["cages"])


def _comes_to(values: list[int], cage: dict[str, Any]) -> bool:
    op, target = cage.get("op"), cage["target"]
    if op == "*":
        return kept("product", values, product=target)
    if op == "-":
        return kept("difference", values, difference=[target, target], never=False)
    if op == "/":
        return kept("ratio", values, ratio=target, never=False)
    return sum(values) == target


def skyscrapers(o: Options, board: Board) -> bool:
    size = o["size"]
    across, down = lines(board, size, size)[:size], lines(board, size, size)[size:]
    looks = {"top": down, "left": across, "bottom": [v[::-1] for v in down], "right": [v[::-1] for v in across]}
    seen = [(clue, line) for side, seen in looks.items() for clue, line in zip(o.get(side, ()), seen, strict=False)]
    return latin(o, board) and all(not clue or kept("visible", line, visible=clue) for clue, line in seen)


def sudoku(o: Options, board: Board) -> bool:
    size = o["size"]
    if not latin(o, board) or not signs_kept(o, board, "bars"):
        return False
    areas: dict[Any, list[int]] = {}
    high, wide = o.get("box", (2, 2))
    for r, c in itertools.product(range(size), range(size)):
        area = o["regions"][r][c] if "regions" in o else (r // high, c // wide)
        areas.setdefault(area, []).append(board[name(r, c)])
        if o.get("windoku") and r in (1, 2) and c in (1, 2):  # the only window of 4x4
            areas.setdefault("window", []).append(board[name(r, c)])
    cages = [(held(board, cage["cells"]), cage.get("sum")) for cage in o.get("cages", [])]
    sandwiches = zip(
        [*o.get("sandwich_rows", [-1] * 4), *o.get("sandwich_cols", [-1] * 4)], lines(board, 4, 4), strict=True
    )
    return (
        all(map(differ, areas.values()))
        and all(differ(values) and total in (None, sum(values)) for values, total in cages)
        and all(kept("less_than", held(board, thermo), strict=True) for thermo in o.get("thermos", []))
        and all(clue == -1 or kept("sandwich", line, total=clue, between=[1, size]) for clue, line in sandwiches)
        and not _attacks(o, board)
    )


def _attacks(o: Options, board: Board) -> bool:
    """Whether two like values are a move apart that the options forbid."""
    moves = {(1, 2), (2, 1)} if o.get("anti_knight") else set()
    moves |= {(1, 1)} if o.get("anti_king") else set()
    places = list(itertools.product(range(o["size"]), repeat=2))
    return any(
        (abs(r - y), abs(c - x)) in moves and board[name(r, c)] == board[name(y, x)]
        for (r, c), (y, x) in itertools.combinations(places, 2)
    )


def magic_square(o: Options, board: Board) -> bool:
    size = o["size"]
    across = lines(board, size, size)
    across += [[board[name(i, i)] for i in range(size)], [board[name(i, size - 1 - i)] for i in range(size)]]
    return differ(list(board.values())) and len({sum(line) for line in across}) == 1


def n_queens(o: Options, board: Board) -> bool:
    queens = [(row, board[f"row{row}"]) for row in range(1, o["size"] + 1)]
    return not any(x == c or abs(x - c) == y - r for (r, c), (y, x) in itertools.combinations(queens, 2))


def nonogram(o: Options, board: Board) -> bool:
    rows, cols = len(o["row_clues"]), len(o["col_clues"])
    clues = zip([*o["row_clues"], *o["col_clues"]], lines(board, rows, cols), strict=True)
    return all(kept("regular", line, runs=clue, filled=1) for clue, line in clues)


def takuzu(o: Options, board: Board) -> bool:
    found = lines(board, o["height"], o["width"])
    across, down = found[: o["height"]], found[o["height"] :]
    halves = all(2 * sum(line) == len(line) for line in found)
    runs = all(kept("no_three_in_row", line, longest=2) for line in found)
    unique = not o.get("unique_lines") or (differ(list(map(tuple, across))) and differ(list(map(tuple, down))))
    same = all(apart(board, pair) == 0 for pair in o.get("equal", []))
    return halves and runs and unique and same and all(apart(board, pair) == 1 for pair in o.get("unequal", []))


def coloring(o: Options, board: Board) -> bool:
    return all(board[first] != board[second] for first, second in map(str.split, o["edges"]))


def map_colouring(o: Options, board: Board) -> bool:
    land = {name(r, c): sign for r, line in enumerate(o["regions"]) for c, sign in enumerate(line)}
    borders = [(land[a], land[b]) for a, b in sides(len(o["regions"]), len(o["regions"][0]))]
    return all(a == b or "." in (a, b) or board[a] != board[b] for a, b in borders)


def kakuro(o: Options, board: Board) -> bool:
    rows = [line.split() for line in o["clues"]]
    for r, c in itertools.product(range(len(rows)), range(len(rows[0]))):
        if rows[r][c] == ".":
            continue
        below, _, right = rows[r][c].replace("#", "/").partition("/")
        for clue, down, across in ((below, 1, 0), (right, 0, 1)):
            run = []
            while (place := name(r + down * (len(run) + 1), c + across * (len(run) + 1))) in board:
                run.append(board[place])
            if not differ(run) or (clue and sum(run) != int(clue)):
                return False
    return True


def hitori(o: Options, board: Board) -> bool:
    rows, cols = len(o["board"]), len(o["board"][0])
    kept = {(r, c) for r in range(rows) for c in range(cols) if not board[name(r, c)]}
    signs = {
        name(r, c): sign if (r, c) in kept else None for r, line in enumerate(o["board"]) for c, sign in enumerate(line)
    }
    once = all(differ([sign for sign in line if sign]) for line in lines(signs, rows, cols))
    return once and is_one_piece(kept) and not any(board[a] and board[b] for a, b in sides(rows, cols))


TRUTH: dict[str, Callable[[Options, Board], bool]] = {
    **{made.__name__: made for made in (coloring, futoshiki, hitori, kakuro, kenken, latin, magic_square, n_queens)},
    **{made.__name__: made for made in (nonogram, skyscrapers, sudoku, takuzu)},
    "map": map_colouring,
}


def truth(kind: str, options: Options, board: Board) -> bool:
    """Whether the board is an answer of the puzzle, its givens too."""
    given = all(board[cell] == value for cell, value in options.get("givens", {}).items())
    return given and TRUTH[kind](options, board)
