"""Small random puzzles of every kind, as files say them: many have no answer, some have several."""

import itertools
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.grid_kinds.meaning import apart, cells, name, sides

Draw = st.DrawFn
Options = dict[str, Any]


def some(draw: Draw, items: list[Any], most: int) -> list[Any]:
    return draw(st.lists(st.sampled_from(items), max_size=most, unique=True))


def pairs(draw: Draw, rows: int, cols: int, most: int) -> list[str]:
    return [" ".join(pair) for pair in some(draw, list(sides(rows, cols)), most)]


def coloring(draw: Draw) -> Options:
    nodes = ["a", "b", "c", "d"]
    edges = [" ".join(pair) for pair in some(draw, list(itertools.combinations(nodes, 2)), 6)]
    return {"colours": draw(st.integers(1, 3)), "nodes": nodes, "edges": edges}


def hitori(draw: Draw) -> Options:
    rows, cols = draw(st.sampled_from([(1, 4), (2, 3), (3, 3), (3, 2)]))
    return {"board": [draw(st.text("123", min_size=cols, max_size=cols)) for _ in range(rows)]}


def futoshiki(draw: Draw) -> Options:
    size = draw(st.integers(1, 3))
    if size == 1:
        return {"size": 1, "greater": []}
    ways = [" ".join(pair[::way]) for pair in sides(size, size) for way in (1, -1)]
    greater = some(draw, ways, 3)
    kept = [way for at, way in enumerate(greater) if set(way.split()) not in [set(w.split()) for w in greater[:at]]]
    return {"size": size, "greater": kept, "adjacent": pairs(draw, size, size, 2), "all_marked": draw(st.booleans())}


def kakuro(draw: Draw) -> Options:
    """A frame of black cells around two rows of open and black ones, four open ones at most."""
    shape = draw(st.sampled_from(["..|..", "...", ".#.", "..#|#..", ".#|.."]))
    rows = [["#"] * (len(shape.split("|")[0]) + 1), *(["#", *line] for line in shape.split("|"))]
    clue = st.one_of(st.just(""), st.integers(1, 17).map(str))
    for r, c in itertools.product(range(len(rows)), range(len(rows[0]))):
        below = r + 1 < len(rows) and rows[r + 1][c] == "."
        right = c + 1 < len(rows[0]) and rows[r][c + 1] == "."
        if rows[r][c] != "." and (below or right):
            rows[r][c] = f"{draw(clue) if below else ''}/{draw(clue) if right else ''}"
    return {"clues": [" ".join(row) for row in rows]}


def kenken(draw: Draw) -> Options:
    """Cages along the rows, each of one to three cells, whose targets a square comes to; one may be changed."""
    size, cages = draw(st.integers(2, 3)), []
    square = draw(st.sampled_from(squares(size)))
    for row in range(1, size + 1):
        column = 1
        while column <= size:
            count = draw(st.sampled_from([1, 2, 2, 3][: 1 + 2 * (size - column)]))
            names = [name(row - 1, column - 1 + step) for step in range(count)]
            held = square[(row - 1) * size + column - 1 :][:count]
            op = draw(st.sampled_from(list(targets(held)) if count == 2 else "+*"))
            cages.append({"cells": " ".join(names), "op": op, "target": targets(held)[op]})
            column += count
    if draw(st.integers(0, 3)) == 0:
        cages[0]["target"] = draw(st.integers(0, 6))
    return {"size": size, "cages": cages}


