"""Traces that JSON or a picture would choke on are refused with their line."""

import json
from pathlib import Path
from typing import Any

import pytest

from dgsolve.errors import PuzzleError
from dgsolve.ui.trace import load_trace

HEAD = '{"trace":"dgsolve","version":1}'
PUZZLE = '{"puzzle":{"kind":"text","title":"t","text":"x","grid":null}}'
FRAME: dict[str, Any] = {
    **{"step": 1, "canvas": 0, "canvases": 1, "restarts": 0, "seconds": 0.1, "text": "x", "values": [0]},
    **{"probability": [1.0], "entropy": [0.0], "accepted": "0", "locked": "0", "faulty": "0"},
}
EMPTY = {"values": [], "probability": [], "entropy": [], "accepted": "", "locked": "", "faulty": ""}

BLOCKS = {"steps": [3], "most": 48, "count": 1, "ended": False}
BAD_BLOCKS = tuple(
    {"blocks": BLOCKS | bad}
    for bad in ({"steps": []}, {"steps": [3, 4]}, {"steps": [0]}, {"most": -1}, {"count": 10**400}, {"ended": "no"})
)


@pytest.mark.parametrize(
    "line",
    [
        "1" * 5000,
        "[" * 100_000,
        '{"a":' * 100_000,
        *(
            json.dumps({"frame": {**FRAME, **change}})
            for change in (*BAD_BLOCKS, EMPTY, *({name: 10**400} for name in ("seconds", "step")))
        ),
        *(json.dumps({"frame": {**FRAME, **bad}}) for bad in ({"seconds": "nan"}, {"seconds": -1}, {"step": -5})),
    ],
)
def test_a_line_that_cannot_be_shown_is_refused_with_its_number(line: str, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join([HEAD, PUZZLE, json.dumps({"frame": FRAME}), line]))
    with pytest.raises(PuzzleError) as caught:
        load_trace(file)
    assert caught.value.line == 4 and len(str(caught.value)) < 400
