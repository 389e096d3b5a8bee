"""Pictures of grids: everything lies on the paper, is well formed, and says what the rules draw."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest

import dgsolve
from dgsolve.errors import UsageError
from dgsolve.grid_kinds import grid_kinds
from dgsolve.problems.sudoku import Sudoku
from dgsolve.ui.still import save_still, still_svg
from dgsolve.ui.svg import animated_svg

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = sorted((Path(__file__).parents[2] / "puzzles" / "grids").glob("*.toml"))


def of_kind(kind, **options):
    return grid_kinds()[kind].read(options)


def texts(picture, kind=None):
    found = ET.fromstring(picture).iter(f"{SVG}text")
    return [text.text for text in found if kind is None or kind in text.get("class").split()]


def paths(picture):
    return {path.get("class"): path.get("d") for path in ET.fromstring(picture).iter(f"{SVG}path")}


def corners(element):
    """The points that an element reaches, as far as its attributes tell."""
    if element.tag == f"{SVG}path":
        x = y = 0.0
        for step in re.findall(r"[MLHV][^MLHV]*", element.get("d")):
            numbers = list(map(float, step[1:].split()))
            x = numbers[0] if step[0] in "MLH" else x
            y = numbers[-1] if step[0] in "MLV" else y
            yield x, y
    elif element.tag == f"{SVG}circle":
        x, y, r = (float(element.get(name)) for name in ("cx", "cy", "r"))
        yield from ((x - r, y - r), (x + r, y + r))
    elif element.tag in (f"{SVG}rect", f"{SVG}text"):
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        yield x, y
        yield x + float(element.get("width", 0)), y + float(element.get("height", 0))


def placed(element, across=0.0, down=0.0):
    """Every element with where its groups moved it."""
    move = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)"))
    across, down = across + float(move[1]), down + float(move[2])
    for child in element:
        yield child, across, down
        yield from placed(child, across, down)


def assert_on_paper(picture):
    root = ET.fromstring(picture)
    width, height = map(float, root.get("viewBox").split()[2:])
    for element, across, down in placed(root):
        for x, y in corners(element):
            assert 0 <= x + across <= width and 0 <= y + down <= height, ET.tostring(element)
        if element.tag == f"{SVG}text" and "before" in element.get("class", ""):
            assert float(element.get("x")) + across - 8 * len(element.text) >= 0
    return width, height


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_lies_on_its_paper_and_is_small(file):
    grid = dgsolve.Grid.read(file)
    answer = [grid.values.natives[-1]] * len(grid.cells)
    picture = still_svg(grid, answer)
    assert_on_paper(picture)
    assert len(picture.encode()) < 30_000
    assert "prefers-color-scheme:dark" in picture


def test_a_killer_has_labels_cages_and_boxes():
    cages = [{"cells": "r1c1 r2c1", "sum": 5}, {"cells": "r1c2 r1c3", "sum": 3}]
    picture = still_svg(of_kind("sudoku", size=4, cages=cages, givens="4... .... .... ...."))
    assert texts(picture, "label") == ["5", "3"] and texts(picture, "given") == ["4"]
    drawn = paths(picture)
    assert set(drawn) == {"thin", "cage", "thick", "passage"}
    assert drawn["passage"] == "M72 0V36"  # where the second cage goes on into the next box
    assert "M0 72H144" in drawn["thick"] and "M36 0V72" in drawn["cage"]


def test_walls_of_one_level_are_thick():
    drawn = paths(still_svg(of_kind("sudoku", size=4, regions=["AABB", "ACBB", "ACDD", "CCDD"])))
    assert set(drawn) == {"thin", "thick"} and "M28 28H56" in drawn["thick"]


def test_clues_stand_around_the_grid():
    towers = of_kind("skyscrapers", size=3, top=[1, 2, 0], bottom=[0, 3, 1], left=[1, 0, 2], right=[0, 2, 0])
    picture = still_svg(towers)
    assert (texts(picture, "before"), texts(picture, "after")) == (["1", "2"], ["2"])
    assert texts(picture, "clue") == ["1", "2", "3", "1", "1", "2", "2"]
    assert_on_paper(picture)
    sums = still_svg(dgsolve.Grid.read(next(file for file in EXAMPLES if file.stem == "magic_square")))
    assert {"34↘", "34↙"} < set(texts(sums, "clue"))
    assert_on_paper(sums)


def test_holes_with_clues_are_shaded_and_others_are_not():
    grid = dgsolve.Grid(2, 3, values="1-9", givens="#.. ...")
    assert "hole" not in str(paths(still_svg(grid)))
    grid.sum("r1", 16)
    grid.sum("r2", 9)
    picture = still_svg(grid)
    assert texts(picture, "small") == ["16"] and texts(picture, "clue") == ["9"]
    assert picture.count('class="hole"') == 1
    assert_on_paper(picture)


def test_thermometers_windows_and_diagonals():
    sudoku = of_kind("sudoku", size=4, thermos=["r1c1 r1c2 r2c3"], windoku=True, diagonals=True, bars=["r4c1 r4c2"])
    picture = still_svg(sudoku)
    assert paths(picture)["tube"] == "M18 18L54 18L90 54" and picture.count('class="bulb"') == 1
    assert texts(picture, "sign") == ["○"]
    assert picture.count('class="tint"') == 8  # the window of the middle is where the diagonals cross
    assert_on_paper(picture)


def test_a_nonogram_is_filled():
    nonogram = of_kind("nonogram", row_clues=[[1, 1], [3], []], col_clues=[[2], [1], [2]])
    picture = still_svg(nonogram, [1, 0, 1, 1, 1, 1, 0, 0, 0])
    assert picture.count('<rect class="settled"') == 5 and texts(picture, "settled") == ["·"] * 4
    assert texts(picture, "clue") == ["1 1", "3", "0", "2", "1", "2"] * 2


def test_queens_stand_on_a_chequered_board():
    picture = still_svg(of_kind("n_queens", size=4), [2, 4, 1, 3])
    assert picture.count('class="tint"') == 2 * 8 and texts(picture) == ["♛"] * 4
    assert_on_paper(picture)


def test_a_graph_has_discs_and_edges():
    graph = of_kind("coloring", colours=["red", "blue"], edges=["a b", "b c"], givens={"a": "red"})
    picture = still_svg(graph)
    assert paths(picture)["edge"].count("M") == 2 and picture.count('class="node"') == 3
    assert texts(picture, "clue") == ["a", "b", "c"] and texts(picture, "given") == ["red"]
    assert picture.count('style="fill:#e05252"') == 1
    assert_on_paper(still_svg(graph, ["red", "blue", "red"]))
    ordered = dgsolve.Grid(cells=["a", "b"], values=range(3))
    ordered.less_than("b", "a")
    assert texts(still_svg(ordered), "label") == ["a > b"]


def test_discs_do_not_touch():
    wheel = of_kind("coloring", colours=4, edges=[f"hub n{n}" for n in range(12)])
    nodes = [
        (float(node.get("x")), float(node.get("y")), float(node.get("width")), float(node.get("height")))
        for node in ET.fromstring(still_svg(wheel)).iter(f"{SVG}rect")
        if node.get("class") == "node"
    ]
    for (x, y, wide, high), (x2, y2, _, _) in combinations(nodes, 2):
        assert abs(x - x2) >= wide or abs(y - y2) >= high or (x - x2) ** 2 + (y - y2) ** 2 > high**2


def test_faulty_nodes_are_red_and_unsure_ones_are_not_painted(make_frame):
    graph = of_kind("coloring", colours=["red", "blue"], edges=["a b", "b c"])
    sure = {"probability": (0.1,) * 3, "entropy": (0.5,) * 3, "accepted": (True, False, True), "locked": (False,) * 3}
    picture = animated_svg([make_frame(graph, values=(0, 0, 1), **sure, faulty=(False, False, True))])
    assert picture.count('style="fill:#e05252"') == 1 and picture.count('<rect class="mark"') == 1
    assert texts(picture, "unsure0") == ["red"] and texts(picture, "fault") == ["c", "blue"]
    assert_on_paper(picture)


def test_a_map_is_painted_square_by_square():
    world = of_kind("map", colours=["red", "blue"], regions=["AAB", "ABB"])
    picture = still_svg(world, ["red", "blue"])
    assert picture.count('class="colour"') == 6 and texts(picture, "settled") == ["red", "blue"]
    assert texts(picture, "label") == ["A", "B"] * 2
    assert_on_paper(picture)


def test_numbers_of_hitori_are_seen_on_shaded_cells(make_frame):
    hitori = of_kind("hitori", board=["1 1", "2 3"])
    picture = still_svg(hitori, [1, 0, 0, 0])
    assert picture.count('<rect class="settled"') == 1
    assert texts(picture, "paper") == ["1"] and texts(picture, "settled") == list("1123123")
    sure = {"probability": (1.0,) * 4, "entropy": (0.0,) * 4, "accepted": (True,) * 4, "locked": (False,) * 4}
    faulty = animated_svg([make_frame(hitori, values=(1, 0, 0, 0), **sure, faulty=(True, True, False, False))])
    assert faulty.count('<rect class="mark"') == 2 and texts(faulty, "fault") == ["1"]


def test_cages_that_overlap_are_listed_below():
    grid = dgsolve.Grid(3, 3, values="1-9")
    for cells in ("r1c1 r1c2 r2c1", "r2c1 r2c2 r3c1", "r1c3 r3c3"):
        grid.sum(cells, 9)
    picture = still_svg(grid)
    assert texts(picture, "label") == ["9+"]
    assert " ".join(texts(picture, "after")) == "r1c3 r3c3 9+, r2c1 r2c2 r3c1 9+"
    assert_on_paper(picture)


def test_the_answer_stands_beside_the_puzzle_or_below_it():
    widths = [assert_on_paper(still_svg(puzzle, puzzle.givens)) for puzzle in (Sudoku((0,) * 81), Sudoku((0,) * 625))]
    assert widths == [(2 * 252 + 32 + 32, 252 + 32), (700 + 32, 2 * 700 + 32 + 32)]


def test_frames_of_a_grid_have_walls_too(make_frame):
    grid = of_kind("nonogram", row_clues=[[1, 1]], col_clues=[[1], [], [1]])
    sure = {"probability": (1.0,) * 3, "entropy": (0.0,) * 3, "accepted": (True,) * 3, "locked": (False,) * 3}
    picture = animated_svg([make_frame(grid, values=(1, 0, 1), **sure, faulty=(True, False, False))])
    assert picture.count('<rect class="mark"') == 1 and picture.count('<rect class="fault"') == 1
    assert texts(picture, "clue") == ["1 1", "1", "0", "1"]
    assert_on_paper(picture)


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot write .*x\.svg"):
        save_still(tmp_path / "no" / "x.svg", Sudoku((0,) * 81))