def targets(held: tuple[int, ...]) -> dict[str, int]:
    """What the numbers of a cage come to, by every operation that is possible."""
    low, high = min(held), max(held)
    return {"+": sum(held), "*": math.prod(held), "-": high - low, **({"/": high // low} if high % low == 0 else {})}


def latin(draw: Draw) -> Options:
    return {"size": draw(st.integers(1, 3)), "diagonals": draw(st.booleans())}


def magic_square(draw: Draw) -> Options:
    return {"size": draw(st.integers(1, 3))}


def map_colouring(draw: Draw) -> Options:
    lines = [draw(st.text("ABC.", min_size=3, max_size=3)) for _ in range(2)]
    return {"regions": [f"A{line}" for line in lines], "colours": draw(st.integers(1, 3))}


def n_queens(draw: Draw) -> Options:
    return {"size": draw(st.integers(1, 4))}


def nonogram(draw: Draw) -> Options:
    """The clues of a picture, one of which may be changed."""
    rows, cols = draw(st.sampled_from([(1, 3), (2, 3), (3, 3)]))
    picture = [draw(st.lists(st.booleans(), min_size=cols, max_size=cols)) for _ in range(rows)]
    clues = [
        [[len(list(run)) for filled, run in itertools.groupby(line) if filled] for line in table]
        for table in (picture, list(zip(*picture, strict=True)))
    ]
    if draw(st.booleans()):
        clues[0][0] = draw(st.sampled_from([[], [1], [2], [1, 1]]))
    return {"row_clues": clues[0], "col_clues": clues[1]}


def skyscrapers(draw: Draw) -> Options:
    size = draw(st.integers(1, 3))
    clue = st.sampled_from([0, *range(1, size + 1)])
    chosen = some(draw, ["top", "bottom", "left", "right"], 2)
    return {"size": size, **{side: draw(st.lists(clue, min_size=size, max_size=size)) for side in chosen}}


def sudoku(draw: Draw) -> Options:
    """4x4, with three of the options that each variant has."""
    clue = st.sampled_from([-1, -1, -1, *range(6)])
    values: dict[str, Callable[[], Any]] = {
        "regions": lambda: draw(st.sampled_from([["AABB", "ACBB", "ACCD", "CDDD"], ["AABB", "AABB", "CCDD", "CCDD"]])),
        "cages": lambda: [{"cells": pair, "sum": draw(st.integers(3, 7))} for pair in pairs(draw, 4, 4, 1)],
        "thermos": lambda: pairs(draw, 4, 4, 3),
        "sandwich_rows": lambda: draw(st.lists(clue, min_size=4, max_size=4)),
        "sandwich_cols": lambda: draw(st.lists(clue, min_size=4, max_size=4)),
        **{flag: lambda: True for flag in ("diagonals", "windoku", "anti_knight", "anti_king", "nonconsecutive")},
    }
    made: Options = {"size": 4, **{option: values[option]() for option in some(draw, list(values), 3)}}
    if "windoku" in made:
        made.pop("regions", None)
    if "regions" not in made:
        made["box"] = [2, 2] if "windoku" in made else draw(st.sampled_from([[2, 2], [1, 4], [4, 1]]))
    if "nonconsecutive" not in made and draw(st.booleans()):
        made["bars"] = pairs(draw, 4, 4, 3) or ["r1c1 r1c2"]
        if draw(st.booleans()):
            made |= {"bars": near(draw(st.sampled_from(squares(4)))), "all_marked": True}
    return made


def near(square: tuple[int, ...]) -> list[str]:
    """The neighbours that differ by 1."""
    board = dict(zip(cells(4, 4), square, strict=True))
    return [" ".join(pair) for pair in sides(4, 4) if apart(board, " ".join(pair)) == 1]


def takuzu(draw: Draw) -> Options:
    height, width = draw(st.sampled_from([(2, 2), (2, 4), (4, 2)]))
    marks = {option: pairs(draw, height, width, 2) for option in ("equal", "unequal")}
    return {"height": height, "width": width, "unique_lines": draw(st.booleans()), **marks}


KINDS: dict[str, Callable[[Draw], Options]] = {
    **{made.__name__: made for made in (coloring, futoshiki, hitori, kakuro, kenken, latin, magic_square, n_queens)},
    **{made.__name__: made for made in (nonogram, skyscrapers, sudoku, takuzu)},
    "map": map_colouring,
}


def shape(kind: str, options: Options) -> tuple[list[str], list[Any]]:
    """The cells of the puzzle and the values that each may hold."""
    if kind in ("coloring", "map"):
        names = options.get("nodes") or list(
            dict.fromkeys(sign for line in options["regions"] for sign in line if sign != ".")
        )
        return names, list(range(1, options["colours"] + 1))
    if kind == "kakuro":
        rows = [line.split() for line in options["clues"]]
        names = [f"r{r}c{c}" for r, row in enumerate(rows, 1) for c, sign in enumerate(row, 1) if sign == "."]
        return names, list(range(1, 10))
    if kind == "n_queens":
        return [f"row{row}" for row in range(1, options["size"] + 1)], list(range(1, options["size"] + 1))
    if kind in ("hitori", "nonogram", "takuzu"):
        board = options.get("board", ())
        rows = options.get("height") or len(options.get("row_clues", board))
        cols = options.get("width") or len(options.get("col_clues", board and board[0]))
        return cells(rows, cols), [0, 1]
    size = options["size"]
    return cells(size, size), list(range(1, (size * size if kind == "magic_square" else size) + 1))


@cache
def squares(size: int) -> list[tuple[int, ...]]:
    """All Latin squares, row by row: of all assignments, those that a kind with a Latin square could take."""
    found: list[tuple[int, ...]] = [()]
    rows = list(itertools.permutations(range(1, size + 1)))
    for _ in range(size):
        found = [held + row for held in found for row in rows if all(row[c] not in held[c::size] for c in range(size))]
    return found
