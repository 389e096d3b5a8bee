"""Playing frames again, and pictures and pages of them."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from math import ceil

import pytest
from rich.console import Console

from dgsolve.errors import UsageError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.solution import Blocks
from dgsolve.ui import replay
from dgsolve.ui.html import page
from dgsolve.ui.palette import IN_COLOR, UNSURE
from dgsolve.ui.svg import animated_svg

from .conftest import Draft

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def frames(make_frame, small):
    return [make_frame(small, step=step) for step in (1, 2, 3)]


def groups(picture):
    return [group for group in ET.fromstring(picture).iter(f"{SVG}g") if "frame" in group.get("class", "").split()]


def test_svg_holds_every_frame_and_shows_the_last(frames):
    found = groups(animated_svg(frames))
    assert [group.get("opacity") for group in found] == ["0", "0", "1"]
    texts = [[text.text for text in group.iter(f"{SVG}text")] for group in found]
    assert [row[:4] for row in texts] == [["1", "2", "3", "4"]] * 3
    assert [len(row) for row in texts] == [16 + 4] * 3
    assert "step  2 · canvas 2 of 8 · restarts 2 · 8.0 steps/s" in texts[1]
    assert len([mark for mark in found[0].iter(f"{SVG}rect") if mark.get("class") == "mark"]) == 4


def test_svg_needs_nothing_from_outside(frames):
    picture = animated_svg(frames)
    assert re.findall(r"https?://[^\"]+", picture) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in picture


def test_svg_frames_take_turns(frames):
    picture = animated_svg(frames, steps_per_second=2)
    delays = [group.get("style") for group in groups(picture)]
    assert delays == ["animation-delay:0.000s", "animation-delay:0.500s", None]
    assert ".frame{animation:turn 5.000s step-end infinite}" in picture  # two pauses of 0.5 s, and 4 s on the last
    assert "@keyframes turn{0%{opacity:1}10.0000%,100%{opacity:0}}" in picture
    assert "@keyframes stay{0%{opacity:0}20.0000%,100%{opacity:1}}" in picture
    assert "animation" not in animated_svg(frames[:1])


def test_svg_fits_what_it_draws(make_frame, small, word):
    for problem, width, height in ((small, 558, 232), (Sudoku((0,) * 625), 732, 820)):
        root = ET.fromstring(animated_svg([make_frame(problem)]))
        assert root.get("viewBox") == f"0 0 {width} {height}"
    both = ET.fromstring(animated_svg([make_frame(small), make_frame(Sudoku((0,) * 625))]))
    assert both.get("viewBox") == "0 0 732 820"


def lines_of(picture, kind="line"):
    """Of the last frame: the lines of that class, each a list of (look, words)."""
    texts = [text for text in groups(picture)[-1].iter(f"{SVG}text") if text.get("class") == kind]
    return [[(span.get("class"), span.text) for span in text] or text.text for text in texts]


def test_svg_of_text_is_well_formed(make_frame, word):
    class Odd(type(word)):
        def decode(self, values):
            return 'a<b & "c"\x00\x1b[31m\ud800\nsecond line'

    lines = lines_of(animated_svg([make_frame(Odd(), values=(0, 1))]))
    assert lines == [[("settled", 'a<b & "c"\u2400\u241b[31m\ufffd')], [("settled", "second line")]]


def test_svg_of_text_has_the_looks_of_its_slots_and_what_they_mean(make_frame, draft):
    picture = animated_svg([make_frame(draft, values=(0, 1, 2, 3, 4, 5, -1))])
    held = [("forced", '{"a":'), ("fault", ' "'), ("settled", "x"), ("unsure3", "é"), ("fault", '"}')]
    assert lines_of(picture) == [held]  # a slot that is forced and faulty is faulty
    *facts, legend = lines_of(picture, "note")
    assert facts == [
        "six pieces",
        "pass  3 · attempt 3 · 0.7 tokens settled per pass",
        "mean entropy 0.500 · confidence 35.0% · accepted 2 of 6 · faulty 2",
        "2 of 6 settled",
    ]
    assert legend[0] == ("forced", "forced by the form") and ("fault", "faulty") in legend
    assert [look for look, words in legend if words == "■"] == list(UNSURE)
    assert set(re.findall(r"tspan class=\"(\w+)\"", picture)) <= set(IN_COLOR)


def test_svg_is_as_wide_as_its_figures(make_frame, draft):
    blocks = Blocks((48,) * 15 + (12,), 48, 16, ended=True)
    picture = animated_svg([make_frame(draft, values=(0, 1, 2, 3, 4, 5, -1), blocks=blocks)])
    longest = max(map(len, lines_of(picture, "note")[:-1]))
    width = int(re.search(r'viewBox="0 0 (\d+) ', picture).group(1))
    assert longest > 90 and width > longest * 13 * 0.6


def test_svg_of_a_long_text_is_wrapped_and_the_figures_of_all_frames_stand_still(make_frame, draft):
    long = Draft([" word"] * 60, [])
    frames = [make_frame(draft, values=tuple(range(6))), make_frame(long, values=tuple(range(60)))]
    picture = animated_svg(frames)
    lines = ["".join(words for _, words in line) for line in lines_of(picture)]
    assert len(lines) == 4 and max(map(len, lines)) <= 76 and " ".join(lines).split() == ["word"] * 60
    heights = [[text.get("y") for text in group.iter(f"{SVG}text")][-5:] for group in groups(picture)]
    assert heights[0] == heights[1]
    assert ET.fromstring(picture).get("width") == str(ceil(76 * 9.64) + 32)


def test_svg_cuts_a_long_title(make_frame, draft):
    class Long(type(draft)):
        def describe(self):
            return "a text that matches " + "x" * 200

    notes = lines_of(animated_svg([make_frame(Long(["a"], ()), values=(0,))]), "note")
    assert notes[0] == "a text that matches " + "x" * 43 + "..."


def test_page_holds_picture_and_controls(frames):
    text = page(frames, steps_per_second=5)
    assert 'type="range" min="0" max="2" value="2"' in text
    assert "setInterval(next, 200)" in text
    picture = re.search(r"<svg.*</svg>", text, re.DOTALL)
    assert len(groups(picture.group())) == 3
    assert "animation" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_export_by_ending(tmp_path, frames):
    replay.export(frames, tmp_path / "run.svg")
    assert (tmp_path / "run.svg").read_text(encoding="utf-8") == animated_svg(frames)
    replay.export(frames, tmp_path / "run.HTML", steps_per_second=2)
    assert (tmp_path / "run.HTML").read_text(encoding="utf-8") == page(frames, steps_per_second=2)
    with pytest.raises(UsageError, match=r"cannot export to 'run.gif'"):
        replay.export(frames, tmp_path / "run.gif")
    with pytest.raises(UsageError, match="cannot write"):
        replay.export(frames, tmp_path / "no" / "run.svg")


def played(frames, **options):
    return replay.play(frames, Console(file=io.StringIO()), **options)


@pytest.mark.parametrize("show", [animated_svg, page, played])
def test_misuse(frames, show):
    with pytest.raises(UsageError, match="there is no frame"):
        show([])
    for speed in (0, -1, float("nan"), 1e-300, float("inf")):
        with pytest.raises(UsageError, match=r"write a number from 0\.01 to 1000$"):
            show(frames, steps_per_second=speed)


def test_play_on_a_terminal_keeps_the_pace_and_the_last_frame(terminal, frames, monkeypatch):
    pauses = []
    monkeypatch.setattr(replay.time, "sleep", pauses.append)
    now = iter(range(1000))
    monkeypatch.setattr("dgsolve.ui.live.time.monotonic", lambda: float(next(now)))
    replay.play(frames, Console(file=terminal, width=80), steps_per_second=5)
    assert pauses == [0.2, 0.2]
    text = terminal.getvalue()
    assert all(f"step  {step} " in text for step in (1, 2, 3))
    assert text.rstrip("\x1b[?25h\n").endswith("sure")


def test_play_in_a_pipe_prints_the_last_frame(frames):
    file = io.StringIO()
    replay.play([*frames, replace(frames[0], step=77)], Console(file=file, width=80))
    assert file.getvalue().startswith("┌─────┬─────┐\n│ 1 2 │ 3 4 │\n")
    assert "step 77 " in file.getvalue()
    assert "step  1 " not in file.getvalue()
