"""The live canvas: every step redrawn in place while the loop runs."""

from __future__ import annotations

import math
import time
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.text import Text

from dgsolve.solution import Frame
from dgsolve.ui.canvas_view import CanvasView
from dgsolve.ui.terminal import can_redraw

REDRAWS_PER_SECOND = 20


class Watcher(Protocol):
    """A context in which frames are shown; `on_frame` fits `solve(..., on_frame=...)`."""

    def __enter__(self) -> Watcher: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    def on_frame(self, frame: Frame) -> None:
        """Show a frame, or do nothing."""


class LiveCanvas:
    """Draws frames over each other, at most 20 a second, and clears them at the end unless `stay`.

    The result belongs on stdout, so `console` is normally the one of stderr; print other lines through the same
    console while the canvas is open, and they appear above it. `waiting` stands there until the first frame.

        with live_canvas(console) as canvas:
            solve(problem, on_frame=canvas.on_frame)
    """

    def __init__(self, console: Console, *, stay: bool = False, waiting: str = "") -> None:
        self._console, self._stay = console, stay
        self._live = Live(
            Text(waiting),
            console=console,
            auto_refresh=False,
            transient=not stay,
            vertical_overflow="crop",
            redirect_stdout=False,  # what is printed to stdout must not turn up on stderr
        )
        self._last: Frame | None = None
        self._drawn: Frame | None = None
        self._drawn_at = -math.inf

    def __enter__(self) -> LiveCanvas:
        self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._last is not None and self._last is not self._drawn:
            self._draw(self._last)
        if self._stay and self._last is not None:
            self._live.update(CanvasView(self._last))  # the whole of it, however high the screen
        self._live.stop()

    def on_frame(self, frame: Frame) -> None:
        """Draw a frame, unless the one before was drawn a moment ago."""
        self._last = frame
        if time.monotonic() - self._drawn_at >= 1 / REDRAWS_PER_SECOND:
            self._draw(frame)

    def _draw(self, frame: Frame) -> None:
        self._drawn, self._drawn_at = frame, time.monotonic()
        self._live.update(CanvasView(frame, height=self._console.height), refresh=True)


class NoCanvas:
    """Stands in where nothing can or should be drawn."""

    def __enter__(self) -> NoCanvas:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing was opened."""

    def on_frame(self, frame: Frame) -> None:
        """Nobody watches."""


def live_canvas(console: Console, *, quiet: bool = False, waiting: str = "") -> Watcher:
    """The live canvas where the console is a terminal that can show one, else a stand-in that shows nothing."""
    return LiveCanvas(console, waiting=waiting) if can_redraw(console, quiet=quiet) else NoCanvas()
