"""Frames as one self-contained web page with a slider and a play button."""

from __future__ import annotations

from collections.abc import Sequence

from dgsolve.solution import Frame
from dgsolve.ui.svg import drawing, refuse_misuse


def page(frames: Sequence[Frame], *, steps_per_second: float = 4.0) -> str:
    """The page as text; raises UsageError where there is no frame or no speed."""
    refuse_misuse(frames, steps_per_second)
    pause = f"{1000 / steps_per_second:.0f}"
    return _PAGE.replace("LAST", str(len(frames) - 1)).replace("PAUSE", pause).replace("DRAWING", drawing(frames))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dgsolve replay</title>
<style>
body { font-family: system-ui, sans-serif; margin: 2em auto; max-width: fit-content }
input { width: 20em; max-width: 70% }
</style>
</head>
<body>
<p><button id="play">Play</button> <input id="at" type="range" min="0" max="LAST" value="LAST" aria-label="frame"></p>
DRAWING
<script>
const frames = document.querySelectorAll(".frame");
const at = document.getElementById("at");
const play = document.getElementById("play");
let timer = null;
function show() { frames.forEach((frame, index) => frame.setAttribute("opacity", index == at.value ? 1 : 0)); }
function stop() { clearInterval(timer); timer = null; play.textContent = "Play"; }
function next() { if (+at.value >= LAST) return stop(); at.value = +at.value + 1; show(); }
at.addEventListener("input", () => { stop(); show(); });
play.addEventListener("click", () => {
  if (timer) return stop();
  if (+at.value >= LAST) at.value = 0;
  play.textContent = "Pause";
  show();
  timer = setInterval(next, PAUSE);
});
</script>
</body>
</html>
"""
