"""Graphs and maps in characters: nodes with their neighbours, regions with their walls, colours that are named."""

from __future__ import annotations

from math import dist

import pytest

import dgsolve
from dgsolve.drawing.ascii import in_ascii
from dgsolve.drawing.graph import graph_of
from dgsolve.drawing.looks import FAULT, GIVEN, SETTLED
from dgsolve.drawing.marks import Chart, Name
from dgsolve.drawing.spread import MOST, spread
from dgsolve.drawing.squares import squares_of
from dgsolve.drawing.text import drawn
from dgsolve.grid_kinds import grid_kinds
from dgsolve.problem import GridLayout

COLOURS = ["red", "green", "blue"]


def lines(grid: dgsolve.Grid, answer: object = None, width: int = 80) -> list[str]:
    return str(grid.picture(answer, width=width)).split("\n")


def coloring(*edges: str, **options: object) -> dgsolve.Grid:
    return grid_kinds()["coloring"].read({"colours": 3, "edges": list(edges), **options})


def test_nodes_have_their_neighbours_after_them_in_columns() -> None:
    graph = coloring("a b", "a c", "c d", nodes=["a", "b", "c", "d", "e"], givens={"b": 2})
    assert lines(graph, width=12) == ["a · ─ b c", "b 2 ─ a", "c · ─ a d", "d · ─ c", "e ·"]
    assert lines(graph, [1, 2, 3, 1, 1], width=22) == ["a 1 ─ b c   d 1 ─ c", "b 2 ─ a     e 1", "c 3 ─ a d"]
    assert in_ascii(lines(graph, width=12)[0]) == "a . - b c"


def test_too_many_neighbours_are_cut_to_a_count() -> None:
    star = coloring(*(f"hub n{number}" for number in range(30)))
    assert lines(star, width=25)[0] == "hub · ─ n0 n1 n2 n3 +26"
    assert max(map(len, lines(star, width=25))) <= 25
    named = coloring(["New York", "Ohio"], ["Ohio", "Texas"])  # type: ignore[arg-type]
    assert lines(named, width=40)[1] == "Ohio     · ─ New York, Texas"


def test_other_signs_than_those_of_colouring_stand_before_the_neighbour() -> None:
    grid = dgsolve.Grid(cells=["a", "b", "c"], values=range(3))
    grid.less_than("b", "a")
    grid.not_equal("b", "c")
    assert lines(grid, width=14) == ["a · ─ >b", "b · ─ <a c", "c · ─ b"]


def test_cells_without_signs_stay_in_boxes() -> None:
    grid = dgsolve.Grid(cells=["a", "b"], values=range(3))
    grid.all_different("a b")
    assert lines(grid)[0] == "┌a──┬b──┐" and graph_of(grid.grid()) is None


def test_settled_values_that_name_colours_are_painted() -> None:
    graph = coloring("a b", "b c", colours=COLOURS)
    looks = dict(
        drawn(graph.grid(), [("red", GIVEN), ("green", "unsure2"), ("blue", FAULT)], 20)[row][1] for row in (0, 1, 2)
    )
    assert looks == {"  red  ": "given+on #e05252", " green ": "unsure2", "  blue ": FAULT}
    styles = {str(span.style) for span in graph.picture(COLOURS).spans}
    assert {"#000000 on #e05252", "#000000 on #5fb760"} <= styles
    fruit = coloring("a b", colours=["orange", "banana"])
    assert not any("on #" in str(span.style) for span in fruit.picture(["orange", "banana"]).spans)


def test_a_map_is_drawn_as_it_was_written() -> None:
    world = grid_kinds()["map"].read({"colours": COLOURS, "regions": ["AAB", "A.B", "BBB"], "givens": {"A": "red"}})
    assert lines(world) == [
        "┌A──────────────┬B──────┐",
        "│  red          │   ·   │",
        "│       ┌───────┤       │",
        "│       │       │       │",
        "├───────┴───────┘       │",
        "│                       │",
        "└───────────────────────┘",
    ]
    painted = drawn(world.grid(), [("red", GIVEN), ("blue", SETTLED)], 80)
    assert [len(words) for words, look in painted[1] if look.endswith("#e05252")] == [7, 7]
    assert [len(words) for words, look in painted[5] if look.endswith("#5b8fe6")] == [7, 7, 7]
    assert lines(world, width=20)[0] == "A   red   ─ B"


def test_every_piece_of_a_region_has_its_name() -> None:
    islands = grid_kinds()["map"].read({"colours": 2, "regions": ["A.A", "BBB"]})
    assert lines(islands, [1, 2])[:2] == ["┌A──┐   ┌A──┐", "│ 1 │   │ 1 │"]


def test_a_chart_that_leaves_a_region_out_is_none() -> None:
    names = (Name((0,), "A"), Name((1,), "B"))
    assert squares_of(GridLayout(1, 2, 1, 2, ("1",), marks=(*names, Chart((0, 1), "A A\nA")))) is None
    found = squares_of(GridLayout(1, 2, 1, 2, ("1",), marks=(*names, Chart((0, 1), "A A\nB"))))
    assert found is not None and found.owners == (0, 0, 1)


def test_marks_of_a_grid_change_no_answer_and_stay_in_its_copies() -> None:
    plain, drawn_too = (dgsolve.Grid(cells=["A", "B"], values=range(2)) for _ in range(2))
    drawn_too.add_mark(Chart((0, 1), "A A B"))
    assert plain == drawn_too and hash(plain) == hash(drawn_too)
    assert lines(drawn_too.copy(), [0, 1]) == lines(drawn_too, [0, 1]) != lines(plain, [0, 1])


def test_distances_are_as_many_as_edges() -> None:
    path = spread([{1}, {0, 2}, {1, 3}, {2}])
    assert [dist(path[0], path[node]) for node in (1, 2, 3)] == pytest.approx([1, 2, 3], abs=0.1)
    ring = spread([{(node - 1) % 200, (node + 1) % 200} for node in range(200)])
    assert MOST < 200 and len(set(ring)) == 200
    assert len(set(spread([set(), set(), set()]))) == 3 and spread([set()])
