"""Frames as one self-contained SVG picture that plays by itself (CSS), and shows the last frame where it cannot."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from rich.cells import cell_len

from dgsolve.errors import UsageError
from dgsolve.problem import GridLayout
from dgsolve.shortened import shortened
from dgsolve.solution import Frame
from dgsolve.ui import numbers, palette
from dgsolve.ui.draft_lines import draft_lines
from dgsolve.ui.palette import Run

CELL = 28  # all lengths are in pixels
MARGIN = 16
LINE = 20
NARROWEST = 440  # of a grid with its figures
LEGEND = 560  # wide, below a text
NOTE_ADVANCE = 7.84  # of a column of the figures, in the widest of the fonts
TITLE = 66  # characters of what a problem says of itself
COLUMNS = 76  # of a text
ADVANCE = 9.64  # of a column, in the widest of the fonts
HOLD = 4.0  # seconds that the last frame stays

_NOT_IN_XML = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def animated_svg(frames: Sequence[Frame], *, steps_per_second: float = 4.0) -> str:
    """The picture as text; raises UsageError where there is no frame or no speed."""
    refuse_misuse(frames, steps_per_second)
    return drawing(frames, pause=1 / steps_per_second)


def refuse_misuse(frames: Sequence[Frame], steps_per_second: float) -> None:
    """Raise UsageError where there is nothing to show or no pace to show it at."""
    if not frames:
        raise UsageError("there is no frame to show")
    if not steps_per_second > 0:
        raise UsageError(f"steps_per_second must be above 0, got {steps_per_second}")


def drawing(frames: Sequence[Frame], *, pause: float | None = None) -> str:
    """All frames on top of each other, one group of class "frame" each, of which only the last is seen.

    With `pause`, in seconds, they are seen one after the other, in a loop.
    """
    pictures = [_picture(frame) for frame in frames]
    inner = max(height for _, height, _ in pictures)  # the figures of all frames stand at one height
    width, height = max(width for width, _, _ in pictures) + 2 * MARGIN, inner + 2 * MARGIN
    groups = []
    for index, (frame, (_, _, cells)) in enumerate(zip(frames, pictures, strict=True)):
        last = index == len(frames) - 1
        delay = "" if pause is None or last else f' style="animation-delay:{index * pause:.3f}s"'
        head = f'<g class="frame{" last" if last else ""}" opacity="{int(last)}"{delay}>'
        groups.append("\n".join([head, *cells, *_figures(frame, inner), "</g>"]))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' xml:space="preserve" role="img" aria-label="{_text(frames[-1].problem.describe())}">',
            f"<style>{_STYLE}{_animation(len(frames), pause)}</style>",
            f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *groups,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _picture(frame: Frame) -> tuple[int, int, list[str]]:
    """Width and height of the frame with its figures, and the elements of its grid or text."""
    layout = frame.problem.grid()
    if layout is None:
        lines = draft_lines(frame, COLUMNS)
        longest = max(cell_len("".join(words for words, _ in runs)) for runs in lines)
        width = max(math.ceil(longest * ADVANCE), LEGEND, _notes_width(frame))
        return width, len(lines) * LINE + 5 * LINE + 8, _lines_of_text(lines)
    elements = [*_cells(frame, layout), _borders(layout)]
    width = max(layout.cols * CELL, NARROWEST, _notes_width(frame))
    return width, layout.rows * CELL + 4 * LINE + 8, elements


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


def _cells(frame: Frame, layout: GridLayout) -> list[str]:
    elements = []
    for slot, value in enumerate(frame.values):
        row, column = divmod(slot, layout.cols)
        look = palette.look(frame, slot, layout.givens)
        x, y = column * CELL, row * CELL
        if look == palette.FAULT:
            side = CELL - 4
            elements.append(f'<rect class="mark" x="{x + 2}" y="{y + 2}" width="{side}" height="{side}" rx="4"/>')
        symbol = _text(layout.symbols[value])
        elements.append(f'<text class="{look}" x="{x + CELL // 2}" y="{y + CELL // 2 + 6}">{symbol}</text>')
    return elements


def _borders(layout: GridLayout) -> str:
    width, height = layout.cols * CELL, layout.rows * CELL
    thin = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, CELL))
    thin += "".join(f"M0 {y}H{width}" for y in range(0, height + 1, CELL))
    thick = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, CELL * layout.box_cols))
    thick += "".join(f"M0 {y}H{width}" for y in range(0, height + 1, CELL * layout.box_rows))
    return f'<path class="thin" d="{thin}"/><path class="thick" d="{thick}"/>'


def _lines_of_text(lines: list[list[Run]]) -> list[str]:
    return [f'<text class="line" y="{(row + 1) * LINE - 6}">{_spans(runs)}</text>' for row, runs in enumerate(lines)]


def _spans(runs: list[Run]) -> str:
    return "".join(f'<tspan class="{look}">{_text(words)}</tspan>' for words, look in runs)


def _figures(frame: Frame, height: int) -> list[str]:
    """The lines at the foot of a picture of `height`, the bar of settled slots, and for a text what its looks mean."""
    lines = [_text(note) for note in _notes(frame)]
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


def _text(words: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", words), {'"': "&quot;"})


_STYLE = (
    "svg{color:#1f2328}.paper{fill:#ffffff}"
    "@media(prefers-color-scheme:dark){svg{color:#e6edf3}.paper{fill:#0d1117}}"
    "text{font:16px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle;fill:currentColor}"
    ".line,.note{text-anchor:start;white-space:pre}.note{font-size:13px}"
    ".given{font-weight:700}.fault{fill:#ffffff;font-weight:700}"
    f".forced{{fill:{palette.FORCED_COLOR};font-style:italic}}"
    f"tspan.fault{{fill:{palette.FAULT_COLOR};text-decoration:underline}}"
    ".thin,.thick{fill:none;stroke:currentColor}.thin{opacity:.2}.thick{stroke-width:1.5}"
    f".mark{{fill:{palette.FAULT_COLOR}}}.left{{fill:currentColor;opacity:.2}}.done{{fill:#008787}}"
) + "".join(f".{look}{{fill:{color}}}" for look, (_, color) in palette.UNSURE.items())
