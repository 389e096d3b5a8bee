"""Accuracy against denoising steps as an SVG picture, one line per set, for light and dark pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from dgsolve.bench.cells import NONE
from dgsolve.bench.tally import percent
from dgsolve.shortened import shortened

LEFT, TOP, WIDTH, HEIGHT = 64, 48, 440, 300  # the plotting area, in pixels
LEGEND_X, LEGEND_WIDTH, ROW = LEFT + WIDTH + 24, 320, 22
LONGEST_NAME = 31

# Each has a contrast of at least 3.7 on white and on the dark paper.
COLORS = ("#2f81f7", "#c4621a", "#2a9447", "#9a66f0", "#dc4a43", "#0d8f9c", "#a07800", "#d64592")
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # the next when the colours are used up
PAPER, DARK_PAPER = "#ffffff", "#0d1117"


def accuracy_svg(sets: Sequence[Mapping[str, Any]]) -> str:
    """The first row of each set (see `report.results`): the share of its puzzles solved by each step."""
    steps = len(sets[0]["rows"][0]["solved_by_step"]) - 1
    width = LEGEND_X + LEGEND_WIDTH
    height = max(TOP + HEIGHT + 64, TOP + ROW * len(sets) + 24)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' role="img" aria-label="Share of puzzles solved against denoising steps">',
            f"<style>{_STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
            f'<text class="title" x="{LEFT}" y="28">Puzzles solved by diffusion alone</text>',
            *_axes(steps),
            *(part for place, one in enumerate(sets) for part in _curve(one, place, steps)),
            "</svg>",
            "",
        ]
    )


def _axes(steps: int) -> list[str]:
    parts = []
    for share in range(0, 101, 20):
        y = _y(share)
        parts.append(f'<path class="grid" d="M{LEFT} {y}H{LEFT + WIDTH}"/>')
        parts.append(f'<text class="tick" text-anchor="end" x="{LEFT - 8}" y="{y + 4}">{share}</text>')
    for step in _ticks(steps):
        x = _x(step, steps)
        parts.append(f'<path class="grid" d="M{x} {TOP}V{TOP + HEIGHT}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{x}" y="{TOP + HEIGHT + 20}">{step}</text>')
    middle, center = LEFT + WIDTH / 2, TOP + HEIGHT / 2
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{TOP + HEIGHT}H{LEFT + WIDTH}"/>')
    parts.append(f'<text text-anchor="middle" x="{middle}" y="{TOP + HEIGHT + 46}">denoising steps</text>')
    turned = f'transform="rotate(-90 18 {center})"'
    parts.append(f'<text text-anchor="middle" x="18" y="{center}" {turned}>puzzles solved, %</text>')
    return parts


def _curve(one: Mapping[str, Any], place: int, steps: int) -> list[str]:
    """The line of a set, and its place in the legend."""
    row = one["rows"][0]
    count = row["puzzles"] + row["unreadable"]
    shares = [100 * solved / count if count else 0.0 for solved in row["solved_by_step"]]
    line = f"M{_x(0, steps)} {_y(shares[0])}"
    line += "".join(f"H{_x(step, steps)}V{_y(share)}" for step, share in enumerate(shares) if step)
    dash = DASHES[place // len(COLORS) % len(DASHES)]
    look = f'stroke="{COLORS[place % len(COLORS)]}"' + (f' stroke-dasharray="{dash}"' if dash else "")
    last = percent(row["valid"], count)
    label = f"{shortened(one['set'], LONGEST_NAME)}: {NONE if last is None else last} %"
    y = TOP + ROW * place + 8
    return [
        f'<path class="line" {look} d="{line}"><title>{escape(one["set"])}</title></path>',
        f'<path class="line" {look} d="M{LEGEND_X} {y}h24"/>',
        f'<text class="name" x="{LEGEND_X + 32}" y="{y + 4}">{escape(label)}</text>',
    ]


def _x(step: int, steps: int) -> float:
    return round(LEFT + WIDTH * step / steps, 1)


def _y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share / 100), 1)


def _ticks(steps: int) -> range:
    """At most nine places on the axis, at round steps."""
    apart = next(size for size in (1, 2, 4, 8, 16, 32, 64, *range(128, steps + 129, 128)) if steps <= 8 * size)
    return range(0, steps + 1, apart)


_STYLE = (
    f"svg{{color:#1f2328}}.paper{{fill:{PAPER}}}"
    f"@media(prefers-color-scheme:dark){{svg{{color:#e6edf3}}.paper{{fill:{DARK_PAPER}}}}}"
    "text{font:13px system-ui,'DejaVu Sans',sans-serif;fill:currentColor}.title{font-size:15px;font-weight:600}"
    ".tick{font-size:12px}.name{white-space:pre}"
    ".grid{fill:none;stroke:currentColor;opacity:.15}.axis{fill:none;stroke:currentColor}"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round}"
)
