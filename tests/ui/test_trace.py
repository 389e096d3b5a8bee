"""Traces: what is saved comes back, and what cannot be read is named by its line."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dgsolve
from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.solution import Blocks
from dgsolve.ui import palette
from dgsolve.ui.recorded_problem import RecordedProblem
from dgsolve.ui.trace import load_trace, save_trace


def recorded(frames):
    return tuple(replace(frame, problem=RecordedProblem.of(frame.problem)) for frame in frames)


@pytest.mark.parametrize("name", ["run.jsonl", "run.jsonl.gz"])
def test_round_trip(tmp_path, make_frame, small, name):
    frames = [make_frame(small, step=step, entropy=(0.1 / step,) * 16) for step in (1, 2, 3)]
    save_trace(tmp_path / name, frames)
    loaded = load_trace(tmp_path / name)
    assert loaded == recorded(frames)
    assert loaded[0].problem.text == str(small)
    assert loaded[0].problem.grid() == small.grid()
    save_trace(tmp_path / f"again-{name}", loaded)
    assert load_trace(tmp_path / f"again-{name}") == loaded
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b" if name.endswith("gz") else b'{"trace"')


def test_blocks_come_back_and_traces_of_before_have_none(tmp_path, make_frame, small, draft):
    frames = [
        make_frame(small, blocks=Blocks((3,), 48, ended=True)),
        make_frame(draft, values=(0, 1, -1), blocks=Blocks((7, 2), 48, 3)),
        make_frame(draft, values=(0, 1, 2)),
    ]
    save_trace(tmp_path / "t", frames)
    assert [frame.blocks for frame in load_trace(tmp_path / "t")] == [frame.blocks for frame in frames]


def test_puzzles_may_take_turns(tmp_path, make_frame, small):
    other = Sudoku((0,) * 81)
    frames = [make_frame(small), make_frame(other), make_frame(small, step=9)]
    save_trace(tmp_path / "t", frames)
    assert load_trace(tmp_path / "t") == recorded(frames)


def test_what_is_no_grid_keeps_its_text(tmp_path, make_frame, word):
    frames = [make_frame(word, values=(0, 1, 2)), make_frame(word, values=(2, 2, 3))]
    save_trace(tmp_path / "t", frames)
    loaded = load_trace(tmp_path / "t")
    assert [frame.problem.decode(frame.values) for frame in loaded] == ["abc", "cc<"]
    assert loaded[0].problem.describe() == "a word"


def test_what_is_a_text_keeps_its_pieces_and_which_were_forced(tmp_path, make_frame, draft):
    frames = [make_frame(draft, values=(0, 1, 2, -1)), make_frame(draft, values=(0, 1, 2, 3, 4, 5))]
    save_trace(tmp_path / "t", frames)
    assert json.loads((tmp_path / "t").read_text().splitlines()[2])["frame"]["forced"] == "110"
    for loaded, frame in zip(load_trace(tmp_path / "t"), frames, strict=True):
        assert list(loaded.problem.pieces(loaded.values)) == draft.pieces(frame.values)
        assert list(loaded.problem.forced(loaded.values)) == draft.forced(frame.values)
        assert palette.text_looks(loaded) == palette.text_looks(frame)


def test_traces_of_before_do_not_say_what_was_forced(tmp_path, make_frame, draft):
    save_trace(tmp_path / "t", [make_frame(draft, values=(0, 1))])
    lines = (tmp_path / "t").read_text().splitlines()
    record = json.loads(lines[2])
    del record["frame"]["forced"]
    (tmp_path / "t").write_text("\n".join([*lines[:2], json.dumps(record)]))
    (loaded,) = load_trace(tmp_path / "t")
    assert palette.text_looks(loaded) == ["settled", "unsure1"]


def test_grids_keep_their_holes_and_what_they_draw_and_those_of_before_are_still_shown(tmp_path, make_frame):
    grid = dgsolve.Grid(2, 3, values=(0, 1), givens="1.# ...")
    grid.regular("r1", runs=[1])
    grid.sum("r2c1 r2c2", 1, distinct=True)
    lists = {"probability": (1.0,) * 5, "entropy": (0.0,) * 5, "accepted": (True,) * 5, "locked": (False,) * 5}
    save_trace(tmp_path / "t", [make_frame(grid, values=(1, 0, 0, 1, 0), **lists, faulty=(False,) * 5)])
    (loaded,) = load_trace(tmp_path / "t")
    layout = loaded.problem.grid()
    assert layout == grid.grid() and layout.places == ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
    assert [type(mark) for mark in layout.marks] == [type(mark) for mark in grid.grid().marks] != []

    lines = (tmp_path / "t").read_text().splitlines()
    fields = json.loads(lines[1])["puzzle"]["grid"]
    places, marks = ([[0, 0]] * 5, [[0, 9]]), (["Cage", [5], ""], ["Cage", [], ""], ["No", [0], ""])
    for bad in (*({"places": held} for held in places), *({"marks": [mark]} for mark in marks)):
        (tmp_path / "bad").write_text("\n".join([lines[0], changed(lines[1], "puzzle", grid=fields | bad), lines[2]]))
        with pytest.raises(PuzzleError, match="line 2"):
            load_trace(tmp_path / "bad")


def test_traces_of_before_have_neither_places_nor_marks(tmp_path, make_frame, small):
    save_trace(tmp_path / "t", [make_frame(small)])
    lines = (tmp_path / "t").read_text().splitlines()
    record = json.loads(lines[1])
    del record["puzzle"]["grid"]["places"], record["puzzle"]["grid"]["marks"]
    (tmp_path / "t").write_text("\n".join([lines[0], json.dumps(record), lines[2]]))
    assert load_trace(tmp_path / "t") == recorded([make_frame(small)])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    probability=st.lists(st.floats(0, 1), min_size=16, max_size=16),
    entropy=st.lists(st.floats(0, 50), min_size=16, max_size=16),
    faulty=st.lists(st.booleans(), min_size=16, max_size=16),
    step=st.integers(0, 10**6),
)
def test_numbers_come_back_exactly(tmp_path, make_frame, small, probability, entropy, faulty, step):
    lists = {"probability": tuple(probability), "entropy": tuple(entropy), "faulty": tuple(faulty)}
    frame = make_frame(small, step=step, **lists)
    save_trace(tmp_path / "t", [frame])
    assert load_trace(tmp_path / "t") == recorded([frame])


@pytest.fixture
def lines(tmp_path, make_frame, small):
    save_trace(tmp_path / "good", [make_frame(small), make_frame(small, step=4)])
    return (tmp_path / "good").read_text().splitlines()


def changed(line, kind, **fields):
    record = json.loads(line)
    record[kind] |= fields
    return json.dumps(record)


@pytest.mark.parametrize(
    ("number", "spoil", "message"),
    [
        (1, lambda line: '{"trace": "other"}', "this is not a dgsolve trace"),
        (1, lambda line: '{"trace": "dgsolve", "version": 2}', "trace version 2 is not known"),
        (2, lambda line: "{}", "a frame stands before the first puzzle"),
        (2, lambda line: changed(line, "puzzle", text=7), "'text' must be a text, not 7"),
        (3, lambda line: line[:50], "damaged or cut off"),
        (3, lambda line: "[1, 2]", "the line is no JSON object"),
        (3, lambda line: '{"other": 1}', "'frame' is missing"),
        (4, lambda line: changed(line, "frame", values=[0] * 15), "'values' has 15 entries, the canvas has 16 slots"),
        (4, lambda line: changed(line, "frame", values=[4] * 16), "'values' holds 4, which is not a whole"),
        (4, lambda line: changed(line, "frame", probability=[1.5] * 16), "'probability' holds 1.5, which is out of"),
        (4, lambda line: changed(line, "frame", probability=[float("nan")] * 16), "out of range"),
        (4, lambda line: changed(line, "frame", accepted="012" + "0" * 13), "'accepted' must be a text of 0 and 1"),
        (4, lambda line: changed(line, "frame", step="one"), "'step' must be a whole number, not 'one'"),
        (4, lambda line: changed(line, "frame", entropy=None), "NoneType"),
    ],
)
def test_bad_lines_are_named(tmp_path, lines, number, spoil, message):
    lines[number - 1] = spoil(lines[number - 1])
    (tmp_path / "bad").write_text("\n".join(lines) + "\n")
    with pytest.raises(PuzzleError) as caught:
        load_trace(tmp_path / "bad")
    assert caught.value.line == number
    assert message in str(caught.value)
    assert str(tmp_path / "bad") in str(caught.value)


@pytest.mark.parametrize("grid", [{"rows": 4}, {"box_rows": 3}, {"symbols": []}, {"givens": [99]}])
def test_bad_grids_are_refused(tmp_path, lines, grid):
    fields = json.loads(lines[1])["puzzle"]["grid"]
    spoiled = {"rows": 4} if grid == {"rows": 4} else fields | grid
    lines[1] = changed(lines[1], "puzzle", grid=spoiled)
    (tmp_path / "bad").write_text("\n".join(lines))
    with pytest.raises(PuzzleError) as caught:
        load_trace(tmp_path / "bad")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff\xfe", b"\x1f\x8b\x08", b"53..7....\n", b'{"trace":"dgsolve","version":1}\n', b"null\n"]
)
def test_other_files_are_refused(tmp_path, content):
    for name in ("bad.jsonl", "bad.gz"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(PuzzleError):
            load_trace(tmp_path / name)


def test_a_cut_archive_is_refused(tmp_path, lines):
    whole = gzip.compress(("\n".join(lines) + "\n").encode())
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PuzzleError, match=r"cut off"):
        load_trace(tmp_path / "cut.gz")


def test_places_that_do_not_exist(tmp_path, make_frame, small):
    with pytest.raises(UsageError, match="cannot write the trace"):
        save_trace(tmp_path / "no" / "folder", [make_frame(small)])
    with pytest.raises(PuzzleError, match="cannot be read: No such file"):
        load_trace(tmp_path / "missing")


def test_a_recording_can_only_be_looked_at(small):
    stand_in = RecordedProblem.of(small)
    with pytest.raises(UsageError, match="the sudoku of a trace cannot be checked"):
        stand_in.check("1234")
    with pytest.raises(UsageError, match="the sudoku of a trace cannot be solved"):
        stand_in.canvas(None)
    assert stand_in.decode([0, 1, 2, 3]) == "1234"
    assert RecordedProblem.of(stand_in) is stand_in
