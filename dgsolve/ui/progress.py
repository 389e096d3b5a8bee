"""Progress over many puzzles: rate, solved, failed and the time that is left, on one line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.text import Text

from dgsolve.ui import numbers
from dgsolve.ui.terminal import can_redraw

REDRAWS_PER_SECOND = 10
BAR_WIDTH = 24  # columns, where there is room


class Progress(Protocol):
    """A context in which finished puzzles are counted."""

    def __enter__(self) -> Progress: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    def add(self, *, solved: bool) -> None:
        """Count one finished puzzle."""

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While open, the line is cleared away, so that results can be printed to the same terminal."""


class ProgressLine:
    """A line redrawn as puzzles are finished; `total` is None where nobody knows it (a stream)."""

    def __init__(self, console: Console, total: int | None = None) -> None:
        self.total = total
        self.solved = self.failed = 0
        self._started = self._drawn_at = time.monotonic()
        self._live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)

    def __enter__(self) -> ProgressLine:
        self._started = time.monotonic()
        self._live.start()
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def add(self, *, solved: bool) -> None:
        """Count one finished puzzle."""
        self.solved += solved
        self.failed += not solved
        if time.monotonic() - self._drawn_at >= 1 / REDRAWS_PER_SECOND:
            self._draw()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While open, the line is cleared away, so that results can be printed to the same terminal."""
        self._live.stop()
        try:
            yield
        finally:
            self._live.start(refresh=True)

    def _draw(self) -> None:
        self._drawn_at = time.monotonic()
        options = self._live.console.options
        line = progress_text(self.solved, self.failed, self.total, self._drawn_at - self._started, options.max_width)
        self._live.update(numbers.in_ascii(line) if options.ascii_only else line, refresh=True)


def progress_text(solved: int, failed: int, total: int | None, seconds: float, width: int = 80) -> Text:
    """How many are done and how fast, solved, failed, time left; before it a bar, where there is a total and room."""
    done = solved + failed
    rate = done / seconds if seconds > 0 else 0.0
    line = Text(f"{done:,} of {total:,}" if total else f"{done:,} done", no_wrap=True)
    line.append(f" · {rate:.1f}/s · solved {solved:,} · ").append(f"failed {failed:,}", "red" if failed else "")
    if total and rate:
        line.append(f" · {_clock(max(total - done, 0) / rate)} left")
    room = min(width - line.cell_len - 1, BAR_WIDTH)
    return Text(" ", no_wrap=True).join([numbers.bar(done / total, room), line]) if total and room > 0 else line


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class NoProgress:
    """Stands in where no line can or should be drawn."""

    def __enter__(self) -> NoProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing was opened."""

    def add(self, *, solved: bool) -> None:
        """Nobody counts."""

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Nothing is in the way."""
        yield


def progress_line(console: Console, total: int | None = None, *, quiet: bool = False) -> Progress:
    """The line where the console is a terminal that can show one, else a stand-in that shows nothing."""
    return ProgressLine(console, total) if can_redraw(console, quiet=quiet) else NoProgress()
