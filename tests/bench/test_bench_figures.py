"""Tables and the plot, from figures that are known."""

import io
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from dgsolve.bench.accuracy_plot import COLORS, DARK_PAPER, HEIGHT, LEFT, PAPER, TOP, WIDTH, accuracy_svg
from dgsolve.bench.table import markdown, markdown_table, rich_table
from dgsolve.bench.tally import percent

SVG = "{http://www.w3.org/2000/svg}"


def row(name: str = "full", **values: Any) -> dict[str, Any]:
    known = {
        "row": name,
        "puzzles": 4,
        "unreadable": 0,
        "valid": 3,
        "valid_percent": 75.0,
        "with_solution": 2,
        "exact": 1,
        "exact_percent": 50.0,
        "other_answers": [],
        "median_seconds": 0.0125,
        "first_step_valid_percent": 25.0,
        "mean_steps": 7.25,
        "mean_canvases": 2.0,
        "mean_restarts": 0.5,
        "puzzles_per_second": 51.24,
        "ratio_to_cpsat": 0.2562,
        "peak_mb": 312.4,
        "solved_by_step": [0, 1, 1, 3, 3],
    }
    return {**known, **values}


def one_set(name: str = "17_clue", *rows: dict[str, Any], **values: Any) -> dict[str, Any]:
    cpsat = {"puzzles": 4, "answered": 4, "seconds": 0.02, "puzzles_per_second": 200.0, "median_seconds": 0.005}
    known = {"set": name, "kind": "sudoku", "puzzles": 4, "of": 4, "complete": True, "cpsat": cpsat, "unreadable": []}
    known["rows"] = list(rows) or [row()]
    return {**known, **values}


def test_percent_is_never_rounded_up() -> None:
    assert (percent(2999, 3000), percent(3000, 3000), percent(0, 3), percent(0, 0)) == (99.9, 100.0, 0.0, None)


def test_markdown_has_every_figure() -> None:
    lines = markdown_table(one_set()).splitlines()
    assert lines[0] == "## 17_clue: 4 puzzles"
    assert lines[4] == "| full | 4 | 75.0 (3) | 50.0 of 2 | 25.0 | 7.2 | 2.0 | 0.5 | 51.2 | 0.256 | 312 |"
    assert lines[6] == "CP-SAT, one thread: 200 puzzles/s on the same puzzles. CP-SAT is 3.9 times faster here."
    assert lines[2].count("|") == lines[3].count("|") == lines[4].count("|")


def test_what_was_not_measured_is_a_dash() -> None:
    bare = row(with_solution=0, exact_percent=None, first_step_valid_percent=None, ratio_to_cpsat=None)
    lines = markdown_table(one_set("a|b", bare, cpsat=None, of=9, complete=False)).splitlines()
    assert lines[0] == "## a\\|b: 4 of 9 puzzles, not all of them done"
    assert lines[4] == "| full | 4 | 75.0 (3) | – | – | 7.2 | 2.0 | 0.5 | 51.2 | – | 312 |"
    assert lines[6] == "CP-SAT was not timed."


@pytest.mark.parametrize("width", [80, 120])
def test_terminal_table_fits(width: int) -> None:
    stream = io.StringIO()
    rows = [row(), row("state not carried", puzzles=100_000, valid=99_999, valid_percent=99.9)]
    Console(file=stream, width=width).print(rich_table(one_set("17_clue", *rows)))
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= width and "75.0 (3)" in stream.getvalue() and "0.256" in stream.getvalue()
    assert not any("…" in line for line in lines)


def test_markdown_page_says_what_rows_mean_and_that_it_is_not_done() -> None:
    settings = {
        "plan": {
            "steps": 64,
            "attempts": 8,
            "seed": 5,
            "propagate": True,
            "batch": 32,
            "sample": 10,
            "time_limit": 2.0,
        },
        "sampling": {"locks": True, "confidence": None},
        "denoiser": "relational",
        "weights": {"relational": "abc", "relational-factors": "def"},
        "threads": 1,
        "versions": {"torch": "2.13.0"},
        "machine": {"processor": "P", "cores": 2, "platform": "Linux"},
    }
    sets = [one_set("17_clue", row(), row("one canvas"))]
    page = markdown({"settings": settings, "complete": False, "sets": sets}, "accuracy.svg")
    assert "Diffusion alone" in page
    assert "weights relational sha256 abc, weights relational-factors sha256 def, 1 thread." in page
    assert "seed 5, propagate yes, batch 32 canvases, 10 puzzles of each set, drawn with the seed, 2 s for each" in page
    assert "Interrupted: not every puzzle is done." in page and "](accuracy.svg)" in page
    assert "- one canvas: one canvas that starts again" in page
    assert "\n- solved: the answer keeps every rule" in page
    assert page.index("## 17_clue") < page.index("## Columns") < page.index("## Rows") < page.index("## Settings")


@pytest.mark.parametrize(
    ("ratio", "said"), [(2.5, " CP-SAT is 2.5 times slower here."), (1.04, " CP-SAT is about as fast here.")]
)
def test_speed_is_compared_in_words(ratio: float, said: str) -> None:
    assert f"on the same puzzles.{said}\n" in markdown_table(one_set("s", row(ratio_to_cpsat=ratio)))


def test_the_plot_is_an_svg_with_axes_and_a_legend() -> None:
    sets = [one_set("17_clue"), one_set("<odd> & long " + "x" * 40, row(puzzles=0, valid=0, solved_by_step=[0] * 5))]
    picture = ElementTree.fromstring(accuracy_svg(sets))
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"denoising steps", "puzzles solved, %", "0", "100", "4"} <= set(texts)
    assert {"17_clue: 75.0 %", "<odd> & long xxxxxxxxxxxxxxx...: – %"} <= set(texts)
    lines = [path for path in picture.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    assert len(lines) == 2


def test_the_line_passes_through_the_figures() -> None:
    picture = ElementTree.fromstring(accuracy_svg([one_set()]))
    (line,) = [path for path in picture.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    heights = [float(y) for y in re.findall(r"V([0-9.]+)", line.attrib["d"])]
    places = [float(x) for x in re.findall(r"H([0-9.]+)", line.attrib["d"])]
    assert [round(100 * (TOP + HEIGHT - y) / HEIGHT) for y in heights] == [25, 25, 75, 75]
    assert places == [LEFT + WIDTH * step / 4 for step in (1, 2, 3, 4)]


def test_lines_differ_when_the_colours_are_used_up() -> None:
    picture = ElementTree.fromstring(accuracy_svg([one_set(f"s{number}") for number in range(3 * len(COLORS))]))
    looks = [
        (path.get("stroke"), path.get("stroke-dasharray"))
        for path in picture.iter(f"{SVG}path")
        if path.find(f"{SVG}title") is not None
    ]
    assert len(set(looks)) == 3 * len(COLORS)
    legend = [float(text.attrib["y"]) for text in picture.iter(f"{SVG}text") if text.get("class") == "name"]
    assert max(legend) < float(picture.attrib["height"])


@pytest.mark.parametrize("paper", [PAPER, DARK_PAPER])
def test_every_line_can_be_seen(paper: str) -> None:
    def light(color: str) -> float:
        parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for color in COLORS:
        dark, bright = sorted((light(color), light(paper)))
        assert (bright + 0.05) / (dark + 0.05) > 3.7
