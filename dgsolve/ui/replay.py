"""A saved run played again: on the terminal, or as a picture or page to show others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from dgsolve.errors import UsageError
from dgsolve.solution import Frame
from dgsolve.ui import html, svg
from dgsolve.ui.canvas_view import CanvasView
from dgsolve.ui.live import LiveCanvas
from dgsolve.ui.terminal import can_redraw

_EXPORTS = {".svg": svg.animated_svg, ".html": html.page}


def play(frames: Sequence[Frame], console: Console, *, steps_per_second: float = 4.0) -> None:
    """Show the frames one after the other, and leave the last; where nothing can be redrawn, print the last alone.

    Raises UsageError where there is no frame or no speed.
    """
    svg.refuse_misuse(frames, steps_per_second)
    if not can_redraw(console):
        console.print(CanvasView(frames[-1]))
        return
    with LiveCanvas(console, stay=True) as canvas:
        for number, frame in enumerate(frames):
            if number:
                time.sleep(1 / steps_per_second)
            canvas.on_frame(frame)


def export(frames: Sequence[Frame], path: str | Path, *, steps_per_second: float = 4.0) -> None:
    """Write an animated .svg or a .html page; raises UsageError for another ending or a place it cannot write to."""
    path = Path(path)
    drawn = _EXPORTS.get(path.suffix.lower())
    if drawn is None:
        raise UsageError(f"cannot export to {path.name!r}", hint="Name a file that ends in .svg or .html.")
    try:
        path.write_text(drawn(frames, steps_per_second=steps_per_second), encoding="utf-8")
    except OSError as error:
        message = f"cannot write {path}: {error.strerror}"
        raise UsageError(message, hint="Name a file in a folder that exists.") from error
