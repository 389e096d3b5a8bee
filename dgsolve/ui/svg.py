"""Frames as one self-contained SVG picture that plays by itself (CSS), and shows the last frame where it cannot."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.cells import cell_len

from dgsolve.errors import UsageError
from dgsolve.shortened import shortened
from dgsolve.solution import Frame
from dgsolve.ui import numbers, palette
from dgsolve.ui.draft_lines import draft_lines
from dgsolve.ui.palette import Run
from dgsolve.ui.svg_document import document, xml_text
from dgsolve.ui.svg_picture import svg_picture

LINE = 20  # all lengths are in pixels
NARROWEST = 440  # of a grid with its figures
LEGEND = 560  # wide, below a text
NOTE_ADVANCE = 7.84  # of a column of the figures, in the widest of the fonts
TITLE = 66  # characters of what a problem says of itself
COLUMNS = 76  # of a text
ADVANCE = 9.64  # of a column, in the widest of the fonts
HOLD = 4.0  # seconds that the last frame stays
SLOWEST, FASTEST = 0.01, 1000  # steps a second


def animated_svg(frames: Sequence[Frame], *, steps_per_second: float = 4.0) -> str:
    """The picture as text; raises UsageError where there is no frame or no speed."""
    refuse_misuse(frames, steps_per_second)
    return drawing(frames, pause=1 / steps_per_second)


def refuse_misuse(frames: Sequence[Frame], steps_per_second: float) -> None:
    """Raise UsageError where there is nothing to show or no pace to show it at."""
    if not frames:
        raise UsageError("there is no frame to show")
    if not SLOWEST <= steps_per_second <= FASTEST:
        raise UsageError(f"a speed of {steps_per_second} steps a second: write a number from {SLOWEST} to {FASTEST}")


def drawing(frames: Sequence[Frame], *, pause: float | None = None) -> str:
    """All frames on top of each other, one group of class "frame" each, of which only the last is seen.

    With `pause`, in seconds, they are seen one after the other, in a loop.
    """
    pictures = [_picture(frame) for frame in frames]
    inner = max(height for _, height, _ in pictures)  # the figures of all frames stand at one height
    width = max(width for width, _, _ in pictures)
    groups = []
    for index, (frame, (_, _, cells)) in enumerate(zip(frames, pictures, strict=True)):
        last = index == len(frames) - 1
        delay = "" if pause is None or last else f' style="animation-delay:{index * pause:.3f}s"'
        head = f'<g class="frame{" last" if last else ""}" opacity="{int(last)}"{delay}>'
        groups.append("\n".join([head, *cells, *_figures(frame, inner), "</g>"]))
    return document(width, inner, frames[-1].problem.describe(), groups, _animation(len(frames), pause))


def _picture(frame: Frame) -> tuple[int, int, list[str]]:
    """Width and height of the frame with its figures, and the elements of its grid or text."""
    layout = frame.problem.grid()
    if layout is None:
        lines = draft_lines(frame, COLUMNS)
        longest = max(cell_len("".join(words for words, _ in runs)) for runs in lines)
        width = max(math.ceil(longest * ADVANCE), LEGEND, _notes_width(frame))
        return width, len(lines) * LINE + 5 * LINE + 8, _lines_of_text(lines)
    grid = svg_picture(layout, palette.faces(frame, layout))
    width = max(grid.width, NARROWEST, _notes_width(frame))
    return width, grid.height + 4 * LINE + 8, grid.elements()


def _notes_width(frame: Frame) -> int:
    """Pixels of the longest line of figures."""
    return math.ceil(max(map(cell_len, _notes(frame))) * NOTE_ADVANCE)


def _notes(frame: Frame) -> list[str]:
    return [
        shortened(frame.problem.describe(), TITLE),
        " · ".join(numbers.run_facts(frame)),
        " · ".join(numbers.draft_facts(frame)),
        numbers.settled_fact(frame),
    ]


def _lines_of_text(lines: list[list[Run]]) -> list[str]:
    return [f'<text class="line" y="{(row + 1) * LINE - 6}">{_spans(runs)}</text>' for row, runs in enumerate(lines)]


def _spans(runs: list[Run]) -> str:
    return "".join(f'<tspan class="{look}">{xml_text(words)}</tspan>' for words, look in runs)


def _figures(frame: Frame, height: int) -> list[str]:
    """The lines at the foot of a picture of `height`, the bar of settled slots, and for a text what its looks mean."""
    lines = [xml_text(note) for note in _notes(frame)]
    if frame.problem.grid() is None:
        lines.append(_spans([*palette.legend(frame), (" · ", palette.SETTLED), *palette.scale()]))
    top = height - len(lines) * LINE
    texts = [f'<text class="note" y="{top + row * LINE + 12}">{line}</text>' for row, line in enumerate(lines)]
    share = numbers.settled_share(frame)
    bar = f'x="180" y="{top + 3 * LINE + 3}" height="8" rx="4"'
    return [*texts, f'<rect class="left" {bar} width="260"/>', f'<rect class="done" {bar} width="{share * 260:.0f}"/>']


def _animation(count: int, pause: float | None) -> str:
    """Each frame in its turn, the last one longer; nothing moves for people who ask for less motion."""
    if count == 1 or pause is None:
        return ""
    total = (count - 1) * pause + HOLD
    return (
        f".frame{{animation:turn {total:.3f}s step-end infinite}}"
        f".last{{animation-name:stay}}"
        f"@keyframes turn{{0%{{opacity:1}}{100 * pause / total:.4f}%,100%{{opacity:0}}}}"
        f"@keyframes stay{{0%{{opacity:0}}{100 * (count - 1) * pause / total:.4f}%,100%{{opacity:1}}}}"
        "@media(prefers-reduced-motion:reduce){.frame{animation:none}}"
    )
